"""DependencyParser: learns from a treebank, parses sentences, is saved and loaded.

What only learning needs is imported when it learns: a model starts sooner.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError
from headwise.inference.tagged import TAG_COLUMNS, given_columns
from headwise.inference.temperatures import UNFITTED, ModelTemperatures, Temperatures
from headwise.inference.treesearch import TreeSearch
from headwise.learners.settings import TrainingSettings
from headwise.learners.table import LEARNERS, OWN_NAMES, learner_class
from headwise.parameters import flag, whole_number
from headwise.parsers.arcparser import ArcParser
from headwise.parsers.base import NOT_FITTED
from headwise.scoring.linear.arcsets import GUIDE_TEMPLATES
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.labelledscorer import labeller_of
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labeltemplates import ATOMS as LABEL_ATOMS
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.tables import WeightTables
from headwise.scoring.linear.tagreduction import TagReduction, default_reduction
from headwise.scoring.linear.templates import FeatureSet
from headwise.storage.settingsdocs import Setting, settings_in

if TYPE_CHECKING:
    from headwise.learners.callbacks import TrainingCallback
    from headwise.learners.data import TrainingData
    from headwise.learners.development import Development
    from headwise.learners.training import Trained, Training


@dataclass(kw_only=True, eq=False)
class DependencyParser(TrainingSettings, ArcParser):
    """A graph-based dependency parser of order 1 to 4."""

    kind = "parser"
    uses = frozenset({"guide", "unlabelled", "log"})

    feature_spec_: FeatureSpec = field(init=False, repr=False)
    reduction_: TagReduction = field(init=False, repr=False)
    pruner_: Pruner | None = field(init=False, repr=False)
    labeller_: Labeller | None = field(init=False, repr=False)
    tables_: WeightTables = field(init=False, repr=False)
    single_root_: bool = field(init=False, repr=False)
    temperatures_: ModelTemperatures = field(init=False, repr=False)

    def fit(
        self,
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        guides: Iterable[Sentence] | None = None,
        dev_guides: Iterable[Sentence] | None = None,
        unlabelled: Iterable[Sentence] | None = None,
        jobs: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        callback: "TrainingCallback | None" = None,
    ) -> "DependencyParser":
        """Learn from gold trees; with `dev`, the epoch is kept that is best there.

        `guides` and `dev_guides` are the same sentences under another parser's trees. `unlabelled`
        are sentences whose trees, if any, do not count, for semi-supervised training. `checkpoint`
        is a folder to go on from with `resume`, should training be cut short; it is left there
        (`learners.checkpoint.remove_checkpoint`). `jobs` members of a Bayes point machine are
        trained at a time.
        """
        from headwise.learners.bayespoint import train_machine
        from headwise.learners.callbacks import TrainingCallback, without_times
        from headwise.learners.labelcheckpoint import forget_labels
        from headwise.learners.training import Training

        self.check()
        jobs, resume = whole_number("jobs", jobs), flag("resume", resume)
        callback = callback or TrainingCallback()
        gold = list(all_sentences(sentences))
        folder = Path(checkpoint) if checkpoint is not None else None
        if folder is not None and not resume:
            forget_labels(folder)
        guides, dev, dev_guides, unlabelled = (
            None if one is None else list(all_sentences(one))
            for one in (guides, dev, dev_guides, unlabelled)
        )
        prepared = self.prepared(
            gold, guides, dev, dev_guides, unlabelled, callback, folder, resume=resume
        )
        training = Training(self, *prepared, folder, callback)
        members: list[dict[str, Any]] = []
        if self.has_jobs:
            trained, members = train_machine(training, jobs=jobs, resume=resume)
        else:
            trained = training.run(resume=resume)
        self.feature_spec_, self.single_root_ = training.spec, training.data.single_root
        self.finish(trained, training)
        self.report_ |= self.report_of(training) | {"members": without_times(members)}
        self.report_["tag_columns"] = given_columns(gold, self.tags)
        if dev is not None:
            self.calibrate(dev, guides=dev_guides)
        return self

    @classmethod
    def settings_by_group(cls, learner: str | None) -> dict[str, list[Setting]]:
        """Common settings, then those of single learners."""
        groups = {"common": [one for one in settings_in(cls) if one.name not in OWN_NAMES]}
        for name in LEARNERS if learner is None else [learner]:
            groups[f"--learner {name}"] = list(settings_in(learner_class(name)))
        return groups

    @property
    def has_jobs(self) -> bool:
        """Members of a Bayes point machine are trained in processes."""
        from headwise.learners.perceptron import BayesPoint

        return isinstance(self.chosen_learner(), BayesPoint)

    def check_treebank(self, sentences: Sequence[Sentence], *, own_tags: bool) -> None:
        """Raise if there are no relations to learn, or feature sets are bad."""
        from headwise.learners.data import check_labels

        del own_tags
        check_labels(sentences, self)
        self.feature_spec(guided=False)
        self.tag_reduction_for(())

    def skipped_for_gaps(self) -> dict[str, str]:
        """The labeller learns from sentences in which each word has a relation."""
        return {} if self.labels == "none" else {"relations": "sentences"}

    @property
    def learns_partial(self) -> bool | None:
        return self.partial

    def missing_columns(self, lacks: Mapping[str, bool]) -> list[str]:
        found = []
        if self.labels != "none" and lacks["relations"]:
            found.append("no word has a relation, so that the parser will find heads only")
        if lacks.get(self.tags, False):
            found.append(f"{self.tags.upper()} is empty, so that tags={self.tags} gives no tags")
        return found

    def identity(self, *, guided: bool) -> dict[str, Any]:
        """The settings that must be the same to resume; templates count, whatever their file."""
        from headwise.learners.checkpoint import checksum
        from headwise.learners.training import MAY_CHANGE

        may_change = [name for name in MAY_CHANGE if name != "epochs" or not self.has_jobs]
        rows = self.feature_spec(guided=guided).rows()
        return {
            **{name: one for name, one in self.complete().items() if name not in may_change},
            "templates": f"{len(rows)} templates (checksum {checksum(rows)})",
        }

    def check_progress(self, checkpoint: Path, done: Mapping[str, Any]) -> None:
        from headwise.learners.training import check_epochs

        if "epoch" in done:
            check_epochs(checkpoint, done["epoch"], done["position"], self.epochs)

    def summary(self) -> str:
        from headwise.parsers.graph.card import summary

        return summary(self.report_)

    def report_of(self, training: "Training") -> dict[str, Any]:
        """What was learnt from, and what came out of the stages besides."""
        from headwise.learners.pruning import pruning_report
        from headwise.scoring.linear.count import count_features

        data, labeller = training.data, self.labeller_
        report: dict[str, Any] = {
            "sentences": len(data),
            "left_out": data.left_out,
            "words": data.words,
            "label_weights": 0 if labeller is None else int(np.count_nonzero(labeller.table)),
            "features": count_features(training.spec.arcs, data.encoded, data.golds),
        }
        if data.unlabelled is not None:
            sentences, left_out = len(data.unlabelled), data.unlabelled_left_out
            report["unlabelled"] = {"sentences": sentences, "left_out": left_out}
        if self.pruner_ is not None:
            compared = training.development or data
            report["pruner"] = pruning_report(self.pruner_, compared)
        return report

    def prepared(
        self,
        sentences: Sequence[Sentence],
        guides: Sequence[Sentence] | None,
        dev: Sequence[Sentence] | None,
        dev_guides: Sequence[Sentence] | None,
        unlabelled: Sequence[Sentence] | None,
        callback: "TrainingCallback",
        checkpoint: Path | None,
        *,
        resume: bool,
    ) -> "tuple[FeatureSpec, TrainingData, Development | None]":
        """What to look at, what to learn from, and what to compare with."""
        from headwise.learners.data import training_data
        from headwise.learners.development import Development
        from headwise.learners.pruning import pruned, train_pruner
        from headwise.learners.training import check_resumable
        from headwise.learners.unlabelled import check_unlabelled, unlabelled_data

        if (dev_guides is not None) != (guides is not None and dev is not None):
            raise UsageError("guides go with guides for dev: a parser needs both, or none")
        spec = self.feature_spec(guided=guides is not None)
        self.reduction_ = self.tag_reduction_for(sentences)
        encoder = AtomEncoder(self.words, self.tags, reduction=self.reduction_)
        data = training_data(sentences, self, encoder, guides)
        check_unlabelled(self, guided=guides is not None, given=unlabelled is not None)
        if unlabelled is not None:
            without_trees = unlabelled_data(unlabelled, self, encoder, spec.arcs)
            left_out = len(unlabelled) - len(without_trees)
            data = replace(data, unlabelled=without_trees, unlabelled_left_out=left_out)
        if checkpoint is not None and resume:
            check_resumable(checkpoint, self, spec, data)
        self.pruner_ = None
        if self.is_higher:
            self.pruner_ = train_pruner(self, data, callback.stage)
            data = pruned(data, self.pruner_)
        spec = replace(spec, labels=data.inventory)
        self.labeller_ = self.second_stage(sentences, encoder, callback, checkpoint)
        if dev is None:
            return spec, data, None
        single_root, pruner, labeller = data.single_root, self.pruner_, self.labeller_
        development = Development.of(
            dev, dev_guides, self, encoder, spec, single_root, pruner, labeller
        )
        return spec, data, development

    def tag_reduction_for(self, sentences: Iterable[Sentence]) -> TagReduction:
        """The reduction by its name, or what is right for the tags of these sentences."""
        name = self.tag_reduction
        if name == "auto":
            tags = {tag for sentence in sentences for tag in sentence.xpos} - {MISSING}
            name = default_reduction(tags, with_upos=self.tags == "both")
        return TagReduction.load(name)

    def feature_spec(self, *, guided: bool) -> FeatureSpec:
        """What to look at, the trees of another parser too if it is guided."""
        features = FeatureSet.load(self.arc_features)
        if guided:
            features = features.joined_with(FeatureSet.parse(GUIDE_TEMPLATES))
        crossing = self.decoder == "non-projective"
        return FeatureSpec.at(features, self.scored_parts, self.part_features, crossing=crossing)

    def second_stage(
        self,
        sentences: Sequence[Sentence],
        encoder: AtomEncoder,
        callback: "TrainingCallback",
        checkpoint: Path | None,
    ) -> Labeller | None:
        """Who labels finished trees, if it is not the parser itself."""
        from headwise.learners.data import lifted
        from headwise.learners.labelling import train_labeller

        if self.labels != "second-stage":
            return None
        sentences = [one for one in sentences if one.has_tree]
        if self.encoding != "none":
            sentences = [lifted(sentence, self.encoding) for sentence in sentences]
        return train_labeller(
            sentences,
            encoder,
            self.labeller,
            size=self.tables.labels,
            seed=self.seed,
            bits=self.bits,
            progress=callback.stage,
            checkpoint=checkpoint,
        )

    def finish(self, trained: "Trained", training: "Training") -> None:
        """Make the weights small and what they are looked up for little."""
        from headwise.learners.callbacks import without_times
        from headwise.learners.plausiblearcs import narrowed
        from headwise.learners.quantising import faithfully_quantised

        tables, development = trained.tables, training.development
        if self.pruner_ is None:  # else there are few arcs left, and other work
            tables = replace(tables, plausible=narrowed(tables.plausible))
        self.tables_ = tables
        self.temperatures_ = UNFITTED
        if self.bits != 32:
            sample = (development or training.data).encoded
            self.tables_ = faithfully_quantised(
                tables, self.bits, self.search_with, sample, self.drop_up_to
            )
        self.report_ = {
            "epoch": trained.epoch,
            "history": without_times(trained.history),
            "weights": int(np.count_nonzero(self.tables_.weights)),
        }
        if development is not None:
            self.report_ |= development.scores(self.tables_)
            self.report_["dev_uas_32_bits"] = development.scores(trained.tables)["dev_uas"]

    def search(self) -> TreeSearch:
        if not hasattr(self, "tables_"):
            raise UsageError(NOT_FITTED)
        columns = self.report_.get("tag_columns", TAG_COLUMNS[self.tags])  # not in older models
        search = self.search_with(self.tables_, self.temperatures_)
        return replace(search, tag_columns=tuple(columns))

    def search_with(
        self, tables: WeightTables, temperatures: Temperatures = UNFITTED
    ) -> TreeSearch:
        """Weights at work."""
        atoms = self.feature_spec_.atoms
        if self.pruner_ is not None:
            atoms |= self.pruner_.scorer.features.atoms
        scorer = self.feature_spec_.scorer(tables)
        labeller = labeller_of(scorer, self.labeller_)
        if labeller is not None:
            atoms |= LABEL_ATOMS
            labeller = labeller.at(temperatures.relations)
        return TreeSearch(
            AtomEncoder(self.words, self.tags, atoms, self.reduction_),
            scorer,
            self.decoder == "projective",
            self.single_root_,
            temperatures,
            self.pruner_,
            labeller,
            self.encoding,
        )
