"""LinearReranker: learns from candidate lists, and says how probable candidates are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

import numpy as np

from headwise.errors import UsageError
from headwise.progress import Progress, silent
from headwise.reranking.labels import ALL_LABELS
from headwise.reranking.learners import (
    Learning,
    Mistakes,
    RankingData,
    learn_from_mistakes,
    learn_log_linear,
)
from headwise.reranking.rows import Candidates, Features, Floats, Ints, Rows, T, Vocabulary
from headwise.search.probabilities import candidate_probabilities
from headwise.storage.settings import LARGEST_INT, MOST_EPOCHS, check_counts, check_types

LEARNERS = ("log-linear", "perceptron", "voted", "large-margin")


class LinearReranker(Generic[T]):
    """Ranks candidates by weights of features of whole trees.

    Learned: `vocabulary_`; `unit_` of scores; `weights_`, or for the voted perceptron `steps_`, one
    vector a change, and `votes_` of the weights before the first change, after it, and so on.
    `scale_` of the scores, for probabilities, is 1 until it is set; votes need none. `labels_` of
    the trees, if they were noted: other trees are refused then.
    """

    def __init__(
        self,
        features: Mapping[str, Features[T]],
        *,
        learner: str = "log-linear",
        epochs: int = 10,
        least: int = 5,
        most: float = 0.01,
        prior: float = 5.0,
        seed: int = 0,
    ) -> None:
        """Functions of a tree by name, and how to learn.

        A feature counts if it tells apart candidates of `least` lists. most: the bound of a step
        (large-margin); prior: how strongly weights are drawn to 0 (log-linear).
        """
        self.features = dict(features)
        self.learner = learner
        self.epochs = epochs
        self.least = least
        self.most = most
        self.prior = prior
        self.seed = seed

    def fit(
        self,
        lists: Sequence[Candidates[T]],
        gold: Sequence[T],
        loss: Callable[[T, T], float],
        progress: Progress = silent,
    ) -> "LinearReranker[T]":
        """Learn from lists and the right trees; `loss` is of a candidate and the right tree.

        The lists must come from parsers that did not learn from these trees (jackknifing).
        `progress` is told how many lists, or steps of optimisation, are done.
        """
        self.check()
        if not lists or len(lists) != len(gold):
            raise UsageError(f"{len(lists)} candidate lists and {len(gold)} right trees")
        self.scale_, self.labels_ = 1.0, ALL_LABELS
        self.unit_ = unit_of(lists)
        functions = list(self.features.values())
        wide = Vocabulary()
        rows = [wide.rows(one, functions, self.unit_, learn=True) for one in lists]
        self.vocabulary_, rows = wide.reduced(rows, self.least)
        losses = [
            np.array([loss(tree, right) for tree in one.trees], np.float64)
            for one, right in zip(lists, gold, strict=True)
        ]
        self.learn(RankingData.of(rows, losses, len(self.vocabulary_)), progress)
        return self

    def check(self) -> None:
        """Raise if a parameter has no meaning."""
        check_types(self)
        if self.learner not in LEARNERS:
            known = ", ".join(LEARNERS)
            raise UsageError(f"there is no learner {self.learner!r}; there are {known}")
        if min(self.epochs, self.least) < 1 or not self.most > 0 or not self.prior >= 0:
            raise UsageError("epochs and least are 1 or more, most is above 0, the prior 0 or more")
        check_counts(self, {"epochs": (1, MOST_EPOCHS), "seed": (0, LARGEST_INT)})

    def learn(self, data: RankingData, progress: Progress) -> None:
        """Learn from vectors."""
        learning = Learning(self.epochs, self.most, self.prior, self.seed)
        if self.learner == "log-linear":
            self.weights_ = learn_log_linear(data, learning, progress)
            return
        margin = self.learner == "large-margin"
        weights, mistakes, votes = learn_from_mistakes(data, learning, progress, margin=margin)
        if self.learner == "voted":
            self.steps_ = steps_of(data.rows, mistakes)
            self.votes_ = np.array(votes, np.int64)
        else:
            self.weights_ = weights

    def rows(self, candidates: Candidates[T]) -> Rows:
        """The vectors of a list."""
        if not hasattr(self, "vocabulary_"):
            raise UsageError("this reranker has learnt nothing yet: call fit, or load a model")
        return self.vocabulary_.rows(candidates, list(self.features.values()), self.unit_)

    def scores(self, candidates: Candidates[T]) -> Floats:
        """The scores of candidates; of a voted perceptron, their votes."""
        rows = self.rows(candidates)
        if self.learner == "voted":
            return self.ballots(rows)
        return rows.dot(self.weights_)

    def probabilities(self, candidates: Candidates[T]) -> Floats:
        """A probability for each candidate: exp(scale · score), normalised, or its votes' share."""
        found = self.scores(candidates)
        if self.learner == "voted":
            return np.asarray(found / found.sum())
        return candidate_probabilities(found, self.scale_)

    def ballots(self, rows: Rows) -> Floats:
        """How many votes each candidate gets of all perceptrons that there have been."""
        from scipy.sparse import csr_array

        used, places = np.unique(rows.columns, return_inverse=True)
        table = np.zeros((len(used), len(rows)))
        table[places, np.repeat(np.arange(len(rows)), np.diff(rows.starts))] = rows.values
        column = np.full(len(self.vocabulary_), -1)
        column[used] = np.arange(len(used))
        steps = self.steps_
        column = column[steps.columns]
        shared = column >= 0  # what no candidate has changes nothing
        owner = np.repeat(np.arange(len(steps)), np.diff(steps.starts))[shared]
        shape = (len(steps), len(used))
        found: Any = csr_array((steps.values[shared], (owner, column[shared])), shape=shape)
        gains: Floats = found @ table
        winners = np.argmax(table[0] + np.cumsum(np.vstack([np.zeros(len(rows)), gains]), 0), 1)
        return np.bincount(winners, weights=self.votes_, minlength=len(rows)).astype(np.float64)


def unit_of(lists: Sequence[Candidates[T]]) -> float:
    """A usual distance of scores: between the best of a list and the others."""
    gaps = np.concatenate([np.max(one.scores) - np.asarray(one.scores) for one in lists])
    return float(gaps[gaps > 0].mean()) if (gaps > 0).any() else 1.0


def steps_of(rows: Rows, mistakes: Mistakes) -> Rows:
    """The vectors by which weights were changed: the right candidate's less the wrong one's."""
    if not mistakes:
        empty: Ints = np.zeros(0, np.int64)
        return Rows(np.zeros(1, np.int64), empty, np.zeros(0))
    parts = []
    for right, wrong, _ in mistakes:
        (x, p), (y, q) = rows.row(right), rows.row(wrong)
        columns, places = np.unique(np.concatenate([x, y]), return_inverse=True)
        values = np.bincount(places, weights=np.concatenate([p, -q])).astype(np.float64)
        parts.append(Rows(np.array([0, len(columns)]), columns, values))
    return Rows.joined(parts)
