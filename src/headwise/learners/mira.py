"""Large-margin learners: k-best MIRA and factored MIRA (McDonald et al. 2005, section 2.3).

After each sentence the weights move as little as they can so that the gold tree wins by a margin:

    minimise ‖w' - w‖²   subject to   s(gold) - s(tree) ≥ cost(tree)   for each of the k best trees

or, factored, for every word and every wrong head of it:

    s(gold head, m) - s(h, m) ≥ cost of m
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.solvers.margins import solve_margins
from headwise.learners.base import Example, Learner, Loss, StepBound
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.scorer import ArcScorer
from headwise.search.scores import add_cost
from headwise.storage.settings import check_counts

TOLERANCE = 1e-4
"""Steps are solved until no margin is missed, and none exceeded in vain, by more than this …"""

PASSES = 10_000
"""… which is not possible where constraints contradict each other and C is infinite."""


def smallest_step(
    rows: SparseRows, missing: NDArray[np.float64], c: StepBound
) -> NDArray[np.float64]:
    """The smallest change of the weights that brings every row what it is missing."""
    values: NDArray[np.float64]
    values, _, _ = solve_margins(rows, missing, float(c), PASSES, TOLERANCE)
    return values


def check_bound(c: StepBound) -> None:
    """Raise unless C is above 0."""
    if not float(c) > 0:
        raise UsageError(f"c must be above 0, not {c}")


@dataclass
class Mira(Learner):
    """k-best MIRA.

    k: number of best trees per sentence that margins are enforced for.
    loss: cost that margins grow with: wrong `heads`, those of words other than punctuation
        (`no-punctuation`), 1 for any error (`complete`), or wrong heads and labels (`labelled`,
        with joint labels).
    augmented: whether the k best trees are those under score plus cost, which violate margins most.
    c: aggressiveness parameter C, an upper bound of the step size of a constraint; `inf` for none.
    """

    k: int = 1
    loss: Loss = "heads"
    augmented: bool = True
    c: StepBound = 1.0

    def check(self) -> None:
        check_counts(self, {"k": (1, 1000)})
        check_bound(self.c)

    @property
    def needs_several_trees(self) -> bool:
        """With k above 1."""
        return self.k > 1

    def tree_loss(self) -> Loss:
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
            weights.add(rows.slots, smallest_step(rows, missing, self.c))
        return float(costs[0])


@dataclass
class FactoredMira(Learner):
    """A margin for every word and every wrong head of it: O(n²) constraints, and no search.

    loss: cost that margins grow with, as of mira.
    c: aggressiveness parameter C, an upper bound of the step size of a constraint; `inf` for none.
    """

    arcs_only = True

    loss: Loss = "heads"
    c: StepBound = 1.0

    def check(self) -> None:
        check_bound(self.c)

    def tree_loss(self) -> Loss:
        return self.loss

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Move the weights so that every wrong head falls behind.

        Constraints that hold are left out until a step comes to violate them.
        """
        arc, gold, tokens = example.scores.arc, example.gold, example.tokens
        scorer = example.scorer
        assert isinstance(scorer, ArcScorer)  # as `arcs_only` says
        missing = missing_margins(arc, gold, example.costs)
        rivals = missing > TOLERANCE
        loss = float(example.costs[rivals.any(axis=0)].sum())
        more = rivals
        while more.any():
            rivals = rivals | more
            heads, modifiers = np.nonzero(rivals)
            rows = scorer.rivals(tokens, gold, heads, modifiers)
            step = smallest_step(rows, missing[rivals], self.c)
            weights.add(rows.slots, step)
            after = missing_margins(scorer.scores(tokens), gold, example.costs)
            more = (after > TOLERANCE) & ~rivals
            if more.any():
                weights.add(rows.slots, -step)
        return loss


def missing_margins(
    arc: NDArray[np.float64], gold: NDArray[np.int64], costs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How much each wrong head misses of its distance from the gold one: [head, modifier].

    Nothing (-∞) is missing where there is no constraint.
    """
    words = np.arange(1, len(gold))
    missing = np.full(arc.shape, -np.inf)
    missing[:, 1:] = costs[1:] - arc[gold[1:], words] + arc[:, 1:]
    missing[gold[1:], words] = missing[words, words] = -np.inf
    return missing
