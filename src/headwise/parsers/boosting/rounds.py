"""Boosting as a generator of rounds; whoever consumes them logs, scores, saves or stops."""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from headwise.errors import UsageError, warn
from headwise.parsers.boosting.classifier import LinkClassifier
from headwise.parsers.boosting.examples import FeatureIndex, Ints, Labels, LinkExamples
from headwise.parsers.boosting.features import NONE, link_labels
from headwise.parsers.boosting.hypotheses import (
    Classifier,
    Floats,
    Hypothesis,
    LearntHypothesis,
    LinearHypothesis,
    OneClass,
    Weights,
    combined,
)
from headwise.parsers.boosting.otherclassifiers import weights_of
from headwise.parsers.boosting.reweighting import rule_of
from headwise.parsers.boosting.search import BoostedSearch
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.processes.pools import in_threads
from headwise.scoring.linear.atoms import AtomEncoder, EncodedSentences

TRAINING = 0.7
"""The share of a round that training takes, the rest being parsing: for those who look on."""

Tell = Callable[[float], None]
"""Is told how much of a round is done, from 0 to 1."""


@dataclass(eq=False)
class BoostingState:
    """How far boosting has come. What it does from here on depends on nothing else.

    identity: what must be the same for it to go on from a checkpoint.
    ended: a hypothesis was no better than chance, or had no errors.
    examples: what the rule of boosting remembers of them.
    """

    identity: dict[str, Any] = field(default_factory=dict)
    votes: tuple[float, ...] = ()
    history: tuple[dict[str, Any], ...] = ()
    ended: bool = False
    examples: Floats = field(init=False)
    hypotheses: list[Hypothesis] = field(init=False, default_factory=list)

    def check(self) -> None:
        if len(self.votes) != len(self.history) or (self.ended and not self.votes):
            raise UsageError("votes and history must be of the same rounds")
        if not all(0 < vote < inf for vote in self.votes):
            raise UsageError("votes must be above 0")


@dataclass(frozen=True, slots=True, eq=False)
class Boosting:
    """Boosting of link classifiers on a treebank, with a base learner that is not changed."""

    settings: BoostingSettings
    base: Classifier
    encoder: AtomEncoder
    encoded: EncodedSentences
    examples: LinkExamples
    index: FeatureIndex
    single_root: bool
    jobs: int = 1

    def start(self, identity: dict[str, Any]) -> BoostingState:
        """Boosting before its first round."""
        state = BoostingState(identity)
        state.examples = rule_of(self.settings).start(len(self.examples.labels))
        return state

    def rounds(self, state: BoostingState, tell: Tell) -> Iterator[dict[str, Any]]:
        """Train and parse, round after round; what each has come to. The state is changed."""
        while len(state.hypotheses) < self.settings.rounds and not state.ended:
            weights = rule_of(self.settings).weights(state.examples)
            before = state.hypotheses[-1] if state.hypotheses else None
            hypothesis, objective = self.train(weights, before, len(state.hypotheses) + 1, tell)
            found = self.parse(hypothesis, tell)
            yield self.end_round(state, hypothesis, found) | {"loss": objective}

    def train(
        self, weights: Floats, before: Hypothesis | None, number: int, tell: Tell
    ) -> tuple[Hypothesis, float]:
        """The classifiers of all pairs of tags, and the objective they have come to."""
        trained = []
        sizes = np.diff(self.examples.rows)
        done = np.cumsum(sizes) / sizes.sum()
        start = before.weights if isinstance(before, LinearHypothesis) else None
        parts = range(self.examples.parts)
        for part, one in enumerate(
            in_threads(lambda part: self.train_part(part, weights, start), parts, self.jobs)
        ):
            trained.append(one)
            tell(TRAINING * float(done[part]))
        own = [one for one in trained if isinstance(one, LinkClassifier)]
        if not isinstance(self.base, LinkClassifier):
            return self.hypothesis_of(trained), 0.0
        warn_of_slopes(own, number)
        rows = [one.coef_.T for one in own] + [np.zeros((1, 3))]
        linear = LinearHypothesis(np.concatenate(rows).astype(np.float32), self.unseen)
        return linear, sum(one.objective_ for one in own)

    def hypothesis_of(self, trained: Sequence[Classifier]) -> Hypothesis:
        """Classifiers of another kind as weights, if they can be that."""
        rows: list[Floats] = []
        for part, classifier in enumerate(trained):
            first = self.examples.pairs(part)[0]
            constant = self.examples.static[first, 0] - self.examples.columns[part]
            own = weights_of(classifier, self.examples.matrix(part), int(constant))
            if own is None:
                return LearntHypothesis(self.examples.columns, trained, self.unseen)
            rows.append(own)
        weights = np.concatenate([*rows, np.zeros((1, 3))])
        return LinearHypothesis(weights.astype(np.float32), self.unseen)

    @property
    def unseen(self) -> Weights:
        """The scores of classes for tags that never met: their shares among all pairs."""
        counts = np.bincount(self.examples.labels, minlength=3)
        shares = (counts + 1) / (counts.sum() + 3)
        unseen: Weights = np.log(shares).astype(np.float32)
        return unseen

    def train_part(self, part: int, weights: Floats, start: Weights | None) -> Classifier:
        """The classifier of one pair of tags."""
        pairs = self.examples.pairs(part)
        matrix, labels = self.examples.matrix(part), self.examples.labels[pairs]
        own_weights = weights[pairs] / self.examples.views  # together they count as one pair
        classifier = copy.deepcopy(self.base)
        if isinstance(classifier, LinkClassifier):
            own = None if start is None else start[self.examples.features(part)].T
            return classifier.fit(matrix, labels, own_weights, start=own)
        if (labels == labels[0]).all():
            return OneClass(labels[:1].astype(np.int64))
        classifier.fit(matrix, labels, sample_weight=own_weights)
        return classifier

    def search(self, hypothesis: Hypothesis) -> BoostedSearch:
        """A hypothesis at work."""
        return BoostedSearch(self.settings, self.encoder, self.index, hypothesis, self.single_root)

    def parse(self, hypothesis: Hypothesis, tell: Tell) -> Labels:
        """The classes of all pairs under the trees that a hypothesis leads the parser to."""
        search = self.search(hypothesis)

        def labels_of(number: int) -> Labels:
            return link_labels(best_heads(search, self.encoded, number))

        count = len(self.encoded)
        found = []
        for number, labels in enumerate(in_threads(labels_of, range(count), self.jobs), 1):
            found.append(labels)
            tell(TRAINING + (1 - TRAINING) * number / count)
        return np.concatenate(found)

    def end_round(
        self, state: BoostingState, hypothesis: Hypothesis, found: Labels
    ) -> dict[str, Any]:
        """Weight examples again, and say how good the hypothesis is. The state is changed."""
        gold = self.examples.labels
        state.examples, vote = rule_of(self.settings).after(
            state.examples, gold, found, self.settings.step
        )
        links = gold != NONE
        wrong = found != gold
        state.ended = vote == 0.0 or not wrong.any()
        if vote > 0.0 or not state.hypotheses:
            state.hypotheses.append(hypothesis)
            state.votes += (vote or 1.0,)
        return {
            "epoch": len(state.hypotheses),
            "vote": vote,
            "wrong_pairs": 100.0 * float(wrong.mean()),
            "train_uas": 100.0 * float((~wrong)[links].mean()),
        }

    def kept(self, state: BoostingState, rounds: int) -> Hypothesis:
        """What parses after a number of rounds: the last hypothesis, or all of them."""
        if self.settings.keep == "last":
            return state.hypotheses[rounds - 1]
        return combined(state.hypotheses[:rounds], state.votes[:rounds])


def best_heads(search: BoostedSearch, encoded: EncodedSentences, number: int) -> Ints:
    """The heads of one of some sentences in its best tree."""
    return search.decoder.best(search.scores_of(encoded.sentence(number))).heads


def warn_of_slopes(classifiers: Sequence[LinkClassifier], number: int) -> None:
    """Warn of classifiers whose training did not come to its end."""
    restless = [one for one in classifiers if not one.converged_]
    if restless:
        steepest = max(one.slope_ for one in restless)
        warn(
            f"round {number}: the classifiers of {len(restless)} of {len(classifiers)} pairs of "
            f"tags did not come to rest in {restless[0].steps} steps (the steepest slope left is "
            f"{steepest:.3g}); what they reached is kept: raise steps, or the tolerance"
        )
