"""What trained classifiers say of a sentence: scores of the classes of every pair and context."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from headwise.errors import UsageError
from headwise.parsers.boosting.examples import (
    RARE,
    Columns,
    FeatureIndex,
    Ints,
    SentenceColumns,
    as_matrix,
)
from headwise.parsers.boosting.features import LEFT, NONE, RIGHT, Keys

Floats = NDArray[np.float64]
Weights = NDArray[np.float32]

LEAST = 1e-9
"""Classifiers that are not our own may say that something cannot be: it is as probable as this."""


class Classifier(Protocol):
    """Any classifier in scikit-learn's manners."""

    @property
    def classes_(self) -> Any:
        """The classes it has met, once it has learnt."""
        ...

    def fit(self, X: Any, y: Any, sample_weight: Any) -> Any:  # noqa: N803
        """Learn the classes of rows."""
        ...

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """The probabilities of the classes of rows, in the order of `classes_`."""
        ...


class Hypothesis(ABC):
    """All classifiers of a round."""

    __slots__ = ()

    @abstractmethod
    def scores(self, found: SentenceColumns) -> Floats:
        """Scores of classes, [view, count, tag, pair, class]; P is in proportion to exp of them."""

    @abstractmethod
    def first_odds(self, found: SentenceColumns) -> Floats:
        """What first modifiers add to the odds of links: [view, pair, token]."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearHypothesis(Hypothesis):
    """Weights [feature, class], the last row, for rare features, being 0.

    unseen: the scores of classes for pairs of tags that were never met.
    """

    weights: Weights
    unseen: Weights

    def scores(self, found: SentenceColumns) -> Floats:
        static = self.weights[found.static].sum(axis=1, dtype=np.float64)
        static[found.static[:, 0] == RARE] = self.unseen
        counts = self.weights[found.counts].astype(np.float64)
        scores: Floats = static + counts[:, :, None] + self.weights[found.previous][:, None]
        return scores

    def first_odds(self, found: SentenceColumns) -> Floats:
        scores = self.weights[found.firsts].sum(axis=3, dtype=np.float64)
        odds: Floats = np.stack([scores[0, ..., LEFT], scores[1, ..., RIGHT]]) - scores[..., NONE]
        return odds


@dataclass(frozen=True, slots=True, eq=False)
class LearntHypothesis(Hypothesis):
    """Classifiers of any kind: part k, of one pair of tags, has features from columns[k] on."""

    columns: Ints
    classifiers: Sequence[Classifier]
    unseen: Weights

    def scores(self, found: SentenceColumns) -> Floats:
        views, counts, pairs = found.counts.shape
        shape = (views, counts, found.previous.shape[1], pairs)
        scores = np.empty((*shape, 3))
        scores[:] = self.unseen
        bias = found.static[:, 0]
        parts = np.searchsorted(self.columns, bias, "right") - 1
        for part in np.unique(parts[bias != RARE]).tolist():
            own = np.flatnonzero((parts == part) & (bias != RARE))
            static = np.broadcast_to(found.static[own], (*shape[:3], *found.static[own].shape))
            dynamic = [
                np.broadcast_to(one, (*shape[:3], len(own)))[..., None]
                for one in (found.counts[:, :, None, own], found.previous[:, None, :, own])
            ]
            rows = np.concatenate([static, *dynamic], axis=-1)
            scores[..., own, :] = self.log_chances(part, rows)
        return scores

    def log_chances(self, part: int, rows: Columns) -> Floats:
        """Logarithms of the probabilities of the three classes; rows are in the last axis."""
        features = slice(int(self.columns[part]), int(self.columns[part + 1]))
        matrix = as_matrix(rows.reshape(-1, rows.shape[-1]), features)
        chances = three_chances(self.classifiers[part], matrix)
        return np.log(np.maximum(chances, LEAST)).reshape(*rows.shape[:-1], 3)

    def first_odds(self, found: SentenceColumns) -> Floats:
        """There are none to add: they need `link_score` odds, which are of linear models only."""
        raise UsageError("only our own classifiers look at first modifiers: use no other base")


def three_chances(classifier: Classifier, rows: csr_array) -> Floats:
    """The probabilities of the three classes; 0 of those that the classifier has not met."""
    chances = np.zeros((rows.shape[0], 3))
    chances[:, np.asarray(classifier.classes_, np.int64)] = classifier.predict_proba(rows)
    return chances


@dataclass(frozen=True, slots=True)
class OneClass:
    """Where all examples are of one class, there is nothing to learn."""

    classes_: NDArray[np.int64]

    def fit(self, X: Any, y: Any, sample_weight: Any) -> "OneClass":  # noqa: ARG002, N803, RUF100
        """Nothing to do."""
        return self

    def predict_proba(self, X: csr_array) -> Floats:  # noqa: N803
        """It is certain."""
        return np.ones((X.shape[0], 1))


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble(Hypothesis):
    """The mean of what hypotheses say, by their votes."""

    hypotheses: Sequence[Hypothesis]
    votes: Sequence[float]

    def scores(self, found: SentenceColumns) -> Floats:
        every = [one.scores(found) for one in self.hypotheses]
        return np.average(every, axis=0, weights=self.votes)

    def first_odds(self, found: SentenceColumns) -> Floats:
        every = [one.first_odds(found) for one in self.hypotheses]
        return np.average(every, axis=0, weights=self.votes)


def combined(hypotheses: Sequence[Hypothesis], votes: Sequence[float]) -> Hypothesis:
    """Hypotheses as one; those of weights come to weights again."""
    linear = [one for one in hypotheses if isinstance(one, LinearHypothesis)]
    if len(linear) < len(hypotheses):
        return Ensemble(hypotheses, votes)
    mean = np.average([one.weights for one in linear], axis=0, weights=votes)
    return LinearHypothesis(mean.astype(np.float32), linear[0].unseen)


def used_only(keys: Keys, tags: Columns, hypothesis: Hypothesis) -> tuple[FeatureIndex, Hypothesis]:
    """A hypothesis without features that have no weight, and the index of those left.

    `tags` are the features of pairs of tags: they are kept, for they tell which were ever met.
    """
    if not isinstance(hypothesis, LinearHypothesis):
        return FeatureIndex.of(keys), hypothesis
    used = np.asarray(hypothesis.weights[:-1].any(axis=1))
    used[tags] = True
    order = np.argsort(keys[used])
    rows = np.append(np.flatnonzero(used)[order], len(keys))  # the last row is that of RARE
    weights = hypothesis.weights[rows]
    return FeatureIndex.of(keys[used][order]), LinearHypothesis(weights, hypothesis.unseen)
