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
from headwise.errors import UsageError
from headwise.inference.neuralparts import ArcsEncoder, NeuralPartsSearch
from headwise.inference.temperatures import UNFITTED, ModelTemperatures, Temperatures
from headwise.inference.treesearch import TreeSearch
from headwise.parameters import flag
from headwise.parsers.arcparser import ArcParser
from headwise.parsers.base import NOT_FITTED, Parser
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.settings import NeuralPartsSettings
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.parttemplates import PartFeatureSet
from headwise.scoring.linear.precomputedarcs import (
    NO_FEATURES,
    PrecomputedArcs,
    PrecomputedArcsSpec,
)
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.tables import WeightTables
from headwise.scoring.linear.tagreduction import TagReduction, default_reduction

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
    feature_spec_: PrecomputedArcsSpec = field(init=False, repr=False)
    reduction_: TagReduction = field(init=False, repr=False)
    tables_: WeightTables = field(init=False, repr=False)
    temperatures_: ModelTemperatures = field(init=False, repr=False)

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
        from headwise.learners.data import learnable, reachable, training_data
        from headwise.learners.development import Development
        from headwise.learners.training import Training

        self.check()
        resume = flag("resume", resume)
        if vectors is not None and not self.folds:
            raise UsageError("vectors are for the networks of folds: set folds, or leave them out")
        callback = callback or TrainingCallback()
        self.base_ = neural_base(base)
        self.feature_spec_, self.reduction_ = self.feature_spec(), self.tag_reduction()
        settings = self.training(
            projective=self.base_.projective_, single_root=self.base_.single_root_
        )
        gold = list(all_sentences(sentences))
        others = None if dev is None else list(all_sentences(dev))
        kept = [one for one in learnable(gold) if reachable(one, settings, None) is not None]
        networks = [self.base_, *self.networks_of_folds(kept, others, vectors, callback)]
        data = training_data(kept, settings, self.encoder(networks[1:] or networks, self.own_tags))  # type: ignore[arg-type]
        pruner = self.pruner()
        data = replace(data, unpruned=pruner.unpruned_with(data.encoded, data.golds))
        development = None
        if others is not None:
            encoder: Any = self.encoder([self.base_], 1.0)
            spec = replace(self.feature_spec_, factor=FACTORS[0])
            development = Development.of(
                others, None, settings, encoder, spec, self.base_.single_root_, pruner
            )
        folder = None if checkpoint is None else Path(checkpoint)
        training = Training(settings, self.feature_spec_, data, development, folder, callback)
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

    def feature_spec(self) -> PrecomputedArcsSpec:
        """Which parts are scored, and by what."""
        spec = FeatureSpec.at(
            NO_FEATURES,
            self.scored_parts,
            self.part_features,
            crossing=not self.base_.projective_,
        )
        assert spec.parts is not None
        rows = [one for one in spec.parts.templates if "lemma" not in atoms_of(one)]
        return PrecomputedArcsSpec(
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
        arcs = PrecomputedArcs.at(self.base_.temperatures_.heads)
        return Pruner(arcs, self.pruning, self.base_.single_root_)

    def finish(
        self,
        trained: "Trained",
        settings: "TrainingSettings",
        data: "TrainingData",
        development: "Development | None",
    ) -> None:
        """Choose the factor, and make all scores whole numbers."""
        from headwise.learners.callbacks import without_times
        from headwise.learners.pruning import pruning_report
        from headwise.learners.quantising import faithfully_quantised

        tables, spec = trained.tables, replace(self.feature_spec_, factor=FACTORS[0])
        if development is not None:
            tried = [replace(spec, factor=factor) for factor in FACTORS]
            scores = [replace(development, spec=one).scores(tables)["dev_uas"] for one in tried]
            spec = tried[int(np.argmax(scores))]
        sample = (development or data).encoded
        small = faithfully_quantised(
            tables, 8, lambda own: self.tree_search_with(own, spec), sample
        )
        self.feature_spec_ = replace(spec, factor=spec.factor * UNITS / small.scale, whole=True)
        self.tables_ = replace(small, scale=UNITS)
        self.temperatures_ = replace(self.base_.temperatures_, heads=UNITS, trees=UNITS)
        self.report_ = {
            "epoch": trained.epoch,
            "history": without_times(trained.history),
            "weights": int(np.count_nonzero(small.weights)),
            "factor": spec.factor,
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

    def tree_search_with(
        self,
        tables: WeightTables,
        spec: PrecomputedArcsSpec,
        temperatures: Temperatures = UNFITTED,
    ) -> TreeSearch:
        """Weights at work."""
        atoms = spec.atoms
        return TreeSearch(
            AtomEncoder(atoms=atoms, reduction=self.reduction_),
            spec.scorer(tables),
            self.base_.projective_,
            self.base_.single_root_,
            temperatures,
            self.pruner(),
        )

    def search(self) -> NeuralPartsSearch:
        if not hasattr(self, "tables_"):
            raise UsageError(NOT_FITTED)
        base = self.base_.search()
        return NeuralPartsSearch(
            base.network,
            base.vocabulary,
            base.projective,
            base.single_root,
            self.temperatures_,
            trees=self.tree_search_with(self.tables_, self.feature_spec_, self.temperatures_),
            first_order=base,
        )

    def use_device(self, name: str) -> None:
        self.base_.use_device(name)

    @property
    def single_root_(self) -> bool:
        """As the network's."""
        return self.base_.single_root_

    @property
    def found_tags(self) -> tuple[str, ...]:
        return self.base_.found_tags if hasattr(self, "base_") else ()

    def tag_names(self, column: str) -> Iterable[str]:
        return self.base_.tag_names(column) if column in self.found_tags else ()

    @classmethod
    def finds_tags(cls) -> bool:
        return True

    def summary(self) -> str:
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


def neural_base(base: Parser | None) -> NeuralParser:
    """The network to build on; raise if it is none."""
    if base is None:
        raise UsageError("parts need a trained neural parser: give a base model (--base-model)")
    if not isinstance(base, NeuralParser):
        raise UsageError(f"the base model has a parser of kind {base.kind!r}: it must be neural")
    base.search()
    return base


def atoms_of(template: Any) -> set[str]:
    """The atoms that a template of parts uses."""
    return {atom for _, seen in template.seen for atom, _ in seen}
