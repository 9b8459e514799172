"""BoostedParser: link classifiers that are trained again on what the parser got wrong."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import one_root
from headwise.errors import InputError, UsageError
from headwise.learners.callbacks import TrainingCallback, without_times
from headwise.learners.crossing import projective_heads
from headwise.learners.data import check_tree
from headwise.parameters import flag
from headwise.parsers.base import NOT_FITTED, TrainingInputs
from headwise.parsers.boosting.classifier import LinkClassifier
from headwise.parsers.boosting.examples import FeatureIndex, link_examples
from headwise.parsers.boosting.hypotheses import Classifier, Hypothesis, LinearHypothesis, used_only
from headwise.parsers.boosting.otherclassifiers import is_linear
from headwise.parsers.boosting.rounds import Boosting, BoostingState
from headwise.parsers.boosting.search import BoostedSearch, encoder_of
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.boosting.training import RoundTraining, check_rounds
from headwise.parsers.unlabelled import UnlabelledParser, learnt_from


@dataclass(kw_only=True, eq=False)
class BoostedParser(BoostingSettings, UnlabelledParser):
    """A parser of local link classifiers, boosted by its own errors."""

    kind = "boosting"
    uses = frozenset({"log"})

    index_: FeatureIndex = field(init=False, repr=False)
    hypothesis_: Hypothesis = field(init=False, repr=False)
    single_root_: bool = field(init=False, repr=False)

    def fit(
        self,
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        base: Classifier | None = None,
        jobs: int = 1,
        checkpoint: Path | None = None,
        resume: bool = False,
        callback: TrainingCallback | None = None,
    ) -> "BoostedParser":
        """Learn from gold trees, round by round; the best round on `dev` is kept, or the last.

        Crossing arcs are lifted first. `base` is a classifier in scikit-learn's manners, with
        sample weights, in the place of our own or of the one that the setting names; what it learns
        can be saved if it is linear.
        """
        self.check()
        resume = flag("resume", resume)
        base = base if base is not None else self.classifier()
        self.check_base(base, checkpoint)
        given = list(all_sentences(sentences))
        dev = None if dev is None else list(all_sentences(dev))
        kept = learnt_from(given, self.longest)
        self.check_tags(kept)
        for sentence in dev or ():
            check_tree(sentence)
        boosting = self.boosting(kept, base, jobs)
        training = RoundTraining(
            boosting,
            dev,
            len(given) - len(kept),
            checkpoint,
            callback or TrainingCallback(),
        )
        state, best = training.run(resume=resume)
        self.single_root_ = boosting.single_root
        self.index_, self.hypothesis_ = used_only(
            boosting.examples.keys, boosting.examples.static[:, 0], boosting.kept(state, best)
        )
        self.report_ = self.report(boosting, state, best) | {
            "sentences": len(kept),
            "words": boosting.encoded.words,
            "left_out": training.left_out,
        }
        return self

    def fit_from(self, inputs: TrainingInputs) -> "BoostedParser":
        """Train for a model that will be saved: what cannot be saved is refused first."""
        self.check()
        if self.base:
            self.check_base(self.classifier(), inputs.checkpoint or Path())
        return super().fit_from(inputs)

    @property
    def has_jobs(self) -> bool:
        """Classifiers are trained in threads."""
        return True

    def check_treebank(self, sentences: Sequence[Sentence], *, own_tags: bool) -> None:
        """Raise if there are no tags, and no tagger that gives some."""
        if not own_tags:
            self.check_tags(sentences)

    def check_progress(self, checkpoint: Path, done: Mapping[str, Any]) -> None:
        if "votes" in done:
            check_rounds(checkpoint, len(done["votes"]), self.rounds)

    def summary(self) -> str:
        report = self.report_
        rounds = f"round {report['round']} of {report['rounds']}"
        size = (
            f"{report['pairs']:,} pairs of words, {report['tag_pairs']:,} classifiers, "
            f"{report['features']:,} features, {report['weights']:,} weights"
        )
        return ", ".join([rounds, *self.dev_summary(), size])

    def boosting(self, kept: Sequence[Sentence], base: Classifier, jobs: int) -> Boosting:
        """What is boosted: all pairs of words of a treebank."""
        encoder = encoder_of(self)
        encoded = encoder.encode(kept)
        trees = [projective_heads(sentence) for sentence in kept]
        single_root = one_root(self.single_root, trees)
        examples = link_examples(encoded, [np.array(tree, np.int64) for tree in trees], self)
        index = FeatureIndex.of(examples.keys)
        return Boosting(self, base, encoder, encoded, examples, index, single_root, jobs)

    def check_base(self, base: Classifier, checkpoint: Path | None) -> None:
        """Raise if a base learner of another kind cannot do what is asked."""
        if isinstance(base, LinkClassifier):
            return
        for name in ("fit", "predict_proba"):
            if not callable(getattr(base, name, None)):
                raise UsageError(f"the base learner has no method {name}")
        if checkpoint is not None and not is_linear(base):
            raise UsageError(
                "what this base learner learns cannot be saved: models hold numbers, and no code; "
                "choose one that is linear and whose probabilities are the softmax of its scores"
            )
        if self.grandchildren:
            raise UsageError("grandchildren need the classifier of Headwise: give no base learner")

    def check_tags(self, sentences: Sequence[Sentence]) -> None:
        """Raise if there are no tags."""
        names = ("upos", "xpos") if self.tags == "both" else (self.tags,)
        tags = (tag for one in sentences for name in names for tag in getattr(one, name))
        if all(tag == MISSING for tag in tags):
            named = " or ".join(name.upper() for name in names)
            raise InputError(f"there are no {named} tags to learn from", sentences[0].location)

    def report(self, boosting: Boosting, state: BoostingState, best: int) -> dict[str, Any]:
        """What came out, for the card."""
        examples = boosting.examples
        record = state.history[best - 1]
        found = {
            "round": best,
            "rounds": len(state.hypotheses),
            "pairs": len(examples.labels),
            "tag_pairs": examples.parts,
            "features": len(examples.keys),
            "history": without_times(state.history),
        }
        if isinstance(self.hypothesis_, LinearHypothesis):
            found["weights"] = int(np.count_nonzero(self.hypothesis_.weights))
        return found | {key: record[key] for key in ("dev_uas", "dev_undirected") if key in record}

    def search(self) -> BoostedSearch:
        if not hasattr(self, "hypothesis_"):
            raise UsageError(NOT_FITTED)
        return BoostedSearch(
            self, encoder_of(self), self.index_, self.hypothesis_, self.single_root_
        )
