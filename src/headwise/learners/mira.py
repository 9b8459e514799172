"""Large-margin learners: k-best MIRA and factored MIRA (paper 000, section 2.3).

After each sentence the weights move as little as they can so that the gold tree wins by a margin:

    minimise ‖w' - w‖²   subject to   s(gold) - s(tree) ≥ cost(tree)   for each of the k best trees

or, factored, for every word and every wrong head of it:

    s(gold head, m) - s(h, m) ≥ cost of m
"""

from dataclasses import dataclass

import numpy as np

from headwise.errors import UsageError
from headwise.kernels.arcs.sparse import hildreth
from headwise.learners.base import Example, Memoryless
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.scorer import ArcScorer
from headwise.search.decoders.base import Decoder
from headwise.search.scores import add_cost

PASSES = 50
"""Hildreth's algorithm goes over the constraints at most so often …"""

TOLERANCE = 1e-4
"""… or until none is missed by more than this."""


@dataclass(frozen=True)
class Mira(Memoryless):
    """k-best MIRA. With k = 1, one step of Hildreth's algorithm is the closed form.

    `most` bounds how far one constraint moves the weights (C). With `augmented`, the k best trees
    are those under score plus cost: the ones that violate the margin most.
    """

    decoder: Decoder
    k: int = 1
    most: float = 1.0
    augmented: bool = True

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Move the weights so that the k best trees fall behind."""
        scores = example.scores
        searched = add_cost(scores, example.gold, example.costs) if self.augmented else scores
        if self.k == 1:
            trees = self.decoder.best(searched).heads[None]
        else:
            trees = np.stack([tree.heads for tree in self.decoder.kbest(searched, self.k)])
        costs = np.array([example.cost(tree) for tree in trees])
        if costs.any():
            gold = scores.of_tree(example.gold)
            missing = costs - [gold - scores.of_tree(tree) for tree in trees]
            rows = example.differences(trees)
            values, _ = hildreth(rows, missing, self.most, PASSES, TOLERANCE)
            weights.add(rows.slots, values)
        return float(costs[0])


@dataclass(frozen=True)
class FactoredMira(Memoryless):
    """A margin for every word and every wrong head of it: O(n²) constraints, and no search."""

    most: float = 1.0

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Move the weights so that every wrong head falls behind."""
        arc, gold, costs = example.scores.arc, example.gold, example.costs
        scorer = example.scorer
        if not isinstance(scorer, ArcScorer):
            raise UsageError("factored MIRA knows arcs only: choose another learner, or order 1")
        arcs, rows = scorer.rivals(example.tokens, gold, arc, costs)
        if not len(arcs.row):
            return 0.0
        rivals, modifiers = arcs.head[1::2], arcs.modifier[1::2]
        missing = costs[modifiers] - arc[gold[modifiers], modifiers] + arc[rivals, modifiers]
        values, _ = hildreth(rows, missing, self.most, PASSES, TOLERANCE)
        weights.add(rows.slots, values)
        return float(costs[np.unique(modifiers)].sum())
