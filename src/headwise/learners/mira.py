"""Large-margin learners: k-best MIRA and factored MIRA (McDonald et al. 2005, section 2.3).

After each sentence the weights move as little as they can so that the gold tree wins by a margin:

    minimise ‖w' - w‖²   subject to   s(gold) - s(tree) ≥ cost(tree)   for each of the k best trees

or, factored, for every word and every wrong head of it:

    s(gold head, m) - s(h, m) ≥ cost of m
"""

from dataclasses import dataclass

import numpy as np

from headwise.errors import UsageError
from headwise.kernels.arcs.sparse import hildreth
from headwise.learners.base import Example, Learner, Loss
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.scorer import ArcScorer
from headwise.search.scores import add_cost
from headwise.storage.settings import check_counts, check_positive

PASSES = 50
"""Hildreth's algorithm makes at most this number of passes over the constraints …"""

TOLERANCE = 1e-4
"""… or until none is missed by more than this."""


@dataclass
class Mira(Learner):
    """k-best MIRA. With k = 1, one step of Hildreth's algorithm is the closed form.

    k: number of best trees per sentence that margins are enforced for.
    loss: cost that margins grow with: wrong `heads`, those of words other than punctuation
        (`no-punctuation`), 1 for any error (`complete`), or wrong heads and labels (`labelled`,
        with joint labels).
    augmented: whether the k best trees are those under score plus cost, which violate margins most.
    c: aggressiveness parameter C, an upper bound of the step size of a constraint.
    """

    k: int = 1
    loss: Loss = "heads"
    augmented: bool = True
    c: float = 1.0

    def check(self) -> None:
        """Raise if a setting has no meaning."""
        check_counts(self, {"k": (1, 1000)})
        check_positive(self, "c")

    @property
    def needs_several_trees(self) -> bool:
        """With k above 1."""
        return self.k > 1

    def tree_loss(self) -> Loss:
        """The loss that was chosen."""
        return self.loss

    def joint(self) -> Learner:
        """k-best MIRA over labelled trees."""
        from headwise.learners.joint import JointMira

        return JointMira(self.k, self.loss, self.augmented, self.c)

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Move the weights so that the k best trees fall behind."""
        scores = example.scores
        searched = add_cost(scores, example.gold, example.costs) if self.augmented else scores
        if self.k == 1:
            trees = example.decoder.best(searched).heads[None]
        else:
            trees = np.stack([tree.heads for tree in example.decoder.kbest(searched, self.k)])
        costs = np.array([example.cost(tree) for tree in trees])
        if costs.any():
            gold = scores.of_tree(example.gold)
            missing = costs - [gold - scores.of_tree(tree) for tree in trees]
            rows = example.differences(trees)
            values, _ = hildreth(rows, missing, self.c, PASSES, TOLERANCE)
            weights.add(rows.slots, values)
        return float(costs[0])


@dataclass
class FactoredMira(Learner):
    """A margin for every word and every wrong head of it: O(n²) constraints, and no search.

    loss: cost that margins grow with, as of mira.
    c: aggressiveness parameter C, an upper bound of the step size of a constraint.
    """

    arcs_only = True

    loss: Loss = "heads"
    c: float = 1.0

    def check(self) -> None:
        """Raise if a setting has no meaning."""
        check_positive(self, "c")

    def tree_loss(self) -> Loss:
        """The loss that was chosen."""
        return self.loss

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
        values, _ = hildreth(rows, missing, self.c, PASSES, TOLERANCE)
        weights.add(rows.slots, values)
        return float(costs[np.unique(modifiers)].sum())
