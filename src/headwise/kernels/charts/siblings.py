# mypy: allow-untyped-defs
"""Adjacent siblings with all arcs alive (McDonald & Pereira 2006). O(n³) time, O(n²) space.

The recurrence of `higher` for plain contexts. Where every arc lives, places are computed instead of
looked up, and runs are never broken, which is twice as fast. Items:

    half[h, side, e]   the half of h on one side that reaches to e, closed by its STOP part
    open[h, m]         h with its modifiers up to m, and the near half of m
    between[lo, hi]    what is between neighbouring modifiers lo and hi of a head: a half of each

    between[lo, hi]  = Σ_r half[lo, right, r] × half[hi, left, r + 1]
    open[h, m]       = arc(h, m) × (near(h, m) × sibling(h, h, m)
                                    + Σ_s open[h, s] × between[s, m] × sibling(h, s, m))
    half[h, side, e] = spans[h, e] × Σ_m open[h, m] × stop(h, m) × half[m, side, e]

where near(h, m) is the inward half of m that reaches to the neighbour of h. A single root has
open[0, m] = arc(0, m) × near(0, m) × sibling(0, 0, m).
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from headwise.kernels.charts.backtrace import NOTHING, best_tree, hyperedges, mark, sample_trees
from headwise.kernels.charts.kbest import kbest_trees
from headwise.kernels.primitives.semiring import INFINITY, LOG, MAX, join, join3, join_and, plus
from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import helper, inlined, kernel, maker

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class SiblingChart(NamedTuple):
    """A chart, and the scores it is filled from. All matrices are kept as rows, one after another.

    `values` holds the items: half by [h, e] with the left ones before the right ones; open by
    [h, m] for modifiers to the right and by [h, n - m] for those to the left, so that both run
    outwards; between by [hi, lo]. The goal is item n + 1, the root's half.

    The rest is what joins read beside them, in the order in which they do.
    """

    values: Floats
    ends: Floats  # half by [e, h], the right ones before the left ones
    closing: Floats  # open × stop by [h, m]
    mirror: Floats  # between by [lo, n - hi]
    arc: Floats  # [head, modifier]
    spans: Floats  # [head, end]
    sibling: Floats  # in the order of `rows`, like `stop`
    stop: Floats
    sibling_start: Integers  # [2 head + side]: where the parts of its modifiers begin
    stop_start: Integers
    single_root: bool


@maker
def new_chart(arc, spans, sibling, stop, single_root):
    """A chart to be filled. Part types that are not scored have an empty array."""
    size = arc.shape[0]
    n = size - 1
    starts = np.zeros((2, 2 * size + 1), np.int64)
    for row in range(2 * size):
        h, right = divmod(row, 2)
        arcs = n - h if right == 1 else max(0, h - 1)
        starts[0, row + 1] = starts[0, row] + arcs * (arcs + 1) // 2
        starts[1, row + 1] = starts[1, row] + arcs + 1
    if len(sibling) == 0:
        sibling = np.zeros(starts[0, -1])
    if len(stop) == 0:
        stop = np.zeros(starts[1, -1])
    values, ends = np.empty(size * (4 * size + 1)), np.empty(size * (size + 1))
    closing, mirror = np.empty(size * size), np.empty(size * size)
    return SiblingChart(
        values, ends, closing, mirror, arc, spans, sibling, stop, starts[0], starts[1], single_root
    )


@inlined
def blocks(size):
    """Where in `values` open to the right, open to the left and between begin."""
    halves = size * (size + 1)
    return halves, halves + size * size, halves + 2 * size * size


@helper
def fill(semiring, owned_chart):
    """Fill a chart, narrow spans first. Those of one width do not need each other."""
    chart = borrowed(owned_chart)
    values, ends, stop_start = chart.values, chart.ends, chart.stop_start
    size = chart.arc.shape[0]
    for h in range(size):
        place = h * (size + 1) + h
        left, right = chart.stop[stop_start[2 * h]], chart.stop[stop_start[2 * h + 1]]
        values[place], values[place + 1] = left, right
        ends[place], ends[place + 1] = right, left
    values[NOTHING] = 0.0
    for width in range(1, size - 1):
        for lo in range(1, size - width):
            fill_span(semiring, chart, size, lo, lo + width)
    fill_root(semiring, chart, size)


@inlined
def fill_span(semiring, chart, size, lo, hi):
    """Fill in all items over the words lo to hi."""
    values, ends, closing, mirror = chart.values, chart.ends, chart.closing, chart.mirror
    to_right, to_left, between = blocks(size)
    low, high, n, inner = lo * (size + 1), hi * (size + 1), size - 1, hi - lo - 1
    met = join(semiring, values, low + lo + 1, values, high + lo + 1, inner + 1)
    values[between + hi * size + lo] = mirror[lo * size + n - hi] = met

    part = chart.sibling_start[2 * lo + 1] + inner * (inner + 1) // 2
    a, b = to_right + lo * size + lo + 1, between + hi * size + lo + 1
    first = values[high + lo + 1] + chart.sibling[part]
    others = join3(semiring, values, a, values, b, chart.sibling, part + 1, inner)
    last = plus(semiring, first, others) + chart.arc[lo, hi]
    values[to_right + lo * size + hi] = last
    last += chart.stop[chart.stop_start[2 * lo + 1] + inner + 1]
    closing[lo * size + hi] = last
    last += values[high + hi + 1]
    half = join_and(semiring, last, closing, lo * size + lo + 1, ends, high + lo + 1, inner)
    values[low + hi + 1] = ends[high + lo] = half + chart.spans[lo, hi]

    part = chart.sibling_start[2 * hi] + inner * (inner + 1) // 2
    a, b = to_left + hi * size + n - hi + 1, lo * size + n - hi + 1
    first = values[low + hi] + chart.sibling[part]
    others = join3(semiring, values, a, mirror, b, chart.sibling, part + 1, inner)
    last = plus(semiring, first, others) + chart.arc[hi, lo]
    values[to_left + hi * size + n - lo] = last
    last += chart.stop[chart.stop_start[2 * hi] + inner + 1]
    closing[hi * size + lo] = last
    last += values[low + lo]
    half = join_and(semiring, last, closing, hi * size + lo + 1, ends, low + lo + 2, inner)
    values[high + lo] = ends[low + hi + 1] = half + chart.spans[hi, lo]


@inlined
def fill_root(semiring, chart, size):
    """Fill in the items of the root; of its halves, only the goal is used."""
    values, n = chart.values, size - 1
    to_right, _, between = blocks(size)
    for m in range(1, size):
        part = chart.sibling_start[1] + (m - 1) * m // 2
        value = values[m * (size + 1) + 1] + chart.sibling[part]
        if not chart.single_root:
            a, b = to_right + 1, between + m * size + 1
            others = join3(semiring, values, a, values, b, chart.sibling, part + 1, m - 1)
            value = plus(semiring, value, others)
        values[to_right + m] = value + chart.arc[0, m]
        chart.closing[m] = values[to_right + m] + chart.stop[chart.stop_start[1] + m]
    goal = join(semiring, chart.closing, 1, chart.ends, n * (size + 1) + 1, n)
    values[size] = goal + chart.spans[0, n] + chart.stop[0]


@kernel
def filled_chart(semiring, arc, spans, sibling, stop, single_root):
    """Make and fill a chart."""
    chart = new_chart(arc, spans, sibling, stop, single_root)
    fill(semiring, chart)
    return chart


@kernel
def best(arc, spans, sibling, stop, single_root):
    """The heads and the score of the best tree; no heads and -inf if there is none."""
    chart = filled_chart(MAX, arc, spans, sibling, stop, single_root)
    goal = arc.shape[0]
    if chart.values[goal] == -INFINITY:
        return np.empty(0, np.int64), -INFINITY
    return best_tree(chart, goal, goal - 1), chart.values[goal]


@kernel
def kbest(arc, spans, sibling, stop, single_root, k):
    """The heads and scores of the k best trees, or of as many as there are."""
    chart = filled_chart(MAX, arc, spans, sibling, stop, single_root)
    return kbest_trees(chart, arc.shape[0], arc.shape[0] - 1, k)


@kernel
def sample(arc, spans, sibling, stop, single_root, uniforms):
    """The heads of random trees, one for each row of random numbers; none if there is no tree."""
    chart = filled_chart(LOG, arc, spans, sibling, stop, single_root)
    goal = arc.shape[0]
    if chart.values[goal] == -INFINITY:
        return np.empty((0, goal), np.int64)
    return sample_trees(chart, goal, goal - 1, uniforms)


@overload(hyperedges, jit_options={"forceinline": True})
def sibling_edges(chart, item, local, first, second):
    """The ways to build an item of a SiblingChart."""
    if getattr(chart, "instance_class", None) is not SiblingChart:
        return None

    def find(chart, item, local, first, second):
        size = chart.arc.shape[0]
        to_right, _, between = blocks(size)
        if item < to_right:
            return half_edges(chart, size, item, local, first, second)
        if item < between:
            return open_edges(chart, size, item, local, first, second)
        return between_edges(chart, size, item - between, local, first, second)

    return find


@inlined
def half_item(chart, size, h, side, e):
    """The item of a half, or NOTHING and its value if it is a word alone."""
    item = h * (size + 1) + e + side
    if h == e:
        return NOTHING, chart.values[item]
    return item, 0.0


@inlined
def head_and_modifier(size, item):
    """The arc of an open item, and the side it is on."""
    to_right, to_left, _ = blocks(size)
    if item < to_left:
        h, m = divmod(item - to_right, size)
        return h, m, 1
    h, m = divmod(item - to_left, size)
    return h, size - 1 - m, 0


@inlined
def half_edges(chart, size, item, local, first, second):
    """The ways to build a half: its last modifier."""
    h, e = divmod(item, size + 1)
    side = 1 if e > h else 0
    e -= side
    to_right, to_left, _ = blocks(size)
    opened = to_right + h * size + h if side == 1 else to_left + h * size + size - 1 - h
    always = chart.spans[h, e] + (chart.stop[0] if h == 0 else 0.0)
    count, step = abs(e - h), 1 if side == 1 else -1
    for x in range(count):
        m = h + (x + 1) * step
        first[x] = opened + x + 1
        second[x], alone = half_item(chart, size, m, side, e)
        local[x] = always + alone + chart.stop[chart.stop_start[2 * h + side] + x + 1]
    return count


@inlined
def open_edges(chart, size, item, local, first, second):
    """The ways to build an open item: the sibling of its last modifier."""
    h, m, side = head_and_modifier(size, item)
    inner, step = abs(m - h) - 1, 1 if side == 1 else -1
    count = 1 if h == 0 and chart.single_root else inner + 1
    part = chart.sibling_start[2 * h + side] + inner * (inner + 1) // 2
    arc, between = chart.arc[h, m], blocks(size)[2]
    first[0], alone = half_item(chart, size, m, 1 - side, h + step)
    local[0], second[0] = arc + chart.sibling[part] + alone, NOTHING
    for x in range(1, count):
        s = h + x * step
        local[x] = arc + chart.sibling[part + x]
        first[x] = item - inner - 1 + x
        second[x] = between + max(s, m) * size + min(s, m)
    return count


@inlined
def between_edges(chart, size, place, local, first, second):
    """The ways to build what is between siblings: where their halves meet."""
    hi, lo = divmod(place, size)
    for x in range(hi - lo):
        first[x], left_alone = half_item(chart, size, lo, 1, lo + x)
        second[x], right_alone = half_item(chart, size, hi, 0, lo + x + 1)
        local[x] = left_alone + right_alone
    return hi - lo


@overload(mark, inline="always")
def sibling_mark(chart, item, heads):
    """Read the arc off an item of a SiblingChart."""
    if getattr(chart, "instance_class", None) is not SiblingChart:
        return None

    def write(chart, item, heads):
        size = chart.arc.shape[0]
        if blocks(size)[0] <= item < blocks(size)[2]:
            h, m, _ = head_and_modifier(size, item)
            heads[m] = h

    return write
