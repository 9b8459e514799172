"""Large margins by local constraints (Wang, Cherry, Lizotte and Schuurmans 2006; Wang 2008, ch. 6).

    minimise  β/2 ‖θ‖² + Σ ξ    subject to    s(neighbour in the tree) ≥ s(arc) + 1 - ξ,  ξ ≥ 0

for every arc that is not in the gold tree of its sentence, and its neighbours there (6.2 to 6.5,
see `kernels.arcmargin`). The thesis has links without direction; here arcs have one, and an arc
of the tree must beat itself turned round. There are some n² margins in a sentence of n words.

The programme is solved by coordinate ascent on its dual, one visit to every margin in a pass: each
α moves to where its own margin is just met, within 0 and 1. The dual never falls, and the gap
between it and the objective says how far both can be from the solution at most. While it is wide,
the latest weights swing with the sentences seen last, and their average is better.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import MIRRORED, ArcList
from headwise.kernels.solvers.arcmargin import ascend, local_hinge, path_ends
from headwise.learners.base import Example, Learner
from headwise.learners.weights import LearnedWeights, squared_length
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.scorer import ArcScorer, Scorer
from headwise.scoring.linear.tables import WeightTables
from headwise.search.decoders.base import Decoder
from headwise.storage.settings import check_positive

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData

ENDS = 2
"""Of the path between head and modifier."""


@dataclass(eq=False)
class ArcMargin(Learner):
    """Solves (6.5). `starts` are those of each sentence's margins in `alphas`.

    beta: β, L2 regularisation strength.
    """

    arcs_only = True
    learns_partial = False  # its programme is one of whole trees
    needs_all_arcs = True

    beta: float = 1.0
    starts: NDArray[np.int64] = field(init=False, repr=False)
    alphas: NDArray[np.float32] = field(init=False, repr=False)

    def check(self) -> None:
        check_positive(self, "beta")

    def variables(self, data: "TrainingData") -> int:
        """One for each margin."""
        return int(margin_starts(data)[-1])

    def start(self, data: "TrainingData", decoder: Decoder) -> "ArcMargin":
        """Begin with weights of 0."""
        del decoder
        own = replace(self)
        own.starts = margin_starts(data)
        own.alphas = np.zeros(own.starts[-1], np.float32)
        return own

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Visit the margins of a sentence; what they missed, as they were met."""
        scorer, gold = example.scorer, example.gold
        assert isinstance(scorer, ArcScorer)  # as `arcs_only` says
        head, modifier = np.nonzero(~np.eye(len(gold), dtype=np.bool_))
        head, modifier = head[modifier > 0], modifier[modifier > 0]
        number = np.arange(len(head))
        rows = scorer.rows(
            example.tokens, ArcList(number, head, modifier, np.ones(len(head))), len(head)
        )
        row_of = np.full((len(gold), len(gold)), -1)
        row_of[head, modifier] = number
        before = weights.tables.weights[rows.slots & ~MIRRORED].astype(np.float64)
        after = before.copy()
        lost = ascend(
            rows, row_of, gold, path_ends(gold), after, self.alphas_of(example.number), self.beta
        )
        weights.add(rows.slots, after - before)
        return float(lost)

    def alphas_of(self, number: int) -> NDArray[np.float32]:
        """α of the margins of a sentence, which may be written to: [end, head, modifier]."""
        start, end = self.starts[number : number + 2]
        size = math.isqrt(int(end - start) // ENDS)
        return self.alphas[start:end].reshape(ENDS, size, size)

    def solution(
        self, data: "TrainingData", spec: FeatureSpec, weights: LearnedWeights
    ) -> tuple[WeightTables, dict[str, float]]:
        dual = float(self.alphas.sum(dtype=np.float64))
        return lower_objective(self.objective, data, spec, weights, dual, self.beta)

    def objective(self, data: "TrainingData", scorer: Scorer, tables: WeightTables) -> float:
        """(6.5) at some weights."""
        total = 0.5 * self.beta * squared_length(scorer, tables)
        for number, gold in enumerate(data.golds):
            arc = scorer.scores_of(data.encoded.sentence(number)).arc
            total += local_hinge(arc, gold, path_ends(gold))
        return total

    def state(self) -> dict[str, NDArray[np.float32]]:
        """α of all margins."""
        return {"alphas": self.alphas}

    def restore(self, state: dict[str, NDArray[np.float32]]) -> None:
        self.alphas = state["alphas"]


def lower_objective(
    objective: Callable[["TrainingData", Scorer, WeightTables], float],
    data: "TrainingData",
    spec: FeatureSpec,
    weights: LearnedWeights,
    dual: float,
    strength: float,
) -> tuple[WeightTables, dict[str, float]]:
    """The latest weights or their average, whichever has the lower objective, and the gap.

    The gap is the share of the objective that the dual has not reached, which bounds the least
    objective from below, whatever weights are kept. `dual` is without the part of the weights, of
    which half of the squares count by `strength`.
    """
    tables = weights.tables
    last = replace(tables, weights=tables.weights.copy(), filters=tables.filters.copy())
    both = last, weights.averaged()
    reached = dual - 0.5 * strength * squared_length(spec.scorer(last), last)
    objectives = [objective(data, spec.scorer(one), one) for one in both]
    lowest = min(objectives)
    gap = (lowest - reached) / lowest if lowest > 0.0 else 0.0
    return both[objectives.index(lowest)], {"objective": lowest, "gap": gap}


def margin_starts(data: "TrainingData") -> NDArray[np.int64]:
    """Where the margins of every sentence start, one after the other."""
    sizes = np.diff(data.encoded.starts)
    return np.concatenate([[0], np.cumsum(ENDS * sizes**2)])
