# mypy: allow-untyped-defs
"""The bottom-up chart of items (low, head, high), after Wang 2008, figure 5.1.

A link's score may depend on how many modifiers its head has already, on the previous one on the
same side, and on the first modifier of its own modifier. A head takes its right modifiers first,
from the inside out, then its left ones (the canonical order of section 5.2), so that every tree is
built in one way. Where the count runs over both sides, the left links see how many there are on the
right. Counts beyond `counts` - 1 are the same as that.

A *lane* is how a head takes modifiers on one side: the side, the count it starts with, and its
first modifier, if that matters: then there are as many lanes as first modifiers. Items, each summed
over one index (h: head, e: the last word reached, c: count, p: last modifier, f: first modifier):

    chain[h, lane, e, c, m] = Σ_mid  step[h, lane, mid, c - 1, m] × whole[h, low, m, high]
    step[h, lane, mid, c, m] = Σ_p  chain[h, lane, mid, c, p] × link[h, c, p, m]
    close[h, lane, e, c]    = Σ_p  chain[h, lane, e, c, p] × stop[h, side, c, p]
    closed[h, lane, e]      = Σ_c  close[h, lane, e, c]
    tree[m, low, high, f]   = Σ_c  close[m, lane of f, high, c] × closed[m, left lane of c, low]
    whole[h, m, low, high]  = Σ_f  tree[m, low, high, f] × first[h, m, f]

In chain, the subtree of m (its low, m, high) lies between mid and e. A tree with nothing on the
right has its first modifier on the left. step has one more count, for the two counts that lead to
the largest one. If first modifiers do not matter, f takes one value and whole is tree.
A chain of h up to e cannot be where spans[h, e] is -inf.

Time is O(n⁴) for every count of every lane. With C counts that is C n⁴; C² n⁴ if counts run over
both sides, as there is a left lane for every count on the right; C n⁵ more if first modifiers
matter.

All values are in one array, all scores in another (`weights`, whose entry 0 is 0), both so that
sums run along rows. Here is where everything stands. `chart_fill` sums; `chart_hyperedges` lists
what is summed, for all other questions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper

LEFT, RIGHT = 0, 1
CHAIN, STEP, CLOSE, CLOSED, TREE, WHOLE, GOAL = range(7)


class HeadChart(NamedTuple):
    """A chart; `start[kind]` is the first item of a kind; `list_hyperedges` fills `where`."""

    values: NDArray[np.float64]  # [item]
    weights: NDArray[np.float64]  # all scores, one after the other
    spans: NDArray[np.float64]  # [head, end] 0, or -inf where no chain may end
    where: NDArray[np.int64]  # [hyperedge]: its score, for the last item asked for
    start: NDArray[np.int64]  # [kind]
    n: int
    lanes: int  # how many a head has
    counts: int
    firsts: int  # n + 1 if first modifiers matter, otherwise 1
    both_sides: bool  # whether counts run over both sides
    single_root: bool


def number_of_lanes(counts: int, firsts: int, both_sides: bool) -> int:
    """A right and a left lane for each first modifier, and the left lanes after right modifiers.

    This is not compiled, for it is asked for before there is a chart.
    """
    return 2 * firsts + (counts if both_sides else int(firsts > 1))


@helper
def lane_after(chart, count):
    """The left lane of a head that has `count` modifiers on the right."""
    if chart.both_sides:
        return 2 * chart.firsts + count
    return 2 * chart.firsts if chart.firsts > 1 else 1


@helper
def lane_side(chart, lane):
    """The side of a lane: first come the right lanes, then the left ones."""
    return RIGHT if lane < chart.firsts else LEFT


@helper
def lane_start(chart, lane):
    """The count that a lane starts with."""
    return lane - 2 * chart.firsts if chart.both_sides and lane >= 2 * chart.firsts else 0


@helper
def lane_allows(chart, lane, first):
    """Whether `first` may be the first modifier in a lane; the head stands for there being none."""
    if chart.firsts == 1 or lane >= 2 * chart.firsts:
        return True
    return lane % chart.firsts == first


@helper
def lane_reaches(chart, h, lane, e):
    """Whether a lane can come to e: not before its first modifier, if that matters."""
    if chart.firsts == 1 or lane >= 2 * chart.firsts or e == h:
        return True
    first = lane % chart.firsts
    return h < first <= e if e > h else e <= first < h


@helper
def stretch(chart, h, lane, e):
    """The number of a lane up to e, in the arrays of items."""
    return (h * chart.lanes + lane) * (chart.n + 1) + e


@helper
def chain_item(chart, h, lane, e, c, p):
    """The number of a chain."""
    return chart.start[CHAIN] + (stretch(chart, h, lane, e) * chart.counts + c) * (chart.n + 1) + p


@helper
def step_item(chart, h, lane, mid, c, m):
    """The number of a step."""
    size = chart.n + 1
    at = ((h * chart.lanes + lane) * (chart.counts + 1) + c) * size + m
    return chart.start[STEP] + at * size + mid


@helper
def close_item(chart, h, lane, e, c):
    """The number of a close."""
    return chart.start[CLOSE] + stretch(chart, h, lane, e) * chart.counts + c


@helper
def closed_item(chart, h, lane, e):
    """The number of a closed."""
    return chart.start[CLOSED] + stretch(chart, h, lane, e)


@helper
def tree_item(chart, m, low, high, f):
    """The number of a tree."""
    size = chart.n + 1
    return chart.start[TREE] + ((m * size + low) * size + high) * chart.firsts + f


@helper
def whole_item(chart, h, m, low, high):
    """The number of a whole, which is a tree if first modifiers do not matter."""
    if chart.firsts == 1:
        return tree_item(chart, m, low, high, 0)
    return whole_run(chart, h, m, low, high)


@helper
def whole_run(chart, h, m, low, high):
    """Where a whole stands; those that a chain of h is summed over stand in a row.

    If first modifiers do not matter, wholes on the right are copies of trees.
    """
    size = chart.n + 1
    if chart.firsts == 1:
        if h > m:
            return tree_item(chart, m, low, high, 0)
        return chart.start[WHOLE] + (m * size + high) * size + low
    if h > m:
        return chart.start[WHOLE] + ((h * size + m) * size + low) * size + high
    return chart.start[WHOLE] + ((h * size + m) * size + high) * size + low


@helper
def link_weight(chart, h, c, p, m):
    """Where the score of a link is."""
    size = chart.n + 1
    return 1 + ((h * chart.counts + c) * size + m) * size + p


@helper
def stop_weight(chart, h, side, c, p):
    """Where the score of a stop is."""
    size = chart.n + 1
    links = size * size * size * chart.counts
    return 1 + links + ((h * 2 + side) * chart.counts + c) * size + p


@helper
def first_weight(chart, h, m, f):
    """Where the score of a first modifier is."""
    size = chart.n + 1
    before = size * size * size * chart.counts + size * size * chart.counts * 2
    return 1 + before + (h * size + m) * size + f
