"""Learners of arcs and labels together: first-order search over labelled trees.

A labelled tree is the best one if its heads are, each arc being worth what its best label makes it.
What a word costs under the labelled loss, it costs for a wrong head or a wrong label alike.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.labels.arcs import ArcLabels
from headwise.learners.base import Example, Learner
from headwise.learners.mira import Mira, smallest_step
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.labelledscorer import LabelledArcScorer
from headwise.scoring.linear.labels import Labels
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.scores import Scores, add_cost

Floats = NDArray[np.float64]


class LabelledTree(NamedTuple):
    """Heads and labels of a sentence, and their score."""

    heads: HeadsArray
    labels: Labels
    score: float


@dataclass(frozen=True)
class _Problem:
    """A sentence with the scores of its arcs and of their labels."""

    example: Example
    scorer: LabelledArcScorer
    arc: Floats
    found: ArcLabels

    @classmethod
    def of(cls, example: Example) -> "_Problem":
        scorer = example.scorer
        assert isinstance(scorer, LabelledArcScorer)
        assert example.labels is not None
        found = scorer.labels_of(example.tokens, example.gold, example.labels)
        return cls(example, scorer, example.scores.arc, found)

    @property
    def gold_score(self) -> float:
        """The score of the gold tree with its gold labels."""
        gold, words = self.example.gold[1:], np.arange(1, len(self.arc))
        return float(self.arc[gold, words].sum() + self.found.gold[1:].sum())

    def best(
        self, decoder: Decoder, k: int, costs: Floats, label_costs: Floats
    ) -> list[LabelledTree]:
        """The best trees when wrong heads and wrong labels gain what they cost."""
        gold, words = self.example.gold[1:], np.arange(1, len(self.arc))
        of_label, label = self.found.score.copy(), self.found.label.copy()
        rival = self.found.rival[1:] + label_costs[1:]
        wins = rival > self.found.gold[1:]
        of_label[gold, words] = np.where(wins, rival, self.found.gold[1:])
        right = self.example.labels[1:]  # type: ignore[index]
        label[gold, words] = np.where(wins, self.found.rival_label[1:], right)
        searched = add_cost(Scores(self.arc + of_label), self.example.gold, costs)
        trees = [decoder.best(searched)] if k == 1 else decoder.kbest(searched, k)
        return [self.labelled(tree.heads, label) for tree in trees]

    def labelled(self, heads: HeadsArray, label: NDArray[np.int32]) -> LabelledTree:
        """A tree under the labels that were chosen for its arcs, and its score without costs."""
        words = np.arange(1, len(heads))
        labels = np.full(len(heads), -1, np.int32)
        labels[1:] = label[heads[1:], words]
        is_gold = heads[1:] == self.example.gold[1:]
        right = is_gold & (labels[1:] == self.example.labels[1:])  # type: ignore[index]
        of_label = self.found.score[heads[1:], words]
        of_label = np.where(is_gold, self.found.rival[1:], of_label)
        of_label = np.where(right, self.found.gold[1:], of_label)
        return LabelledTree(heads, labels, float((self.arc[heads[1:], words] + of_label).sum()))

    def cost(self, tree: LabelledTree, costs: Floats, label_costs: Floats) -> float:
        """What a labelled tree costs."""
        heads = tree.heads != self.example.gold
        labels = ~heads & (tree.labels != self.example.labels)
        tree_cost = self.example.tree_cost * bool(heads.any())
        return float(costs[heads].sum() + label_costs[labels].sum()) + tree_cost


@dataclass
class JointMira(Mira):
    """k-best MIRA over labelled trees. The labelled loss counts wrong labels, too."""

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Move the weights so that the k best labelled trees fall behind."""
        problem = _Problem.of(example)
        costs = example.costs
        label_costs = costs if self.loss == "labelled" else np.zeros_like(costs)
        if self.augmented:
            trees = problem.best(example.decoder, self.k, costs, label_costs)
        else:
            none = np.zeros_like(costs)
            trees = problem.best(example.decoder, self.k, none, none)
        losses = np.array([problem.cost(tree, costs, label_costs) for tree in trees])
        missing = losses - [problem.gold_score - tree.score for tree in trees]
        if (missing > 0).any():
            rows = _differences(problem, trees)
            weights.add(rows.slots, smallest_step(rows, missing, self.c))
        return float(losses[0])


@dataclass
class JointPerceptron(Learner):
    """The perceptron over labelled trees."""

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """One update for every wrong head and label of the best labelled tree."""
        problem = _Problem.of(example)
        none = np.zeros_like(example.costs)
        trees = problem.best(example.decoder, 1, none, none)
        rows = _differences(problem, trees)
        weights.add(rows.slots, rows.value)
        return problem.cost(trees[0], example.costs, none)


def _differences(problem: _Problem, trees: list[LabelledTree]) -> SparseRows:
    """The features of the labelled gold tree less those of each of some trees."""
    example = problem.example
    assert example.labels is not None
    return problem.scorer.labelled_differences(
        example.tokens,
        example.gold,
        example.labels,
        np.stack([tree.heads for tree in trees]),
        np.stack([tree.labels for tree in trees]),
    )
