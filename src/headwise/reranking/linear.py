"""LinearReranker: a linear model that ranks candidate trees and gives their probabilities."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from headwise.errors import InputError, SourceLocation, UsageError, quoted, warn
from headwise.progress import Progress, silent
from headwise.reranking.learners import (
    Mistakes,
    RankingData,
    RerankerSettings,
    learn_from_mistakes,
    learn_log_linear,
    learn_svm,
)
from headwise.reranking.rows import Candidates, FeatureRows, Features, Floats, Ints, T, Vocabulary
from headwise.search.probabilities import candidate_probabilities
from headwise.storage.storedsettings import LARGEST_FACTOR, SMALLEST_FACTOR

ALL_LABELS: frozenset[str] = frozenset()
"""Of rerankers trained without recording labels: all are accepted."""


class KnowsLabels:
    """A reranker that has met some labels.

    Learned: `labels_` of the trees, if recorded; others have no weight.
    """

    labels_: frozenset[str]
    warned_ = False

    def check_labels(
        self, labels: Iterable[str], location: SourceLocation, *, strict: bool = False
    ) -> None:
        """Warn once of labels that were not in the training data; raise if `strict`."""
        unknown = sorted(set(labels) - self.labels_)
        if not self.labels_ or not unknown or (self.warned_ and not strict):
            return
        (nearest,) = difflib.get_close_matches(unknown[0], sorted(self.labels_), 1, cutoff=0)
        message = (
            f"the label {quoted(unknown[0])} is not in the reranker's training data (most "
            f"similar: {quoted(nearest)})"
        )
        if strict:
            raise InputError(
                f"{message}: candidates need the labels that it was trained on", location
            )
        self.warned_ = True
        warn(f"{message}: such labels have no weight, and will not be reported again", location)


@dataclass(eq=False, repr=False)
class LinearReranker(RerankerSettings, KnowsLabels, Generic[T]):
    """Ranks candidates by weights of features of whole trees: functions of a tree, by name.

    Learned: `vocabulary_`; `unit_` of scores; `weights_`, or for the voted perceptron `steps_`, one
    vector per update, and `votes_` of the weights before the first update, after it, and so on.
    `scale_` of the scores for probabilities, 1 until it is tuned; votes need none.
    """

    features: Mapping[str, Features[T]]

    def fit(
        self,
        lists: Sequence[Candidates[T]],
        gold: Sequence[T],
        loss: Callable[[T, T], float],
        progress: Progress = silent,
    ) -> "LinearReranker[T]":
        """Train on candidate lists and gold trees; `loss` takes a candidate and the gold tree.

        The lists must come from parsers that did not learn from these trees (jackknifing).
        `progress` is called with the number of lists, or optimisation steps, done.
        """
        self.check()
        if not lists or len(lists) != len(gold):
            raise UsageError(f"{len(lists)} candidate lists for {len(gold)} gold trees")
        if all(len(one.trees) == 1 for one in lists):
            raise UsageError(
                "every list has a single candidate, so there is nothing to choose from: make lists "
                "of the k best trees, with headwise rerank jackknife"
            )
        self.scale_, self.labels_ = 1.0, ALL_LABELS
        self.unit_ = unit_of(lists)
        functions = list(self.features.values())
        wide = Vocabulary()
        rows = [wide.rows(one, functions, self.unit_, learn=True) for one in lists]
        self.vocabulary_, rows = wide.reduced(rows, self.least)
        if len(self.vocabulary_) == 1:
            warn(
                f"no feature distinguishes the candidates of {self.least} lists or more: the score "
                "of the parser alone decides; lower `least` (--least), or give more lists"
            )
        losses = [
            np.array([loss(tree, right) for tree in one.trees], np.float64)
            for one, right in zip(lists, gold, strict=True)
        ]
        self.learn(RankingData.of(rows, losses, len(self.vocabulary_)), progress)
        return self

    def learn(self, data: RankingData, progress: Progress) -> None:
        """Learn from vectors."""
        if self.learner == "log-linear":
            self.weights_ = learn_log_linear(data, self, progress)
            return
        if self.learner == "svm":
            self.weights_ = learn_svm(data, self, progress)
            return
        margin = self.learner == "large-margin"
        weights, mistakes, votes = learn_from_mistakes(data, self, progress, margin=margin)
        if self.learner == "voted":
            self.steps_ = steps_of(data.rows, mistakes)
            self.votes_ = np.array(votes, np.int64)
        else:
            self.weights_ = weights

    def rows(self, candidates: Candidates[T]) -> FeatureRows:
        """The feature vectors of a list."""
        if not hasattr(self, "vocabulary_"):
            raise UsageError("this reranker is not fitted; call fit() or load a model")
        return self.vocabulary_.rows(candidates, list(self.features.values()), self.unit_)

    def scores(self, candidates: Candidates[T]) -> Floats:
        """The scores of candidates; of a voted perceptron, their votes."""
        rows = self.rows(candidates)
        if self.learner == "voted":
            return self.ballots(rows)
        return rows.dot(self.weights_)

    def probabilities(self, candidates: Candidates[T]) -> Floats:
        """The probability of each candidate: softmax of scale · score, or its share of votes."""
        found = self.scores(candidates)
        if self.learner == "voted":
            return np.asarray(found / found.sum())
        return candidate_probabilities(found, self.scale_)

    def ballots(self, rows: FeatureRows) -> Floats:
        """The number of votes of each candidate from all intermediate perceptrons."""
        size = len(self.vocabulary_)
        gains = (self.steps_.matrix(size) @ rows.matrix(size).T).toarray()
        scores = rows.values[rows.starts[:-1]]  # of column 0, which every vector has
        winners = np.argmax(scores + np.cumsum(np.vstack([np.zeros(len(rows)), gains]), 0), 1)
        return np.bincount(winners, weights=self.votes_, minlength=len(rows)).astype(np.float64)


def unit_of(lists: Sequence[Candidates[T]]) -> float:
    """A typical difference of scores: the mean between the best of a list and the others.

    Of differences beyond what a model may store, the nearest that it may.
    """
    gaps = np.concatenate([np.max(one.scores) - np.asarray(one.scores) for one in lists])
    typical = float(gaps[gaps > 0].mean()) if (gaps > 0).any() else 1.0
    return min(max(typical, SMALLEST_FACTOR), LARGEST_FACTOR)


def steps_of(rows: FeatureRows, mistakes: Mistakes) -> FeatureRows:
    """The update vectors: the correct candidate's features minus the wrong one's."""
    if not mistakes:
        empty: Ints = np.zeros(0, np.int64)
        return FeatureRows(np.zeros(1, np.int64), empty, np.zeros(0))
    parts = []
    for right, wrong, _ in mistakes:
        columns, values = rows.difference(right, wrong)
        parts.append(FeatureRows(np.array([0, len(columns)]), columns, values))
    return FeatureRows.joined(parts)
