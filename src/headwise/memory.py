"""How much memory search needs, known before it is taken; and what to do if it is too much."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from headwise.errors import HeadwiseWarning, LimitError, UsageError
from headwise.kernels import order1
from headwise.partindex import PartIndex
from headwise.parts import Factorisation, Part
from headwise.scores import living_arcs

FLOAT = 8
"""Bytes of a score, and of a value in a chart."""

LOWER = {
    Factorisation.GRAND_TRI_SIBLINGS: Factorisation.GRAND_SIBLINGS,
    Factorisation.TRI_SIBLINGS: Factorisation.SIBLINGS,
    Factorisation.GRAND_SIBLINGS: Factorisation.SIBLINGS,
    Factorisation.GRANDCHILDREN: Factorisation.ARCS,
    Factorisation.SIBLINGS: Factorisation.ARCS,
}
"""What to search with instead of a factorisation that is too dear."""


class OverLimit(Enum):
    """What to do when search would need more memory than allowed."""

    RAISE = "raise"
    LOWER_ORDER = "lower order"
    PRUNE = "prune"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of everything there are, which decides on the memory."""

    n: int
    factorisation: Factorisation
    arcs: int
    contexts: int
    siblings: int  # parts, by type
    tri_siblings: int
    grandchildren: int
    grand_siblings: int
    grand_tri_siblings: int

    @classmethod
    def of(cls, index: PartIndex) -> "Counts":
        """Count what is indexed."""
        rows = index.rows
        starts = (
            rows.sibling_start,
            rows.tri_start,
            rows.grand_start,
            rows.grand_sibling_start,
            rows.grand_tri_start,
        )
        contexts, arcs = len(rows.context_head), len(rows.arc_head)
        return cls(index.n, index.factorisation, arcs, contexts, *(int(s[-1]) for s in starts))

    @classmethod
    def dense(cls, n: int, factorisation: Factorisation) -> "Counts":
        """Count without an index what there is with nothing pruned, in numbers of any size."""
        plain = [count_by_head(n, size) for size in ROW_SIZES]
        grand = plain
        if factorisation.grand:
            grand = [count_by_context(n, size) for size in ROW_SIZES]
        contexts = n * n + 1 if factorisation.grand else n + 1
        return cls(n, factorisation, n * n, contexts, *plain[1:], *grand)

    @property
    def chart_memory(self) -> int:
        """The bytes of a chart; a little less where parts of non-projective trees are indexed."""
        size = self.n + 1
        if self.factorisation is Factorisation.ARCS:
            return 3 * FLOAT * size * size
        if self.factorisation is Factorisation.SIBLINGS and self.arcs == self.n**2:
            return FLOAT * (7 * size * size + 6 * size + 2)  # a kernel of its own
        grand, tri = self.factorisation.grand, self.factorisation.largest.siblings == 2
        halves = 2 * self.contexts * size
        between = self.siblings if grand else size * size
        chains = self.grandchildren + 2 * self.contexts
        pairs = self.grand_siblings if tri else 0
        return FLOAT * (1 + halves + chains + between + pairs)

    @property
    def score_memory(self) -> int:
        """The bytes of the scores of all parts."""
        counts = {
            Part.ARC: (self.n + 1) ** 2,
            Part.SIBLING: self.siblings,
            Part.TRI_SIBLING: self.tri_siblings,
            Part.GRANDCHILD: self.grandchildren,
            Part.GRAND_SIBLING: self.grand_siblings,
            Part.GRAND_TRI_SIBLING: self.grand_tri_siblings,
            Part.STOP: self.arcs + 2 * (self.n + 1),
        }
        return FLOAT * sum(counts[part] for part in self.factorisation.parts)


ROW_SIZES: tuple[Callable[[int], int], ...] = (
    lambda length: length,
    lambda length: length * (length + 1) // 2,
    lambda length: length + (length - 1) * length * (length + 1) // 6,
)
"""How many parts with no, one and two siblings a row of so many modifiers has."""


def count_by_head(n: int, size: Callable[[int], int]) -> int:
    """The sum of the sizes of all rows of heads, with all arcs alive."""
    return size(0) + size(n) + sum(size(h - 1) + size(n - h) for h in range(1, n + 1))


def count_by_context(n: int, size: Callable[[int], int]) -> int:
    """The sum of the sizes of all rows of heads with their heads, with all arcs alive."""
    shorter = list(accumulate((size(length) for length in range(n)), initial=0))
    total = size(0) + size(n)
    for h in range(1, n + 1):
        total += shorter[h] + h * size(n - h)  # the head's head is to the left
        total += shorter[n - h] + (n - h) * size(h - 1)
    return total


def chart_memory(index: PartIndex | None, n: int) -> int:
    """The bytes of a chart over indexed parts; of a first-order chart if there is no index."""
    if index is None:
        return Counts.dense(n, Factorisation.ARCS).chart_memory
    return Counts.of(index).chart_memory


def score_memory(index: PartIndex) -> int:
    """The bytes of the scores of all indexed parts."""
    return Counts.of(index).score_memory


def memory_needed(n: int, factorisation: Factorisation) -> int:
    """The bytes of all scores and the chart of a sentence of n words, with nothing pruned."""
    if n < 1:
        raise UsageError(f"a sentence has 1 word or more, not {n}")
    counts = Counts.dense(n, factorisation)
    return counts.chart_memory + counts.score_memory


def index_within(
    limit: int,
    living: NDArray[np.bool_],
    factorisation: Factorisation,
    over_limit: OverLimit = OverLimit.RAISE,
    marginals: NDArray[np.float64] | None = None,
    *,
    crossing: bool = False,
    single_root: bool = True,
) -> PartIndex:
    """An index of parts whose scores and chart fit into `limit` bytes.

    If those over `living` arcs do not, the order is lowered step by step, or arcs are pruned by
    their first-order `marginals`, harder step by step, with a warning that says how far; or it is
    an error, and also if nothing helps. The arcs of the likeliest tree are never pruned.
    """
    if over_limit is OverLimit.PRUNE and marginals is None:
        raise UsageError("pruning needs the marginals of arcs")
    index, ratio = PartIndex.over(living, factorisation, crossing=crossing), 1e-6
    first = problem = None
    notice = ""
    while (needed := chart_memory(index, index.n) + score_memory(index)) > limit:
        problem = f"{index.factorisation.label} over {index.n} words need {needed} bytes of {limit}"
        first = first or problem
        if over_limit is OverLimit.LOWER_ORDER and index.factorisation in LOWER:
            index = PartIndex.over(living, LOWER[index.factorisation], crossing=crossing)
            notice = f"searching with {index.factorisation.label} instead"
        elif over_limit is OverLimit.PRUNE and ratio < 1 and marginals is not None:
            ratio *= 10
            kept = living_arcs(marginals, ratio) | likeliest_tree(marginals, living, single_root)
            index = PartIndex.over(living & kept, factorisation, crossing=crossing)
            notice = f"arcs below {ratio:.0e} of the likeliest are pruned"
        else:
            raise LimitError(problem)
    if first is not None:
        warnings.warn(f"{first}: {notice}", HeadwiseWarning, stacklevel=2)
    return index


def likeliest_tree(
    marginals: NDArray[np.float64], living: NDArray[np.bool_], single_root: bool
) -> NDArray[np.bool_]:
    """The arcs of the projective tree with the largest product of marginals, as a matrix."""
    with np.errstate(divide="ignore"):
        arc = np.where(living, np.log(marginals), -np.inf)
    size = np.array([len(arc)])
    heads, totals = order1.best_trees(np.ascontiguousarray(arc).ravel(), size, single_root)
    kept = np.zeros(arc.shape, np.bool_)
    if totals[0] > -np.inf:
        kept[heads[1:], np.arange(1, len(arc))] = True
    return kept
