# mypy: allow-untyped-defs
"""Orders two to four: one recurrence for all, filled from the inside.

A *context* c is what the modifiers of a head h are scored in: h alone (siblings, tri-siblings) or h
with its own head g (grandchildren, grand-siblings, grand-tri-siblings); see `rows`. Writing c → m
for the context in which modifier m of c's head is a head itself, the items are

    half[c, side, e]     the half of c's head on one side that reaches to e, closed by its STOP part
    open[c, m]           c's head with its modifiers up to m, and the near half of m
    pair[c, s, m]        the same, knowing that s is the modifier before m (tri-siblings only)
    between[h, s, m]     what is between neighbouring modifiers s and m of h: a half of each

    between[h, s, m] = Σ_r half[h → s, outwards, r] × half[h → m, inwards, next to r]
    open[c, m]       = Σ_s open[c, s] × between[h, s, m] × parts(c, s, m)
    pair[c, s, m]    = Σ_r pair[c, r, s] × between[h, s, m] × parts(c, r, s, m)
    open[c, m]       = Σ_s pair[c, s, m]
    half[c, side, e] = spans[h, e] × Σ_m open[c, m] × stop(h, m) × half[c → m, side, e]

where s and r may be "none": then open[c, none] = 1, and instead of between stands the inward half
of m that reaches to the neighbour of h. In plain contexts between[h, s, m] does not depend on h and
is computed once for a span. O(n³) time for siblings, O(n⁴) for tri-siblings and grand-siblings,
O(n⁵) for grand-tri-siblings (Ma & Zhao 2012; the first three Koo & Collins 2010).

A single root: the root's first modifier may have no second, that is, no between.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.rows import Rows, pairs_before
from headwise.kernels.runs import add_run, copy_run, fill_run, raise_run
from headwise.kernels.semiring import INFINITY, join, join1, join3, plus

Floats = NDArray[np.float64]


class PartScores(NamedTuple):
    """Scores in the order of the rows; a part type that is not scored has an empty array."""

    arc: Floats  # [arc]
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
    rows: Rows
    parts: PartScores
    single_root: bool
    tri: bool  # whether there are pair items
    ends: Floats  # half by [side, end, slot of its arc], so that all runs are rows
    mirror: Floats  # plain contexts: between for left modifiers, by mirrored places
    slot: NDArray[np.int64]  # [arc]: its place in `ends`
    width: int  # the number of slots


class Desk(NamedTuple):
    """Room to work in."""

    base: Floats  # what attaching a modifier costs, by sibling
    closing: Floats  # what closing a half costs, by last modifier
    seen: NDArray[np.int64]  # [2 head + side]: how many of its modifiers are within the span


@helper
def new_chart(rows, parts, single_root, tri):
    """A chart to be filled."""
    n, arcs, size = rows.n, len(rows.arc_modifier), rows.n + 1
    opened = 1 + 2 * len(rows.context_grand) * size
    between = opened + rows.chain_start[-1]
    pairs = between + (rows.sibling_start[-1] if rows.grand else size * size)
    goal = 1 + (2 * rows.context_half[0] + 1) * size + n
    values = np.empty(pairs + (rows.pair_start[-1] if tri else 0))
    values[0] = 0.0
    for start in rows.chain_start[:-1]:
        values[opened + start] = 0.0
    width = arcs if rows.grand else size
    slot = np.arange(arcs)
    if not rows.grand:
        for a in range(arcs):
            slot[a] = mirrored(n, rows.arc_modifier[a] > rows.arc_head[a], rows.arc_modifier[a])
    ends, mirror = np.empty(2 * size * width), np.empty(0 if rows.grand else size * size)
    return HigherChart(
        values, opened, between, pairs, goal, rows, parts, single_root, tri,
        ends, mirror, slot, width,
    )  # fmt: skip


@helper
def new_desk(n):
    """Room for a sentence of n words."""
    return Desk(np.empty(n + 2), np.empty(n + 2), np.zeros(2 * n + 2, np.int64))


@inlined
def mirrored(n, side, place):
    """A place counted outwards: as it is to the right, from the other end to the left."""
    return place if side == 1 else n - place


@inlined
def is_run(slot, first, count):
    """Whether the slots of a row of arcs follow one another."""
    return count > 0 and slot[first + count - 1] - slot[first] == count - 1


@inlined
def gather_run(out, at, source, start, slot, first, count):
    """Copy what a row of arcs has in `source` from `start` on, where it is arranged by slot."""
    if is_run(slot, first, count):
        copy_run(out, at, source, start + slot[first], count)
    else:
        for k in range(count):
            out[at + k] = source[start + slot[first + k]]


@inlined
def join_slots(semiring, values, at, source, start, slot, first, count, scores, score_at, room):
    """The join of values, what a row of arcs has in `source`, and scores, if there are any."""
    if is_run(slot, first, count):
        begin = start + slot[first]
        if len(scores) > 0:
            total = join3(semiring, values, at, source, begin, scores, score_at, count)
        else:
            total = join(semiring, values, at, source, begin, count)
    else:
        gather_run(room, 0, source, start, slot, first, count)
        if len(scores) > 0:
            total = join3(semiring, values, at, room, 0, scores, score_at, count)
        else:
            total = join(semiring, values, at, room, 0, count)
    return total


@inlined
def half_at(chart, place, side, end):
    """The item of a half, by the place where its context is kept."""
    return 1 + (2 * place + side) * (chart.rows.n + 1) + end


@inlined
def end_at(chart, side, end):
    """Where `ends` has the halves on a side that reach to a word."""
    return (side * (chart.rows.n + 1) + mirrored(chart.rows.n, side, end)) * chart.width


@inlined
def end_slot(chart, c, h, side):
    """The slot in `ends` of the half of a context on a side; -1 if it is never an outward half."""
    rows = chart.rows
    if not rows.grand:
        slot = mirrored(rows.n, side, h)
    elif h > 0 and (h > rows.context_grand[c]) == (side == 1):
        slot = rows.context_half[c]
    else:
        slot = -1
    return slot


@inlined
def is_between(rows, c, h, e):
    """Whether the grandparent of context c is within the span from h to e, which cannot be."""
    return rows.grand and h > 0 and min(h, e) <= rows.context_grand[c] <= max(h, e)


@inlined
def near_half(chart, h, side, a):
    """The inward half of the modifier of arc a that reaches to the neighbour of its head."""
    return half_at(chart, chart.rows.arc_half[a], 1 - side, h + 1 if side == 1 else h - 1)


@inlined
def always_added(chart, h, e):
    """What every half of h that reaches to e has: for the root, that is also its left STOP."""
    score = chart.parts.spans[h, e]
    if h == 0 and len(chart.parts.stop) > 0:
        score += chart.parts.stop[0]
    return score


@inlined
def base_row(chart, base, h, e, side, a, j):
    """What attaching modifier j of a row (arc a, word e) costs in all contexts, by sibling."""
    rows, sibling = chart.rows, chart.parts.sibling
    base[0] = chart.values[near_half(chart, h, side, a)]
    if chart.single_root and h == 0:
        fill_run(base, 1, j, -INFINITY)
    elif rows.grand:
        copy_run(base, 1, chart.values, chart.between_start + rows.sibling_start[a] + 1, j)
    elif side == 1:
        start = chart.between_start + e * (rows.n + 1)
        gather_run(base, 1, chart.values, start, chart.slot, a - j, j)
    else:
        gather_run(base, 1, chart.mirror, e * (rows.n + 1), chart.slot, a - j, j)
    raise_run(base, 0, j + 1, chart.parts.arc[a])
    if len(sibling) > 0:
        add_run(base, 0, sibling, rows.sibling_start[a], j + 1)


@inlined
def closing_row(chart, closing, row, e, side, count):
    """What closing a half at e costs in all contexts, by last modifier."""
    first, stop = chart.rows.row_start[row], chart.parts.stop
    gather_run(closing, 0, chart.ends, end_at(chart, side, e), chart.slot, first, count)
    if len(stop) > 0:
        add_run(closing, 0, stop, first + row + 1, count)


@inlined
def fill_between(semiring, chart, e, a, j):
    """between[h, s, m] of modifier j of a row (arc a, word e) and all siblings, if grand."""
    rows, values = chart.rows, chart.values
    at = chart.between_start + rows.sibling_start[a] + 1
    for k in range(j):
        s = rows.arc_modifier[a - j + k]
        low, high = (a - j + k, a) if s < e else (a, a - j + k)
        lo, hi = min(s, e), max(s, e)
        right = half_at(chart, rows.arc_half[low], 1, lo)
        left = half_at(chart, rows.arc_half[high], 0, lo + 1)
        values[at + k] = join(semiring, values, right, values, left, hi - lo)


@inlined
def open_alone(semiring, chart, room, h, e, side, a, j):
    """open[c, m] of a plain context: no base row is made for one use only."""
    rows, values, sibling = chart.rows, chart.values, chart.parts.sibling
    row = rows.sibling_start[a]
    total = values[near_half(chart, h, side, a)]
    if len(sibling) > 0:
        total += sibling[row]
    if j > 0 and not (chart.single_root and h == 0):
        chain = chart.open_start + rows.chain_start[2 * h + side] + 1
        if side == 1:
            source, start = values, chart.between_start + e * (rows.n + 1)
        else:
            source, start = chart.mirror, e * (rows.n + 1)
        others = join_slots(
            semiring, values, chain, source, start, chart.slot, a - j, j, sibling, row + 1, room
        )
        total = plus(semiring, total, others)
    return total + chart.parts.arc[a]


@inlined
def fill_pairs(semiring, chart, base, start, a, j, place, extra):
    """pair[c, s, m] of modifier j (arc a) in one context, for all s; returns open[c, m].

    `start` is where the pairs of the context are, `place` which of the contexts of the arc it is.
    """
    rows, values, grand_sibling = chart.rows, chart.values, chart.parts.grand_sibling
    tri_sibling, grand_tri_sibling = chart.parts.tri_sibling, chart.parts.grand_tri_sibling
    row = start + pairs_before(j)
    pair = rows.grand_sibling_start[a] + place * (j + 1)
    tri = rows.tri_start[a]
    grand_tri = rows.grand_tri_start[a] + place * (1 + pairs_before(j))
    for k in range(j + 1):
        value = base[k] + extra
        if len(grand_sibling) > 0:
            value += grand_sibling[pair + k]
        if k == 0:
            if len(tri_sibling) > 0:
                value += tri_sibling[tri]
            if len(grand_tri_sibling) > 0:
                value += grand_tri_sibling[grand_tri]
        else:
            before = pairs_before(k - 1)
            inner, x, y = start + before, tri + 1 + before, grand_tri + 1 + before
            if len(tri_sibling) > 0 and len(grand_tri_sibling) > 0:
                value += join3(semiring, values, inner, tri_sibling, x, grand_tri_sibling, y, k)
            elif len(grand_tri_sibling) > 0:
                value += join(semiring, values, inner, grand_tri_sibling, y, k)
            elif len(tri_sibling) > 0:
                value += join(semiring, values, inner, tri_sibling, x, k)
            else:
                value += join1(semiring, values, inner, k)
        values[row + k] = value
    return join1(semiring, values, row, j + 1)


@inlined
def open_contexts(semiring, chart, base, h, side, a, j):
    """open[c, m] of all contexts of h that modifier j (arc a) can be in."""
    rows, values, parts = chart.rows, chart.values, chart.parts
    contexts, gap, gap_end = rows.context_start[h], rows.gap_first[a], rows.gap_size[a]
    gap_end += gap
    for c in range(contexts, rows.context_start[h + 1]):
        place = c - contexts
        if gap <= place < gap_end:
            continue
        place -= rows.gap_stored[a] if place >= gap else 0
        chain = chart.open_start + rows.chain_start[2 * c + side]
        extra = 0.0
        if len(parts.grandchild) > 0:
            extra = parts.grandchild[rows.grand_start[a] + place]
        if chart.tri:
            start = chart.pair_start + rows.pair_start[2 * c + side]
            value = fill_pairs(semiring, chart, base, start, a, j, place, extra)
        elif len(parts.grand_sibling) > 0:
            pair = rows.grand_sibling_start[a] + place * (j + 1)
            value = extra + join3(
                semiring, values, chain, base, 0, parts.grand_sibling, pair, j + 1
            )
        else:
            value = extra + join(semiring, values, chain, base, 0, j + 1)
        values[chain + j + 1] = value


@inlined
def close_half(semiring, chart, closing, h, e, side, count):
    """half[c, side, e] of all contexts of h."""
    rows, values, ends = chart.rows, chart.values, chart.ends
    row = 2 * h + side
    always, end = always_added(chart, h, e), end_at(chart, side, e)
    if rows.grand:
        closing_row(chart, closing, row, e, side, count)
    for c in range(rows.context_start[h], rows.context_start[h + 1]):
        if is_between(rows, c, h, e):
            continue
        chain = chart.open_start + rows.chain_start[2 * c + side] + 1
        if rows.grand:
            value = always + join(semiring, values, chain, closing, 0, count)
        else:
            first = rows.row_start[row]
            value = always + join_slots(
                semiring, values, chain, ends, end, chart.slot, first, count,
                chart.parts.stop, first + row + 1, closing,
            )  # fmt: skip
        values[half_at(chart, rows.context_half[c], side, e)] = value
        slot = end_slot(chart, c, h, side)
        if slot >= 0:
            ends[end + slot] = value


@inlined
def close_words(chart, h):
    """The halves of a word alone: only its STOP parts."""
    rows, stop = chart.rows, chart.parts.stop
    for c in range(rows.context_start[h], rows.context_start[h + 1]):
        for side in range(2):
            row = 2 * h + side
            value = stop[rows.row_start[row] + row] if len(stop) > 0 else 0.0
            chart.values[half_at(chart, rows.context_half[c], side, h)] = value
            slot = end_slot(chart, c, h, side)
            if slot >= 0:
                chart.ends[end_at(chart, side, h) + slot] = value


@kernel
def fill(semiring, owned_chart):
    """Fill a chart, span by span."""
    owned_desk = new_desk(owned_chart.rows.n)
    chart, desk = borrowed(owned_chart), borrowed(owned_desk)
    rows, values, size = chart.rows, chart.values, chart.rows.n + 1
    for hi in range(size):
        close_words(chart, hi)
        for lo in range(hi - 1, -1, -1):
            if not rows.grand and lo > 0:
                right, left = half_at(chart, lo, 1, lo), half_at(chart, hi, 0, lo + 1)
                met = join(semiring, values, right, values, left, hi - lo)
                values[chart.between_start + hi * size + lo] = met
                chart.mirror[lo * size + rows.n - hi] = met
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                row = 2 * h + side
                a = rows.arc_id[h, e]
                if a >= 0:
                    j = a - rows.row_start[row]
                    desk.seen[row] = j + 1
                    if not rows.grand and not chart.tri:
                        chain = chart.open_start + rows.chain_start[row]
                        values[chain + j + 1] = open_alone(
                            semiring, chart, desk.base, h, e, side, a, j
                        )
                    else:
                        if rows.grand and not (chart.single_root and h == 0):
                            fill_between(semiring, chart, e, a, j)
                        base_row(chart, desk.base, h, e, side, a, j)
                        open_contexts(semiring, chart, desk.base, h, side, a, j)
                close_half(semiring, chart, desk.closing, h, e, side, desk.seen[row])
    kept(owned_desk)


@kernel
def filled_chart(semiring, rows, parts, single_root, tri):
    """Make and fill a chart."""
    chart = new_chart(rows, parts, single_root, tri)
    fill(semiring, chart)
    return chart
