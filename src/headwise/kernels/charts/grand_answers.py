# mypy: allow-untyped-defs
"""Best trees of grand-siblings and grand-tri-siblings with all arcs alive, and how items are built.

Charts are filled by `grand`. The array of a chart comes from outside: NumPy asks the system for
large pages, of which a large chart needs few, and making many small ones takes as long as search.
Scores come array by array: a tuple of them takes a microsecond more to be taken from Python.
"""

import numpy as np
from numba.extending import overload

from headwise.kernels.charts.backtrace import NOTHING, best_tree, hyperedges, mark
from headwise.kernels.charts.grand import fill
from headwise.kernels.charts.grand_chart import (
    GRAND_SIBLING,
    GRAND_TRI_SIBLING,
    GRANDCHILD,
    SIBLING,
    TRI_SIBLING,
    GrandChart,
    always_added,
    between_siblings,
    far_half,
    goal_of,
    grands_of,
    half_at,
    near_half,
    new_chart,
    open_at,
    pair_at,
    part_at,
    stop_at,
)
from headwise.kernels.charts.higher_chart import PartScores
from headwise.kernels.charts.higher_hyperedges import place_of_pair, row_of
from headwise.kernels.charts.kbest import kbest_trees
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.primitives.lanes import WIDTH
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.jit import embedded, inlined, kernel


@kernel
def filled_chart(
    values,
    arc,
    spans,
    sibling,
    grandchild,
    grand_sibling,
    tri_sibling,
    grand_tri_sibling,
    stop,
    single_root,
    tri,
):
    """Make and fill a chart. All parts are scored; without `tri`, those of two siblings are not."""
    parts = PartScores(
        arc,
        spans,
        sibling,
        grandchild,
        grand_sibling,
        tri_sibling,
        grand_tri_sibling,
        stop,
    )
    chart = new_chart(values, parts, single_root, tri)
    fill(chart)
    return chart


@kernel
def best(values, arc, spans, sib, child, grand_sib, tri_sib, grand_tri, stop, single_root, tri):
    """The heads and the score of the best tree; no heads and -inf if there is none."""
    chart = filled_chart(
        values, arc, spans, sib, child, grand_sib, tri_sib, grand_tri, stop, single_root, tri
    )
    total = values[goal_of(chart)]
    if total == -INFINITY:
        return np.empty(0, np.int64), total
    return best_tree(chart, goal_of(chart), chart.n), total


@kernel
def kbest(values, arc, spans, sib, child, grand_sib, tri_sib, grand_tri, stop, single_root, tri, k):
    """The heads and scores of the k best trees, or of as many as there are."""
    chart = filled_chart(
        values, arc, spans, sib, child, grand_sib, tri_sib, grand_tri, stop, single_root, tri
    )
    return kbest_trees(chart, goal_of(chart), chart.n, k)


@overload(hyperedges, jit_options={"forceinline": True})
def grand_edges(chart, item, local, first, second):
    """The ways to build an item of a GrandChart."""
    if getattr(chart, "instance_class", None) is not GrandChart:
        return None

    def find(chart, item, local, first, second):
        if item < chart.open_start:
            return half_edges(chart, item, local, first, second)
        if item < chart.between_start:
            return open_edges(chart, item, local, first, second)
        if item < chart.pair_start[0]:
            return between_edges(chart, item, local, first, second)
        return pair_edges(chart, item, local, first, second)

    return find


@inlined
def unless_alone(chart, item, alone):
    """The item of a half, or NOTHING and its value if it is a word alone."""
    return (NOTHING, chart.values[item]) if alone else (item, 0.0)


@embedded
def half_edges(chart, item, local, first, second):
    """The ways to build a half: its last modifier."""
    place, column = divmod(item - WIDTH, chart.columns)
    h, e = divmod(place, chart.n + 2)
    side = 1 if e > h else 0
    e -= side
    d, always, stop = abs(e - h), always_added(chart, h, e), stop_at(chart, h, side)
    lane = column % WIDTH
    opened = open_at(chart, h, side, column - lane) + lane
    for x in range(d):
        first[x] = opened + WIDTH * (x + 1)
        second[x], alone = unless_alone(chart, far_half(chart, h, side, x + 1, e), x + 1 == d)
        local[x] = always + alone + chart.parts.stop[stop + x + 1]
    return d


@inlined
def open_item(chart, item):
    """The row, the distance of the last modifier and the column of an open item."""
    size = chart.n + 1
    vector, lane = divmod(item - chart.open_start, WIDTH)
    block, d = divmod(vector, size)
    h, x = divmod(block, chart.columns // WIDTH)
    side = 1 if d > h else 0
    return 2 * h + side, d - side * h, x * WIDTH + lane


@inlined
def pair_item(chart, item):
    """The row, the distances of modifier and sibling (0: none), and the column of a pair item."""
    found = row_of(chart.pair_start, item)
    vector, lane = divmod(item - chart.pair_start[found], WIDTH)
    j, i = place_of_pair(vector)
    row, x = divmod(found, chart.columns // WIDTH)
    if row % 2 == 1:
        x = chart.columns // WIDTH - 1 - x
    return row, j + 1, i + 1, x * WIDTH + lane


@inlined
def place_of_grand(chart, row, d, column):
    """Which of the heads of its head, as they are stored, an item's column stands for."""
    h, side = divmod(row, 2)
    grands, begin = grands_of(chart, h, side, d)
    lower = h if side == 1 else h - d
    return (column - begin + lower) % grands


@inlined
def pair_parts(chart, row, d, column):
    """What all siblings of a modifier share, and where sibling and grand-sibling parts start."""
    parts, grand = chart.parts, place_of_grand(chart, row, d, column)
    h, side = divmod(row, 2)
    shared = parts.arc[h, h + d if side == 1 else h - d]
    shared += parts.grandchild[part_at(chart, GRANDCHILD, row, d) + grand]
    siblings = part_at(chart, SIBLING, row, d)
    return shared, siblings, part_at(chart, GRAND_SIBLING, row, d) + grand * d


@inlined
def triple_parts(chart, row, d, k, column):
    """Where the parts of a modifier and its sibling start that know an inner sibling."""
    inside, pairs = 1 + pairs_before(k - 1) if k > 0 else 0, 1 + pairs_before(d - 1)
    start = part_at(chart, GRAND_TRI_SIBLING, row, d)
    grand = place_of_grand(chart, row, d, column)
    return part_at(chart, TRI_SIBLING, row, d) + inside, start + grand * pairs + inside


@embedded
def open_edges(chart, item, local, first, second):
    """The ways to build an open item: the sibling of its last modifier."""
    row, d, column = open_item(chart, item)
    h, side = divmod(row, 2)
    count = 1 if h == 0 and chart.single_root else d
    if chart.tri:
        lane, pairs = column % WIDTH, pair_at(chart, row, column) + WIDTH * pairs_before(d - 1)
        for k in range(count):
            local[k], first[k], second[k] = 0.0, pairs + lane + WIDTH * k, NOTHING
        return count
    sibling, grand_sibling = chart.parts.sibling, chart.parts.grand_sibling
    shared, x, y = pair_parts(chart, row, d, column)
    for k in range(count):
        local[k] = shared + sibling[x + k] + grand_sibling[y + k]
        first[k] = item - WIDTH * (d - k)
        second[k] = between_siblings(chart, h, side, k, d)
    first[0], alone = unless_alone(chart, near_half(chart, h, side, d), d == 1)
    local[0] += alone
    second[0] = NOTHING
    return count


@embedded
def pair_edges(chart, item, local, first, second):
    """The ways to build a pair: the sibling of the inner one."""
    row, d, k, column = pair_item(chart, item)
    h, side = divmod(row, 2)
    parts = chart.parts
    shared, x, y = pair_parts(chart, row, d, column)
    shared += parts.sibling[x + k] + parts.grand_sibling[y + k]
    tri, grand_tri = triple_parts(chart, row, d, k, column)
    if k == 0:
        first[0], alone = unless_alone(chart, near_half(chart, h, side, d), d == 1)
        local[0] = shared + parts.tri_sibling[tri] + parts.grand_tri_sibling[grand_tri] + alone
        second[0] = NOTHING
        return 1
    inner = item - WIDTH * (pairs_before(d - 1) + k - pairs_before(k - 1))
    between = between_siblings(chart, h, side, k, d)
    for r in range(k):
        local[r] = shared + parts.tri_sibling[tri + r] + parts.grand_tri_sibling[grand_tri + r]
        first[r], second[r] = inner + WIDTH * r, between
    return k


@embedded
def between_edges(chart, item, local, first, second):
    """The ways to build what is between siblings: where their halves meet."""
    place, column = divmod(item - chart.between_start, chart.columns)
    hi, lo = divmod(place, chart.n + 1)
    right = column + chart.columns - chart.n + hi - lo
    for x in range(hi - lo):
        to_right = half_at(chart, lo, 1, lo + x) + right
        to_left = half_at(chart, hi, 0, lo + x + 1) + column
        first[x], alone = unless_alone(chart, to_right, x == 0)
        second[x], other_alone = unless_alone(chart, to_left, lo + x + 1 == hi)
        local[x] = alone + other_alone
    return hi - lo


@overload(mark, jit_options={"forceinline": True})
def grand_mark(chart, item, heads):
    """Read the arc off an item of a GrandChart."""
    if getattr(chart, "instance_class", None) is not GrandChart:
        return None

    def write(chart, item, heads):
        if chart.open_start <= item < chart.between_start:
            row, d, _ = open_item(chart, item)
        elif item >= chart.pair_start[0]:
            row, d, _, _ = pair_item(chart, item)
        else:
            return
        h, side = divmod(row, 2)
        heads[h + d if side == 1 else h - d] = h

    return write
