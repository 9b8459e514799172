"""Non-projective search under bracket constraints, level by level (see `levels`)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.nonprojective.matrixtree import arc_marginals, log_partition
from headwise.kernels.nonprojective.wilson import sample_trees
from headwise.search.bracketing import WordSpan
from headwise.search.levels import Level, best_heads, scores_by_top, solve_levels, with_top

Floats = NDArray[np.float64]
Heads = NDArray[np.int64]


def with_tops(level: Level, probabilities: Floats) -> Floats:
    """Arc scores under which each word is the top of a bracket with a given probability."""
    arc = level.arc.copy()
    arc[0] = -np.inf
    likely = np.flatnonzero(probabilities) + 1
    arc[0, likely] = np.log(probabilities[likely - 1]) - level.inside[likely]
    return arc


def nested_best(arc: Floats, brackets: Sequence[WordSpan], single_root: bool) -> Heads | None:
    """The best tree under brackets, or None if there is none."""
    levels = solve_levels(brackets, arc, lambda level: best_heads(level, False)[1], np.maximum)
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
            top = 1 + int(scores_by_top(bracket, arc, [head]).argmax())
            waiting.append((bracket, best_heads(with_top(bracket, top), False)[0], head))
    return heads


def log_levels(arc: Floats, brackets: Sequence[WordSpan]) -> list[Level]:
    """Levels solved for sums over all trees."""
    return solve_levels(brackets, arc, lambda level: log_partition(level, False), np.logaddexp)


def nested_marginals(
    arc: Floats, brackets: Sequence[WordSpan], single_root: bool
) -> tuple[float, Floats]:
    """The log-partition and the probabilities of all arcs under brackets."""
    found = np.zeros(arc.shape)
    levels = log_levels(arc, brackets)
    total = log_partition(levels[0].arc, single_root)
    if total == -np.inf:
        return total, found
    waiting = [(levels[0], levels[0].arc, single_root)]
    while waiting:
        level, scores, single = waiting.pop()
        inner = arc_marginals(scores, single)
        if level.low > 0:
            inner[0] = 0.0  # arcs from outside belong to the level around
        tokens = level.tokens
        found[np.ix_(tokens, level.words)] += inner[: len(tokens), 1 : len(tokens)]
        for unit, bracket in enumerate(level.inner, len(tokens)):
            entering = inner[: len(tokens), [unit]] * by_top(bracket, arc, tokens)
            found[np.ix_(tokens, bracket.words)] += entering
            waiting.append((bracket, with_tops(bracket, entering.sum(axis=0)), True))
    return total, found


def by_top(bracket: Level, arc: Floats, heads: Sequence[int]) -> Floats:
    """The probability of each word to be the top of a bracket, given its head."""
    scores = scores_by_top(bracket, arc, heads)
    best = scores.max(axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(best > -np.inf, best, 0.0))
    shares: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return shares


def nested_samples(
    arc: Floats,
    brackets: Sequence[WordSpan],
    single_root: bool,
    count: int,
    rng: np.random.Generator,
) -> Heads | None:
    """Samples from the distribution over trees under brackets, or None if there are no trees."""
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
    """Sample the top of a bracket under each of these heads, as a unit."""
    tops = np.empty(len(heads), np.int64)
    for head in np.unique(heads):
        here = heads == head
        shares = by_top(bracket, arc, [int(head)])[0]
        tops[here] = 1 + rng.choice(len(shares), size=here.sum(), p=shares / shares.sum())
    return tops


def draw_insides(bracket: Level, tops: Heads, rng: np.random.Generator) -> Heads:
    """Sample trees of a bracket with given tops."""
    chosen = np.empty((len(tops), len(bracket.arc)), np.int64)
    for top in np.unique(tops):
        here = tops == top
        chosen[here] = draw_trees(with_top(bracket, int(top)), False, int(here.sum()), rng)
    return chosen


def draw_trees(arc: Floats, single_root: bool, count: int, rng: np.random.Generator) -> Heads:
    """Sample trees over units; there must be one."""
    n = len(arc) - 1
    trees = np.empty((count, n + 1), np.int64)
    steps = 1000 + n**3 // 4  # after which sampling word by word is faster than random walks
    sample_trees(arc, single_root, steps, int(rng.integers(1 << 63)), trees)
    return trees
