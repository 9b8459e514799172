"""NeuralPartsParser: a trained neural parser, and higher-order parts that are learnt on top.

The network scores arcs, and its probabilities prune them; the linear part scorer scores siblings,
grandchildren … over those that are left; averaged cost-augmented MIRA learns its weights.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from headwise.corpus.documents import all_sentences
from headwise.corpus.folds import folds_of
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, UsageError
from headwise.inference.neuralparts import ArcsEncoder, NeuralPartsSearch
from headwise.inference.temperatures import UNFITTED, ModelTemperatures, Temperatures
from headwise.inference.treesearch import TreeSearch
from headwise.parameters import flag
from headwise.parsers.arcparser import ArcParser
from headwise.parsers.base import NOT_FITTED, Parser, TrainingInputs
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.settings import NeuralPartsSettings
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.givenarcs import NO_FEATURES, GivenArcs, GivenArcsSpec
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.parttemplates import PartFeatureSet
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.tables import WeightTables
from headwise.scoring.linear.tagreduction import TagReduction, default_reduction
from headwise.storage.modelfile import Storage

if TYPE_CHECKING:
    from headwise.learners.callbacks import TrainingCallback
    from headwise.learners.data import TrainingData
    from headwise.learners.development import Development
    from headwise.learners.settings import TrainingSettings
    from headwise.learners.training import Trained

UNITS = 16.0
"""Of scores of arcs, in a step of the weights of parts: both are whole numbers of units."""

FACTORS = (1.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.5, 2.0, 3.0)
"""What scores of the network may be multiplied by in a finished model; tried on dev. Without dev,
and to choose an epoch, it is the first."""


@dataclass(kw_only=True, eq=False)
class NeuralPartsParser(NeuralPartsSettings, ArcParser):
    """A neural parser of a higher order: parts on top of a network that is trained already."""

    kind = "neural-parts"
    uses = frozenset({"log", "vectors", "base_model"})

    base_: NeuralParser = field(init=False, repr=False)
    looks_: GivenArcsSpec = field(init=False, repr=False)
    reduction_: TagReduction = field(init=False, repr=False)
    tables_: WeightTables = field(init=False, repr=False)
    temperatures_: ModelTemperatures = field(init=False, repr=False)
    report_: dict[str, Any] = field(init=False, repr=False)

    def fit(
        self,
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        base: Parser | None = None,
        vectors: str | Path | None = None,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        callback: "TrainingCallback | None" = None,
    ) -> "NeuralPartsParser":
        """Learn parts on top of `base` from gold trees; with `dev`, the best epoch is kept.

        `vectors` are for the networks of `folds`. `checkpoint` is a folder to go on from with
        `resume`, should training be cut short; it is left there.
        """
        from headwise.learners.callbacks import TrainingCallback
        from headwise.learners.data import reachable, training_data
        from headwise.learners.development import Development
        from headwise.learners.training import Training

        self.check()
        resume = flag("resume", resume)
        if isinstance(sentences, str | Path):
            raise UsageError("fit learns from sentences, not files: read_sentences(path)")
        if vectors is not None and not self.folds:
            raise UsageError("vectors are for the networks of folds: set folds, or leave them out")
        callback = callback or TrainingCallback()
        self.base_ = neural_base(base)
        self.looks_, self.reduction_ = self.looks(), self.tag_reduction()
        settings = self.training(
            projective=self.base_.projective_, single_root=self.base_.single_root_
        )
        gold = list(all_sentences(sentences))
        others = None if dev is None else list(all_sentences(dev))
        kept = [one for one in checked(gold) if reachable(one, settings, None) is not None]
        networks = [self.base_, *self.networks_of_folds(kept, others, vectors, callback)]
        data = training_data(kept, settings, self.encoder(networks[1:] or networks, self.own_tags))  # type: ignore[arg-type]
        pruner = self.pruner()
        data = replace(data, unpruned=pruner.unpruned_with(data.encoded, data.golds))
        development = None
        if others is not None:
            encoder: Any = self.encoder([self.base_], 1.0)
            looks = replace(self.looks_, factor=FACTORS[0])
            development = Development.of(
                others, None, settings, encoder, looks, self.base_.single_root_, pruner
            )
        folder = None if checkpoint is None else Path(checkpoint)
        training = Training(settings, self.looks_, data, development, folder, callback)
        trained = training.run(resume=resume)
        self.finish(trained, settings, data, development)
        self.report_ |= {
            "sentences": len(kept),
            "left_out": len(gold) - len(kept),
            "words": sum(map(len, kept)),
        }
        if others is not None:
            self.report_ |= self.compared(others)
            self.calibrate(others)
        return self

    def fit_from(self, inputs: TrainingInputs) -> "NeuralPartsParser":
        """Train on sentences with trees, on top of a neural parser."""
        return self.fit(
            inputs.sentences,
            inputs.dev,
            base=inputs.base,
            vectors=inputs.vectors,
            checkpoint=inputs.checkpoint,
            resume=inputs.resume,
            callback=inputs.callback,
        )

    def looks(self) -> GivenArcsSpec:
        """Which parts are scored, and by what."""
        spec = FeatureSpec.at(
            NO_FEATURES,
            self.scored_parts,
            self.part_features,
            crossing=not self.base_.projective_,
        )
        assert spec.parts is not None
        rows = [one for one in spec.parts.templates if "lemma" not in atoms_of(one)]
        return GivenArcsSpec(
            arcs=NO_FEATURES,
            parts=PartFeatureSet(tuple(rows)),
            factorisation=spec.factorisation,
            crossing=spec.crossing,
            factor=self.factor,
        )

    def tag_reduction(self) -> TagReduction:
        """What is right for the network's tags."""
        names = self.base_.vocabulary_
        with_upos = bool(names.upos)
        return TagReduction.load(default_reduction(set(names.xpos), with_upos=with_upos))

    def networks_of_folds(
        self,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        vectors: str | Path | None,
        callback: "TrainingCallback",
    ) -> list[NeuralParser]:
        """Networks with the settings of the base, each of all sentences but those of a fold."""
        found: list[NeuralParser] = []
        for others, _ in folds_of(sentences, self.folds) if self.folds else ():
            network = NeuralParser(**self.base_.get_params())
            found.append(network.fit(others, dev, vectors=vectors))
            callback.stage("networks of folds", len(found), self.folds)
        return found

    def encoder(self, networks: Sequence[NeuralParser], own_tags: float) -> ArcsEncoder:
        """Encodes sentences, each fold by its network."""
        searches = tuple(one.search() for one in networks)
        return ArcsEncoder(searches, AtomEncoder(reduction=self.reduction_), own_tags)

    def pruner(self) -> Pruner:
        """The network as a pruner."""
        arcs = GivenArcs.at(self.base_.temperatures_.heads)
        return Pruner(arcs, self.pruning, self.base_.single_root_)

    def finish(
        self,
        trained: "Trained",
        settings: "TrainingSettings",
        data: "TrainingData",
        development: "Development | None",
    ) -> None:
        """Choose the factor, and make all scores whole numbers."""
        from headwise.learners.callbacks import timeless
        from headwise.learners.pruning import pruning_report
        from headwise.learners.quantising import faithfully_quantised

        tables, looks = trained.tables, replace(self.looks_, factor=FACTORS[0])
        if development is not None:
            tried = [replace(looks, factor=factor) for factor in FACTORS]
            scores = [replace(development, looks=one).scores(tables)["dev_uas"] for one in tried]
            looks = tried[int(np.argmax(scores))]
        sample = (development or data).encoded
        small = faithfully_quantised(
            tables, 8, lambda own: self.tree_search_with(own, looks), sample
        )
        self.looks_ = replace(looks, factor=looks.factor * UNITS / small.scale, whole=True)
        self.tables_ = replace(small, scale=UNITS)
        self.temperatures_ = replace(self.base_.temperatures_, heads=UNITS, trees=UNITS)
        self.report_ = {
            "epoch": trained.epoch,
            "history": timeless(trained.history),
            "weights": int(np.count_nonzero(small.weights)),
            "factor": looks.factor,
            "pruner": pruning_report(self.pruner(), development or data),
        }

    def compared(self, dev: Sequence[Sentence]) -> dict[str, float]:
        """Per cent of words with the right head and relation on dev, and those of the network."""
        bare = [
            Sentence.from_words(one.forms, heads=one.heads, relations=one.relations) for one in dev
        ]
        own, network = self.scores(bare), self.base_.scores(bare)
        return {f"dev_{name}": 100 * value for name, value in own.items()} | {
            f"network_dev_{name}": 100 * value for name, value in network.items()
        }

    def tree_search(self) -> TreeSearch:
        """The search of trees over encoded sentences."""
        return self.tree_search_with(self.tables_, self.looks_, self.temperatures_)

    def tree_search_with(
        self,
        tables: WeightTables,
        looks: GivenArcsSpec,
        temperatures: Temperatures = UNFITTED,
    ) -> TreeSearch:
        """Weights at work."""
        atoms = looks.atoms
        return TreeSearch(
            AtomEncoder(atoms=atoms, reduction=self.reduction_),
            looks.scorer(tables),
            self.base_.projective_,
            self.base_.single_root_,
            temperatures,
            self.pruner(),
        )

    def search(self) -> NeuralPartsSearch:
        """The trained model at work."""
        if not hasattr(self, "tables_"):
            raise UsageError(NOT_FITTED)
        base = self.base_.search()
        return NeuralPartsSearch(
            base.network,
            base.vocabulary,
            base.projective,
            base.single_root,
            self.temperatures_,
            trees=self.tree_search(),
            first_order=base,
        )

    def use_device(self, name: str) -> None:
        """Where its network computes: `cpu`, `cuda`, or `auto`, an accelerator if there is one."""
        self.base_.use_device(name)

    @property
    def single_root_(self) -> bool:
        """As the network's."""
        return self.base_.single_root_

    @property
    def found_tags(self) -> tuple[str, ...]:
        """The columns of tags that its network finds."""
        return self.base_.found_tags if hasattr(self, "base_") else ()

    def tag_names(self, column: str) -> Iterable[str]:
        """All tags of a column that it may give."""
        return self.base_.tag_names(column) if column in self.found_tags else ()

    @classmethod
    def finds_tags(cls) -> bool:
        """Its network tags."""
        return True

    def summary(self) -> str:
        """What training came to, in a line."""
        report = self.report_
        parts = [f"epoch {report['epoch']}"]
        if "dev_uas" in report:
            parts.append(
                f"dev UAS {report['dev_uas']:.2f}, LAS {report['dev_las']:.2f} (own tags; the "
                f"network alone {report['network_dev_uas']:.2f}, {report['network_dev_las']:.2f})"
            )
        parts.append(f"{report['weights']:,} weights of parts")
        kept = report["pruner"]
        parts.append(
            f"its network keeps {kept['heads_a_word']:.1f} heads a word, oracle UAS "
            f"{kept['oracle_uas']:.2f}"
        )
        return ", ".join(parts)

    @classmethod
    def storage(cls) -> "Storage[NeuralPartsParser]":
        """How it becomes a model, and comes back."""
        from headwise.parsers.neuralparts.storage import parts_model, parts_of

        return Storage(cls.kind, parts_model, parts_of)


def neural_base(base: Parser | None) -> NeuralParser:
    """The network to build on; raise if it is none."""
    if base is None:
        raise UsageError("parts need a trained neural parser: give a base model (--base-model)")
    if not isinstance(base, NeuralParser):
        raise UsageError(f"the base model has a parser of kind {base.kind!r}: it must be neural")
    base.search()
    return base


def checked(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences; raise if there are none, or one has no tree."""
    from headwise.learners.data import check_tree

    if not sentences:
        raise InputError("there is no sentence to learn from")
    for sentence in sentences:
        check_tree(sentence, partial=False)
    return sentences


def atoms_of(template: Any) -> set[str]:
    """The atoms that a template of parts uses."""
    return {atom for _, seen in template.seen for atom, _ in seen}
