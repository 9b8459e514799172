# mypy: allow-untyped-defs
"""The chart of grand-siblings and grand-tri-siblings with all arcs alive: what is where.

Items of a head h are kept for all its possible heads g side by side, in *columns*. These run in a
circle, from h + 1 to the last word, then from the root to h - 1. As g is outside the span of an
item, what is left of the circle is one run: for a span to the left of h it begins with the circle,
for one to the right it ends with it. So that both are cut into the same vectors of eight, items to
the right have their last column last, and those to the left their first one first:

    left    [ h + 1 … n, 0 … lo - 1 │ (not outside the span) ]
    right   [ (not outside the span) │ hi + 1 … n, 0 … h - 1 ]

The root has no head. Its items have one column, the last.

For a modifier, the word that it modifies is the head of its head: places of single columns follow
from the distance k between the two alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts.higher_chart import PartScores
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.primitives.lanes import WIDTH
from headwise.kernels.runtime.jit import inlined, kernel, maker

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SIBLING, TRI_SIBLING = 1, 2
GRANDCHILD, GRAND_SIBLING, GRAND_TRI_SIBLING = 3, 4, 5
"""Part types by the number of siblings that they know, with three more for those with a head."""


class GrandChart(NamedTuple):
    """A chart. `values` holds NOTHING, then half, open, between and pair items."""

    values: Floats
    open_start: int
    between_start: int
    pair_start: Integers  # [row, vector], counted from the vector that is alive longest
    n: int
    columns: int
    starts: Integers  # [part type, 2 head + side]: where the parts of its modifiers start
    within: Integers  # [part type, distance]: and those of one modifier, counted from there
    parts: PartScores
    single_root: bool
    tri: bool  # whether there are pair items


@maker
def find_starts(n):
    """Where parts start: by type and row, and within a row by distance (see `rows`)."""
    within, starts = np.zeros((6, n + 2), np.int64), np.zeros((6, 2 * n + 3), np.int64)
    for d in range(1, n + 1):
        counts = (1, d, 1 + pairs_before(d - 1))
        for kind in range(3):
            within[kind, d + 1] = within[kind, d] + counts[kind]
            within[kind + 3, d + 1] = within[kind + 3, d] + counts[kind] * (n - d)
    for row in range(2 * n + 2):
        for kind in range(6):
            count = within[kind_in_row(kind, row), row_length(n, row) + 1]
            starts[kind, row + 1] = starts[kind, row] + count
    return starts, within


@inlined
def kind_in_row(kind, row):
    """The part type; for modifiers of the root, which has no head, the one without a head."""
    return kind - 3 if row < 2 and kind >= 3 else kind


@inlined
def row_length(n, row):
    """The number of modifiers that a head can have on a side (row = 2 head + side)."""
    return n - row // 2 if row % 2 == 1 else max(0, row // 2 - 1)


@maker
def find_pairs(n, first):
    """Where the pair items of each row and vector start; a vector is alive up to some distance."""
    vectors = -(-n // WIDTH)
    start = np.empty(2 * (n + 1) * vectors + 1, np.int64)
    start[0] = first
    for row in range(2 * n + 2):
        for x in range(vectors):
            longest = n - WIDTH * x - 1 if row > 1 else (n if x == 0 else 0)
            pairs = pairs_before(max(0, min(row_length(n, row), longest)))
            start[row * vectors + x + 1] = start[row * vectors + x] + WIDTH * pairs
    return start


@inlined
def find_blocks(n):
    """The number of columns, and where open, between and pair items start."""
    size, columns = n + 1, -(-n // WIDTH) * WIDTH
    opened = WIDTH + size * (size + 1) * columns
    between = opened + size * size * columns
    return columns, opened, between, between + size * size * columns


@kernel
def chart_size(n, tri):
    """How many values a chart has."""
    pairs = find_blocks(n)[3]
    if tri:
        pairs = find_pairs(n, pairs)[-1]
    return pairs + WIDTH  # the last vector may be read beyond the last item


@maker
def new_chart(values, parts, single_root, tri):
    """A chart to be filled, in an array of `chart_size`."""
    n = parts.arc.shape[0] - 1
    columns, opened, between, pairs = find_blocks(n)
    pair_start = find_pairs(n, pairs) if tri else np.array([pairs])
    starts, within = find_starts(n)
    return GrandChart(
        values, opened, between, pair_start, n, columns, starts, within, parts, single_root, tri
    )


@inlined
def half_at(chart, h, side, e):
    """The first column of the half of h that reaches to e."""
    return WIDTH + (h * (chart.n + 2) + e + side) * chart.columns


@inlined
def open_at(chart, h, side, c):
    """The vector at column c of "no modifiers yet"; that of the k-th modifier is 8 k further."""
    return chart.open_start + (h * chart.columns + c) * (chart.n + 1) + side * h * WIDTH


@inlined
def between_at(chart, lo, hi):
    """The first column, as of items to the left of hi, of what is between lo and hi."""
    return chart.between_start + (hi * (chart.n + 1) + lo) * chart.columns


@inlined
def pair_at(chart, row, c):
    """The vector at column c of a row's first pair; others follow as in `pairs_before`."""
    vectors, x = chart.columns // WIDTH, c // WIDTH
    return chart.pair_start[row * vectors + (vectors - 1 - x if row % 2 == 1 else x)]


@inlined
def goal_of(chart):
    """The item of the root's half that reaches to the last word."""
    return half_at(chart, 0, 1, chart.n) + chart.columns - 1


@inlined
def near_half(chart, h, side, k):
    """The item of the inward half of the word k from h that reaches to the neighbour of h."""
    if side == 1:
        return half_at(chart, h + k, 0, h + 1) + chart.n - k
    return half_at(chart, h - k, 1, h - 1) + chart.columns - chart.n + k - 1


@inlined
def far_half(chart, h, side, k, e):
    """The item of the outward half of the word k from h that reaches to e."""
    if side == 1:
        return half_at(chart, h + k, 1, e) + chart.columns - k
    return half_at(chart, h - k, 0, e) + k - 1


@inlined
def between_siblings(chart, h, side, k, d):
    """The item between the modifiers of h that are k and d from it."""
    if side == 1:
        return between_at(chart, h + k, h + d) + chart.n - d
    return between_at(chart, h - d, h - k) + k - 1


@inlined
def part_at(chart, kind, row, d):
    """Where the parts of a type of the modifier d from its head start."""
    return chart.starts[kind, row] + chart.within[kind_in_row(kind, row), d]


@inlined
def stop_at(chart, h, side):
    """Where the STOP parts of h start: that of no modifiers."""
    return h * (chart.n + 1) + min(h, 1) + side * max(h, 1)


@inlined
def grands_of(chart, h, side, d):
    """How many columns items over the d words from h have, and the first of them."""
    grands = chart.n - d if h > 0 else 1
    return grands, chart.columns - grands if side == 1 else 0


@inlined
def always_added(chart, h, e):
    """What every half of h that reaches to e has: for the root, that is also its left STOP."""
    return chart.parts.spans[h, e] + (chart.parts.stop[0] if h == 0 else 0.0)
