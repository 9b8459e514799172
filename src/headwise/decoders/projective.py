"""Exact search over projective trees, orders one to four: every question of the protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.decoders.base import HeadsArray, Marginals, Scored
from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.kernels import (
    higher,
    higher_edges,  # noqa: F401 - tells descent and kbest of HigherChart
    higher_outside,
    order1,
)
from headwise.kernels.descent import best_tree, sample_trees
from headwise.kernels.higher import PartScores
from headwise.kernels.kbest import kbest_trees
from headwise.kernels.semiring import LOG, MAX, Log, Max
from headwise.memory import chart_memory
from headwise.parts import Part
from headwise.scores import Scores

FIELDS = {
    Part.SIBLING: "sibling",
    Part.GRANDCHILD: "grandchild",
    Part.GRAND_SIBLING: "grand_sibling",
    Part.TRI_SIBLING: "tri_sibling",
    Part.GRAND_TRI_SIBLING: "grand_tri_sibling",
    Part.STOP: "stop",
}
"""The names that kernels give to the arrays of higher parts."""


@dataclass(frozen=True, slots=True)
class ProjectiveDecoder:
    """Answers exact questions about the projective trees over a sentence.

    What the scores hold decides on the recurrence: arcs alone, or any of the higher parts. With
    `single_root`, exactly one word is attached to the root; otherwise one or more. A chart of more
    than `memory_limit` bytes is an error.
    """

    single_root: bool = True
    memory_limit: int | None = None

    def best(self, scores: Scores) -> Scored:
        """The tree of highest score; among equals, always the same one."""
        chart, goal = self.fill(MAX, scores)
        heads: HeadsArray = best_tree(chart, goal, scores.n)
        return Scored(heads, float(chart.values[goal]))

    def kbest(self, scores: Scores, k: int) -> list[Scored]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        if k < 1:
            raise UsageError(f"k must be 1 or more, not {k}")
        chart, goal = self.fill(MAX, scores)
        trees, totals = kbest_trees(chart, goal, scores.n, k)
        return [Scored(heads, float(total)) for heads, total in zip(trees, totals, strict=True)]

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities of all parts, log-partition and entropy."""
        if not scores.higher:
            log_partition, arc = order1.marginals(scores.arc, spans_of(scores), self.single_root)
            require_tree(log_partition)
            found: dict[Part, NDArray[np.float64]] = {}
        else:
            chart, goal = self.fill(LOG, scores)
            log_partition = chart.values[goal]
            probabilities = higher_outside.outside(chart)
            arc = np.zeros_like(scores.arc)
            arc[chart.rows.arc_head, chart.rows.arc_modifier] = probabilities.arc
            found = {part: getattr(probabilities, FIELDS[part]) for part in scores.higher}
        expected = expected_score(arc, scores.arc) + sum(
            expected_score(found[part], values) for part, values in scores.higher.items()
        )
        return Marginals(float(log_partition), float(log_partition) - expected, arc, found)

    def sample(self, scores: Scores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Independent trees drawn by their probability: an array of `count` rows of heads."""
        chart, goal = self.fill(LOG, scores)
        uniforms = rng.random((count, 8 * scores.n + 16))
        samples: HeadsArray = sample_trees(chart, goal, scores.n, uniforms)
        return samples

    def fill(self, semiring: Max | Log, scores: Scores) -> tuple[Any, int]:
        """A chart filled from the inside, and its goal, whose value is finite."""
        self.check_memory(scores)
        chart: Any  # an ArcChart or a HigherChart: what is asked of it is the same
        if not scores.higher:
            chart = order1.inside(semiring, scores.arc, spans_of(scores), self.single_root)
            goal = scores.n
        else:
            assert scores.index is not None
            tri = any(part.siblings == 2 for part in scores.higher)
            chart = higher.inside(
                semiring, scores.index.rows, part_scores(scores), self.single_root, tri
            )
            goal = chart.goal
        require_tree(chart.values[goal])
        return chart, goal

    def check_memory(self, scores: Scores) -> None:
        """Raise if the chart would be beyond the limit."""
        if self.memory_limit is not None:
            needed = chart_memory(scores.index if scores.higher else None, scores.n)
            if needed > self.memory_limit:
                raise LimitError(
                    f"a chart of {scores.factorisation.label} over {scores.n} words needs {needed} "
                    f"bytes, the limit is {self.memory_limit}; prune harder or lower the order"
                )


def best_trees(
    arcs: NDArray[np.float64], lengths: Sequence[int] | NDArray[np.int64], single_root: bool = True
) -> tuple[HeadsArray, NDArray[np.float64]]:
    """The best first-order trees of many sentences at once, without the cost of a call for each.

    `arcs` holds the (n + 1) × (n + 1) scores of all sentences, one after the other; `lengths` their
    numbers of words. Returns the heads, n + 1 entries a sentence, one after the other, and the
    scores, -inf where there is no tree (its heads mean nothing then).
    """
    sizes = np.asarray(lengths, np.int64) + 1
    if arcs.ndim != 1 or len(arcs) != int((sizes**2).sum()):
        raise UsageError(f"{arcs.shape} scores for {int((sizes**2).sum())} arcs")
    heads, totals = order1.best_trees(np.ascontiguousarray(arcs, np.float64), sizes, single_root)
    return heads, totals


def spans_of(scores: Scores) -> NDArray[np.float64]:
    """The scores of complete spans: zeros if there are none."""
    return scores.spans if scores.spans is not None else np.zeros_like(scores.arc)


def part_scores(scores: Scores) -> PartScores:
    """Scores in the shape that kernels want."""
    assert scores.index is not None
    rows = scores.index.rows
    arrays = {name: scores.higher.get(part, np.empty(0)) for part, name in FIELDS.items()}
    return PartScores(
        arc=scores.arc[rows.arc_head, rows.arc_modifier], spans=spans_of(scores), **arrays
    )


def require_tree(value: float) -> None:
    """Raise if a goal has no finite value."""
    if not value > -np.inf:
        raise ConstraintError("no projective tree has a finite score")


def expected_score(probabilities: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """The sum of probability × score over all parts that can be."""
    possible = probabilities > 0
    return float(np.dot(probabilities[possible], scores[possible]))
