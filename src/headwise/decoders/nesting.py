"""Non-projective search under brackets: words i…j form one complete subtree.

No arc leaves a bracket and exactly one enters it, at its top word r. So what is inside does not
depend on what is outside but for r, and the problem falls apart into *levels*: the whole sentence,
and each bracket. A level's *units* are its words outside inner brackets, and its inner brackets,
which are leaves there. An arc from word a into bracket b is worth

    enter_b[a] = max (or log-sum) over r of  arc[a, r] + inside_b[r]

where inside_b[r] is the best tree (or log-partition) of level b with top word r. Inner brackets are
solved before outer ones, and answers are put together from the outermost inwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ConstraintError, UsageError
from headwise.kernels.matrixtree import arc_marginals, log_partition
from headwise.kernels.mst import best_tree
from headwise.kernels.wilson import sample_trees

Floats = NDArray[np.float64]
Heads = NDArray[np.int64]
Bracket = tuple[int, int]


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


def as_brackets(brackets: Sequence[Bracket]) -> tuple[Bracket, ...]:
    """The brackets as a tuple of pairs of integers; raise if they are something else."""
    found: list[Bracket] = []
    for bracket in brackets:
        try:
            low, high = (index(word) for word in bracket)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"a bracket is a pair of words, first and last, not {bracket!r}"
            ) from error
        if not 1 <= low <= high:
            raise UsageError(f"bracket {low}–{high} must run from a word to itself or a later one")
        found.append((low, high))
    return tuple(found)


def check_brackets(brackets: Sequence[Bracket], n: int) -> list[Bracket]:
    """The brackets without repetitions, outer before inner; raise if they are no brackets."""
    found = sorted({(low, high) for low, high in brackets}, key=lambda b: (b[0], -b[1]))
    for low, high in found:
        if not 1 <= low <= high <= n:
            raise UsageError(f"bracket {low}–{high} is not within words 1 to {n}")
    around: list[Bracket] = []
    for low, high in found:
        while around and around[-1][1] < low:
            around.pop()
        if around and high > around[-1][1]:
            raise ConstraintError(
                f"brackets {around[-1][0]}–{around[-1][1]} and {low}–{high} cross: leave out one"
            )
        around.append((low, high))
    return found


def make_levels(brackets: Sequence[Bracket], n: int) -> list[Level]:
    """The levels of a sentence, outer before inner, with their units."""
    levels = [Level(0, n)]
    owner = [levels[0]] * (n + 1)
    for low, high in check_brackets(brackets, n):
        level = Level(low, high)
        owner[low].inner.append(level)
        owner[low : high + 1] = [level] * (high - low + 1)
        levels.append(level)
    for word in range(1, n + 1):
        owner[word].words.append(word)
    return levels


def solve_levels(
    levels: Sequence[Level], arc: Floats, inside: Callable[[Floats], float], join: np.ufunc
) -> None:
    """Fill in the arcs and the insides of all levels, inner before outer.

    `inside` solves the scores of a level whose top word is given, `join` is maximum or logaddexp.
    """
    for level in reversed(levels):
        tokens = level.tokens
        units = len(tokens) + len(level.inner)
        level.arc = np.full((units, units), -np.inf)
        level.arc[: len(tokens), 1 : len(tokens)] = arc[np.ix_(tokens, level.words)]
        for unit, bracket in enumerate(level.inner, len(tokens)):
            worth = worth_by_top(bracket, arc, tokens)
            level.arc[: len(tokens), unit] = join.reduce(worth, axis=1, initial=-np.inf)
        level.inside = np.full(units, -np.inf)
        if level.low > 0:
            for unit in range(1, len(tokens)):
                level.inside[unit] = inside(with_top(level, unit))


def worth_by_top(bracket: Level, arc: Floats, heads: Sequence[int]) -> Floats:
    """What arcs from heads to the words of a bracket are worth, with all inside: [head, word]."""
    worth: Floats = arc[np.ix_(heads, bracket.words)] + bracket.inside[1 : len(bracket.words) + 1]
    return worth


def with_top(level: Level, unit: int) -> Floats:
    """The arc scores of a bracket whose top is the given unit."""
    arc = level.arc.copy()
    arc[0] = -np.inf
    arc[0, unit] = 0.0
    return arc


def with_tops(level: Level, probabilities: Floats) -> Floats:
    """Arc scores under which each word is the top of a bracket with a given probability."""
    arc = level.arc.copy()
    arc[0] = -np.inf
    likely = np.flatnonzero(probabilities) + 1
    arc[0, likely] = np.log(probabilities[likely - 1]) - level.inside[likely]
    return arc


def nested_best(arc: Floats, brackets: Sequence[Bracket], single_root: bool) -> Heads | None:
    """The best tree under brackets, or None if there is none."""
    levels = make_levels(brackets, len(arc) - 1)
    solve_levels(levels, arc, lambda scores: best_heads(scores, False)[1], np.maximum)
    chosen, score = best_heads(levels[0].arc, single_root)
    if score == -np.inf:
        return None
    heads = np.full(len(arc), -1, np.int64)
    waiting = [(levels[0], chosen, 0)]
    while waiting:
        level, chosen, outside = waiting.pop()
        tokens = [outside, *level.words]
        heads[level.words] = np.take(tokens, chosen[1 : len(tokens)])
        for unit, bracket in enumerate(level.inner, len(tokens)):
            head = tokens[chosen[unit]]
            top = 1 + int(worth_by_top(bracket, arc, [head]).argmax())
            waiting.append((bracket, best_heads(with_top(bracket, top), False)[0], head))
    return heads


def best_heads(arc: Floats, single_root: bool) -> tuple[Heads, float]:
    """The best tree over units, and its score."""
    # The kernel would be compiled again for any other order in memory.
    heads, score = best_tree(np.ascontiguousarray(arc), single_root)
    return heads, score


def log_levels(arc: Floats, brackets: Sequence[Bracket]) -> list[Level]:
    """Levels solved for sums over all trees."""
    levels = make_levels(brackets, len(arc) - 1)
    solve_levels(levels, arc, lambda scores: log_partition(scores, False), np.logaddexp)
    return levels


def nested_marginals(
    arc: Floats, brackets: Sequence[Bracket], single_root: bool
) -> tuple[float, Floats]:
    """The log-partition and the probabilities of all arcs under brackets."""
    levels = log_levels(arc, brackets)
    found = np.zeros(arc.shape)
    total = log_partition(levels[0].arc, single_root)
    if total == -np.inf:
        return total, found
    waiting = [(levels[0], levels[0].arc, single_root)]
    while waiting:
        level, scores, single = waiting.pop()
        inner = arc_marginals(scores, single)
        if level.low > 0:
            inner[0] = 0.0  # arcs from outside were found at the level around
        tokens = level.tokens
        found[np.ix_(tokens, level.words)] += inner[: len(tokens), 1 : len(tokens)]
        for unit, bracket in enumerate(level.inner, len(tokens)):
            entering = inner[: len(tokens), [unit]] * by_top(bracket, arc, tokens)
            found[np.ix_(tokens, bracket.words)] += entering
            waiting.append((bracket, with_tops(bracket, entering.sum(axis=0)), True))
    return total, found


def by_top(bracket: Level, arc: Floats, heads: Sequence[int]) -> Floats:
    """The probability of each word of a bracket to be its top if its head is given."""
    worth = worth_by_top(bracket, arc, heads)
    best = worth.max(axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp(worth - np.where(best > -np.inf, best, 0.0))
    shares: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return shares


def nested_samples(
    arc: Floats,
    brackets: Sequence[Bracket],
    single_root: bool,
    count: int,
    rng: np.random.Generator,
) -> Heads | None:
    """Trees drawn by their probability under brackets, or None if there is none."""
    levels = log_levels(arc, brackets)
    if log_partition(levels[0].arc, single_root) == -np.inf:
        return None
    found = np.full((count, len(arc)), -1, np.int64)
    chosen = draw_trees(levels[0].arc, single_root, count, rng)
    waiting = [(levels[0], chosen, np.zeros(count, np.int64))]
    while waiting:
        level, chosen, outside = waiting.pop()
        tokens = np.tile([0, *level.words], (count, 1))
        tokens[:, 0] = outside
        heads = np.take_along_axis(tokens, chosen[:, 1:], axis=1)
        found[:, level.words] = heads[:, : len(level.words)]
        for unit, bracket in enumerate(level.inner, len(level.words)):
            tops = draw_tops(bracket, arc, heads[:, unit], rng)
            waiting.append((bracket, draw_insides(bracket, tops, rng), heads[:, unit]))
    return found


def draw_tops(bracket: Level, arc: Floats, heads: Heads, rng: np.random.Generator) -> Heads:
    """Draw the top of a bracket under each of these heads, as a unit."""
    tops = np.empty(len(heads), np.int64)
    for head in np.unique(heads):
        here = heads == head
        shares = by_top(bracket, arc, [int(head)])[0]
        tops[here] = 1 + rng.choice(len(shares), size=here.sum(), p=shares / shares.sum())
    return tops


def draw_insides(bracket: Level, tops: Heads, rng: np.random.Generator) -> Heads:
    """Draw trees of a bracket with given tops."""
    chosen = np.empty((len(tops), len(bracket.arc)), np.int64)
    for top in np.unique(tops):
        here = tops == top
        chosen[here] = draw_trees(with_top(bracket, int(top)), False, int(here.sum()), rng)
    return chosen


def draw_trees(arc: Floats, single_root: bool, count: int, rng: np.random.Generator) -> Heads:
    """Draw trees over units; there must be one."""
    n = len(arc) - 1
    trees = np.empty((count, n + 1), np.int64)
    seed = int(rng.integers(1 << 63))
    sample_trees(arc, single_root, walk_limit(n), seed, trees)
    return trees


def walk_limit(n: int) -> int:
    """After how many steps walks take longer than drawing a tree word by word."""
    return 1000 + n**3 // 4
