"""Bracket constraints in non-projective search, as nested problems.

No arc leaves a bracket and exactly one enters it, at its top word r. The inside therefore depends
on the outside only through r, and the problem decomposes into *levels*: the whole sentence, and
each bracket. The *units* of a level are its words outside inner brackets, and its inner brackets,
which are leaves there. The score of an arc from word a into bracket b is

    enter_b[a] = max (or log-sum) over r of  arc[a, r] + inside_b[r]

where inside_b[r] is the best tree (or log-partition) of level b with top word r. Inner brackets are
solved before outer ones, and trees are assembled from the outermost level inwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.nonprojective.mst import best_tree
from headwise.search.bracketing import WordSpan

Floats = NDArray[np.float64]


@dataclass(slots=True, eq=False)
class Level:
    """The sentence (`low` = 0) or a bracket, as a problem over its units."""

    low: int
    high: int
    words: list[int] = field(default_factory=list)  # its units, first the words …
    inner: list["Level"] = field(default_factory=list)  # … then the brackets
    arc: Floats = field(default_factory=lambda: np.empty(0))  # [unit, unit]; unit 0 is the outside
    inside: Floats = field(default_factory=lambda: np.empty(0))  # [unit]; brackets have -inf

    @property
    def tokens(self) -> list[int]:
        """The tokens of units 0 (given as 0) and 1…; brackets have none."""
        return [0, *self.words]


def crossing_pair(brackets: Sequence[WordSpan]) -> tuple[WordSpan, WordSpan] | None:
    """Two crossing brackets, or None. IN: outer before inner."""
    around: list[WordSpan] = []
    for low, high in brackets:
        while around and around[-1][1] < low:
            around.pop()
        if around and high > around[-1][1]:
            return around[-1], (low, high)
        around.append((low, high))
    return None


def make_levels(brackets: Sequence[WordSpan], n: int) -> list[Level]:
    """The levels of a sentence, outer before inner. IN: brackets in this order, not crossing."""
    levels = [Level(0, n)]
    owner = [levels[0]] * (n + 1)
    for low, high in brackets:
        level = Level(low, high)
        owner[low].inner.append(level)
        owner[low : high + 1] = [level] * (high - low + 1)
        levels.append(level)
    for word in range(1, n + 1):
        owner[word].words.append(word)
    return levels


def solve_levels(
    brackets: Sequence[WordSpan], arc: Floats, inside: Callable[[Floats], float], join: np.ufunc
) -> list[Level]:
    """The levels of a sentence, outer before inner, with their arc and inside scores.

    `inside` solves the scores of a level whose top word is given, `join` is maximum or logaddexp.
    Crossing brackets allow no tree: the result is then one level without arcs.
    """
    if crossing_pair(brackets) is not None:
        brackets, arc = (), np.full(arc.shape, -np.inf)
    levels = make_levels(brackets, len(arc) - 1)
    for level in reversed(levels):
        solve_level(level, arc, inside, join)
    return levels


def solve_level(
    level: Level, arc: Floats, inside: Callable[[Floats], float], join: np.ufunc
) -> None:
    """Compute the arc and inside scores of a level whose inner levels are solved."""
    tokens = level.tokens
    units = len(tokens) + len(level.inner)
    level.arc = np.full((units, units), -np.inf)
    level.arc[: len(tokens), 1 : len(tokens)] = arc[np.ix_(tokens, level.words)]
    for unit, bracket in enumerate(level.inner, len(tokens)):
        scores = scores_by_top(bracket, arc, tokens)
        level.arc[: len(tokens), unit] = join.reduce(scores, axis=1, initial=-np.inf)
    level.inside = np.full(units, -np.inf)
    if level.low > 0:
        for unit in range(1, len(tokens)):
            level.inside[unit] = inside(with_top(level, unit))


def scores_by_top(bracket: Level, arc: Floats, heads: Sequence[int]) -> Floats:
    """The scores of arcs from heads to the words of a bracket, with its inside: [head, word]."""
    scores: Floats = arc[np.ix_(heads, bracket.words)] + bracket.inside[1 : len(bracket.words) + 1]
    return scores


def with_top(level: Level, unit: int) -> Floats:
    """The arc scores of a bracket whose top is the given unit."""
    arc = level.arc.copy()
    arc[0] = -np.inf
    arc[0, unit] = 0.0
    return arc


def best_heads(arc: Floats, single_root: bool) -> tuple[NDArray[np.int64], float]:
    """The best tree over units, and its score; -inf if there is none."""
    # The kernel would be recompiled for another memory layout.
    heads, score = best_tree(np.ascontiguousarray(arc), single_root)
    return heads, score
