"""Numbers of parts and chart items of a sentence, and the bytes they take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part

Question = Literal["best", "kbest", "marginals", "sample"]

FLOAT = 8
"""Bytes of a score, of a chart value, and of an integer."""

SAMPLES_AT_A_TIME = 1000
"""How many samples are drawn at a time, to bound the memory of their random numbers."""


def ranking_memory(items: int, n: int, k: int) -> int:
    """The most bytes that ranking the k best of a chart's items takes (`kernels/charts/kbest.py`).

    Only items of which more than the best is asked for are ranked: fewer than 8 n for every tree,
    with up to n + 2 hyperedges each. A ranking has 8 hyperedges for every item of its capacity, and
    those of two items more. One that proves too small is replaced by one of four times the
    capacity, and freed after that.
    """
    asked = min(items, 8 * n * k)
    capacity = 4 * n + 16
    while capacity < asked * max(1.0, (n + 2) / 8):
        capacity *= 4
    return FLOAT * ((capacity + capacity // 4) * (55 + 4 * k) + 24 * (n + 2))


def index_memory(n: int, arcs: int, factorisation: Factorisation, *, crossing: bool = False) -> int:
    """The bytes of an index of parts over a number of unpruned arcs."""
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
    parts: Mapping[Part, int]  # of types with several per arc

    @classmethod
    def of(cls, index: PartIndex) -> "PartCounts":
        """The counts of an index."""
        contexts, arcs = len(index.rows.context_head), len(index.rows.arc_head)
        parts = {part: int(start[-1]) for part, start in index.starts.items()}
        return cls(index.n, index.factorisation, arcs, contexts, index.crossing, parts)

    @classmethod
    def dense(cls, n: int, factorisation: Factorisation) -> "PartCounts":
        """The counts without pruning, computed without an index."""
        parts: dict[Part, int] = {}
        for part in Part:
            if part not in (Part.ARC, Part.STOP):
                count = count_by_context if part.grand and factorisation.grand else count_by_head
                parts[part] = count(n, ROW_SIZES[part.siblings])
        contexts = n * n + 1 if factorisation.grand else n + 1
        return cls(n, factorisation, n * n, contexts, False, parts)

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
        grand, tri = self.factorisation.grand, self.factorisation.largest.siblings == 2
        halves = 2 * self.contexts * size
        between = self.parts[Part.SIBLING] if grand else size * size
        chains = self.parts[Part.GRANDCHILD] + 2 * self.contexts
        pairs = self.parts[Part.GRAND_SIBLING] if tri else 0
        return FLOAT * (1 + halves + chains + between + pairs)

    @property
    def score_memory(self) -> int:
        """The bytes of the scores of all parts."""
        size = self.n + 1
        counts = {**self.parts, Part.ARC: size**2, Part.STOP: self.arcs + 2 * size}
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


def count_by_head(n: int, size: Callable[[int], int]) -> int:
    """The sum of the sizes of all rows of heads, with nothing pruned."""
    return size(0) + size(n) + sum(size(h - 1) + size(n - h) for h in range(1, n + 1))


def count_by_context(n: int, size: Callable[[int], int]) -> int:
    """The sum of the sizes of all rows of heads with their heads, with nothing pruned."""
    shorter = list(accumulate((size(length) for length in range(n)), initial=0))
    total = size(0) + size(n)
    for h in range(1, n + 1):
        total += shorter[h] + h * size(n - h)  # the head's head is to the left
        total += shorter[n - h] + (n - h) * size(h - 1)
    return total
