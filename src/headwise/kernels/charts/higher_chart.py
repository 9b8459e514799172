# mypy: allow-untyped-defs
"""The chart of orders two to four: what is where, and what attaching and closing cost.

The items are those of `higher`. Indices are looked up in compressed rows (`pruned_rows`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.parts.pruned_rows import PartRows
from headwise.kernels.primitives.runs import add_run, copy_run, fill_run, raise_run
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.jit import helper, inlined, maker

Floats = NDArray[np.float64]


class PartScores(NamedTuple):
    """Scores in the order of the rows; a part type that is not scored has an empty array."""

    arc: Floats  # [head, modifier]
    spans: Floats  # [head, end]
    sibling: Floats
    grandchild: Floats
    grand_sibling: Floats
    tri_sibling: Floats
    grand_tri_sibling: Floats
    stop: Floats


class HigherChart(NamedTuple):
    """A chart. `values` holds NOTHING, then half, open, between and pair items."""

    values: Floats
    open_start: int
    between_start: int
    pair_start: int
    goal: int
    rows: PartRows
    parts: PartScores
    single_root: bool
    tri: bool  # whether there are pair items


class Workspace(NamedTuple):
    """Buffers for one row of a head at a time."""

    base: Floats  # what attaching a modifier costs, by sibling
    closing: Floats  # what closing a half costs, by last modifier
    seen: NDArray[np.int64]  # [2 head + side]: how many of its modifiers are within the span


@maker
def new_chart(rows, parts, single_root, tri):
    """A chart to be filled."""
    n, size = rows.n, rows.n + 1
    opened = 1 + 2 * len(rows.context_grand) * size
    between = opened + rows.chain_start[-1]
    pairs = between + (rows.sibling_start[-1] if rows.grand else size * size)
    goal = 1 + (2 * rows.context_half[0] + 1) * size + n
    values = np.empty(pairs + (rows.pair_start[-1] if tri else 0))
    values[0] = 0.0
    for start in rows.chain_start[:-1]:
        values[opened + start] = 0.0
    return HigherChart(values, opened, between, pairs, goal, rows, parts, single_root, tri)


@maker
def new_workspace(n):
    """A workspace for a sentence of n words."""
    return Workspace(np.empty(n + 2), np.empty(n + 2), np.zeros(2 * n + 2, np.int64))


@inlined
def half_at(n, index, side, end):
    """The item of a half in a chart of n words, by the index under which its context is kept."""
    return 1 + (2 * index + side) * (n + 1) + end


@inlined
def span_at(chart, s, m):
    """The item of what is between s and m, in plain contexts."""
    return chart.between_start + max(s, m) * (chart.rows.n + 1) + min(s, m)


@inlined
def neighbour(h, side):
    """The word beside h on a side."""
    return h + 1 if side == 1 else h - 1


@inlined
def near_half(chart, h, side, a):
    """The inward half of the modifier of arc a that reaches to the neighbour of its head."""
    return half_at(chart.rows.n, chart.rows.arc_half[a], 1 - side, neighbour(h, side))


@inlined
def is_between(rows, c, h, e):
    """Whether the grandparent of context c is within the span from h to e, which cannot be."""
    return rows.grand and h > 0 and min(h, e) <= rows.context_grand[c] <= max(h, e)


@inlined
def always_added(chart, h, e):
    """What every half of h that reaches to e has: for the root, that is also its left STOP."""
    score = chart.parts.spans[h, e]
    if h == 0 and len(chart.parts.stop) > 0:
        score += chart.parts.stop[0]
    return score


@inlined
def spans_from(chart, m, side):
    """Where the items between m and the words inside of it begin, and how far apart they are."""
    size = chart.rows.n + 1
    start = m * size if side == 1 else m
    return chart.between_start + start, 1 if side == 1 else size


@helper
def pick_run(out, at, values, start, step, indices, first, count):
    """Copy what is in `values` at some indices into a run."""
    x, y, z, stride = np.uint64(at), np.uint64(start), np.uint64(first), np.uint64(step)
    for k in range(np.uint64(count)):
        out[x + k] = values[y + stride * np.uint64(indices[z + k])]


@inlined
def base_row(chart, base, h, e, side, a, j):
    """What attaching modifier j of a row (arc a, word e) costs in all contexts, by sibling."""
    rows, sibling = chart.rows, chart.parts.sibling
    base[0] = chart.values[near_half(chart, h, side, a)]
    if chart.single_root and h == 0:
        fill_run(base, 1, j, -INFINITY)
    elif rows.grand:
        copy_run(base, 1, chart.values, chart.between_start + rows.sibling_start[a] + 1, j)
    else:
        start, step = spans_from(chart, e, side)
        pick_run(base, 1, chart.values, start, step, rows.arc_modifier, a - j, j)
    raise_run(base, 0, j + 1, chart.parts.arc[h, e])
    if len(sibling) > 0:
        add_run(base, 0, sibling, rows.sibling_start[a], j + 1)


@inlined
def closing_row(chart, closing, row, e, side, count):
    """What closing a half at e costs in all contexts, by last modifier."""
    first, stop, rows = chart.rows.row_start[row], chart.parts.stop, chart.rows
    start, step = half_at(chart.rows.n, 0, side, e), 2 * (rows.n + 1)
    pick_run(closing, 0, chart.values, start, step, rows.arc_half, first, count)
    if len(stop) > 0:
        add_run(closing, 0, stop, first + row + 1, count)
