"""Numbers of parts and chart items of a sentence, and the bytes they take."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part

Question = Literal["best", "kbest", "marginals", "sample"]

FLOAT = 8
"""Bytes of a score, of a chart value, and of an integer."""

SAMPLES_AT_A_TIME = 1000
"""Samples drawn at a time, to bound the memory of their random numbers."""


def ranking_memory(items: int, n: int, k: int) -> int:
    """An upper bound on the bytes for ranking the k best of `items` items (`kernels.kbest`).

    Slots are allocated for items of which more than the best is requested: fewer than 8 n per tree,
    with up to n + 2 derivations each; 8 derivations come with each slot, beside those of two more
    items. A buffer that is too small is replaced by one four times as large.
    """
    asked = min(items, 8 * n * k)
    room = 4 * n + 16
    while room < asked * max(1.0, (n + 2) / 8):
        room *= 4
    return FLOAT * ((room + room // 4) * (55 + 4 * k) + 24 * (n + 2))


def index_memory(n: int, arcs: int, factorisation: Factorisation, *, crossing: bool = False) -> int:
    """The bytes of an index of parts over `arcs` unpruned arcs."""
    size, grand = n + 1, factorisation.grand
    contexts = arcs + 1 if grand else size
    by_arc = 10 + int(grand) + int(crossing)
    return FLOAT * (size * size + 3 * size + by_arc * arcs + 7 * contexts + 9)


@dataclass(frozen=True, slots=True)
class PartCounts:
    """Numbers of everything that determines the memory of search."""

    n: int
    factorisation: Factorisation
    arcs: int
    contexts: int
    crossing: bool  # whether parts of non-projective trees are indexed as well
    siblings: int  # parts, by type
    tri_siblings: int
    grandchildren: int
    grand_siblings: int
    grand_tri_siblings: int

    @classmethod
    def of(cls, index: PartIndex) -> "PartCounts":
        """The counts of an index."""
        rows = index.rows
        starts = (
            rows.sibling_start,
            rows.tri_start,
            rows.grand_start,
            rows.grand_sibling_start,
            rows.grand_tri_start,
        )
        contexts, arcs = len(rows.context_head), len(rows.arc_head)
        parts = (int(start[-1]) for start in starts)
        return cls(index.n, index.factorisation, arcs, contexts, index.crossing, *parts)

    @classmethod
    def dense(cls, n: int, factorisation: Factorisation) -> "PartCounts":
        """The counts without pruning, computed without an index."""
        plain = [count_by_head(n, size) for size in ROW_SIZES]
        grand = plain
        if factorisation.grand:
            grand = [count_by_context(n, size) for size in ROW_SIZES]
        contexts = n * n + 1 if factorisation.grand else n + 1
        return cls(n, factorisation, n * n, contexts, False, *plain[1:], *grand)

    @property
    def index_memory(self) -> int:
        """The bytes of the index itself."""
        return index_memory(self.n, self.arcs, self.factorisation, crossing=self.crossing)

    @property
    def chart_memory(self) -> int:
        """The bytes of a chart; slightly too many if parts of non-projective trees are indexed."""
        size = self.n + 1
        if self.factorisation is Factorisation.ARCS:
            return 3 * FLOAT * size * size
        if self.factorisation is Factorisation.SIBLINGS and self.arcs == self.n**2:
            return FLOAT * (7 * size * size + 6 * size + 2)  # has its own kernel
        grand, tri = self.factorisation.grand, self.factorisation.largest.siblings == 2
        if grand and self.factorisation.largest.siblings and self.arcs == self.n**2:
            return FLOAT * count_columns(self.n, tri=tri)  # has its own kernel for the best trees
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

    def question_memory(self, question: Question, trees: int = 1) -> int:
        """The bytes for answering a question, beside the scores, including the answer.

        `trees` is the number of trees requested; for the k best this is an upper bound.
        """
        chart, answer = self.chart_memory, FLOAT * trees * (self.n + 1)
        if question == "best":
            return chart + answer
        if question == "kbest":
            # Half a float per item, in the ranking and in one that proved too small; and a mark.
            slots = chart + chart // FLOAT
            return chart + answer + slots + ranking_memory(chart // FLOAT, self.n, trees)
        if question == "sample":
            return chart + answer + FLOAT * min(trees, SAMPLES_AT_A_TIME) * (8 * self.n + 16)
        # A second chart for the derivatives; the first order also stores its scores twice.
        forms = 2 * FLOAT * (self.n + 1) ** 2 if self.factorisation is Factorisation.ARCS else 0
        return 2 * chart + self.score_memory + forms


ROW_SIZES: tuple[Callable[[int], int], ...] = (
    lambda length: length,
    lambda length: length * (length + 1) // 2,
    lambda length: length + (length - 1) * length * (length + 1) // 6,
)
"""The number of parts with no, one and two siblings in a row of `length` modifiers."""


def count_columns(n: int, *, tri: bool) -> int:
    """The values of a chart in columns (`kernels.grand_chart`), at least as many as in others."""
    size, vectors = n + 1, -(-n // 8)
    pairs = ROW_SIZES[1]
    total = 16 + 8 * vectors * size * (3 * size + 1)
    if tri:
        total += 8 * pairs(n)  # the root's
        for longest in range(n - 1, 0, -8):
            lengths = [min(h, longest) for h in range(n)]
            total += 2 * 8 * sum(map(pairs, lengths))
    return total


def count_by_head(n: int, size: Callable[[int], int]) -> int:
    """The total size of the rows of all heads, without pruning."""
    return size(0) + size(n) + sum(size(h - 1) + size(n - h) for h in range(1, n + 1))


def count_by_context(n: int, size: Callable[[int], int]) -> int:
    """The total size of the rows of all heads with their heads, without pruning."""
    shorter = list(accumulate((size(length) for length in range(n)), initial=0))
    total = size(0) + size(n)
    for h in range(1, n + 1):
        total += shorter[h] + h * size(n - h)  # the head's head is to the left
        total += shorter[n - h] + (n - h) * size(h - 1)
    return total
