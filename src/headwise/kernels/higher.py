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
from headwise.kernels.semiring import (
    INFINITY,
    Log,
    Max,
    add_run,
    copy_run,
    fill_run,
    join,
    join1,
    join3,
    plus,
    raise_run,
)

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
    """A filled chart: `values` holds NOTHING, then half, open, between and pair."""

    values: Floats
    open_start: int
    between_start: int
    pair_start: int
    goal: int
    rows: Rows
    parts: PartScores
    single_root: bool
    ends: Floats  # half by [side, end, slot of its arc], so that all runs are rows
    mirror: Floats  # plain contexts: between for left modifiers, by mirrored places
    slot: NDArray[np.int64]  # [arc]


@helper
def mirrored(n, side, place):
    """A place counted outwards: as it is to the right, from the other end to the left."""
    return place if side == 1 else n - place


@helper
def is_run(slot, first, count):
    """Whether the slots of a row of arcs follow one another."""
    return count > 0 and slot[first + count - 1] - slot[first] == count - 1


@helper
def gather_run(out, at, source, start, slot, first, count):
    """Copy what a row of arcs has in `source` from `start` on, where it is arranged by slot."""
    if is_run(slot, first, count):
        copy_run(out, at, source, start + slot[first], count)
    else:
        for k in range(count):
            out[at + k] = source[start + slot[first + k]]


@helper
def join_slots(semiring, values, at, source, start, slot, first, count, scores, score_at, room):
    """The join of values, what a row of arcs has in `source`, and scores, if there are any."""
    if is_run(slot, first, count):
        begin = start + slot[first]
        if len(scores) > 0:
            return join3(semiring, values, at, source, begin, scores, score_at, count)
        return join(semiring, values, at, source, begin, count)
    gather_run(room, 0, source, start, slot, first, count)
    if len(scores) > 0:
        return join3(semiring, values, at, room, 0, scores, score_at, count)
    return join(semiring, values, at, room, 0, count)


@inlined
def base_row(
    values, between, mirror, slot, arc_half, sibling_start, grand,
    arc, sibling, single_root, n, h, e, side, first, j, base,
):  # fmt: skip
    """All that attaching modifier j (word e) of head h costs, whatever the context, by sibling."""
    size, row = n + 1, sibling_start[first + j]
    inner = h + 1 if side == 1 else h - 1
    base[0] = values[1 + (2 * arc_half[first + j] + 1 - side) * size + inner]
    if single_root and h == 0:
        fill_run(base, 1, j, -INFINITY)
    elif grand:
        copy_run(base, 1, values, between + row + 1, j)
    elif side == 1:
        gather_run(base, 1, values, between + e * size, slot, first, j)
    else:
        gather_run(base, 1, mirror, e * size, slot, first, j)
    raise_run(base, 0, j + 1, arc[first + j])
    if len(sibling) > 0:
        add_run(base, 0, sibling, row, j + 1)


@inlined
def open_alone(
    semiring, values, between, mirror, slot, sibling, single_root, size, h, e, side, first, j,
    near, chain, row, room,
):  # fmt: skip
    """open[c, m] of a plain context, but for its arc: no base row is made for one use only."""
    alone = near
    if len(sibling) > 0:
        alone += sibling[row]
    if j == 0 or (single_root and h == 0):
        total = alone
    elif side == 1:
        total = plus(semiring, alone, join_slots(
            semiring, values, chain + 1, values, between + e * size, slot, first, j,
            sibling, row + 1, room,
        ))  # fmt: skip
    else:
        total = plus(semiring, alone, join_slots(
            semiring, values, chain + 1, mirror, e * size, slot, first, j,
            sibling, row + 1, room,
        ))  # fmt: skip
    return total


@inlined
def closing_row(ends, start, slot, stop, stop_at, first, count, closing):
    """All that closing a half costs, whatever the context, by last modifier."""
    gather_run(closing, 0, ends, start, slot, first, count)
    if len(stop) > 0:
        add_run(closing, 0, stop, stop_at + 1, count)


@inlined
def fill_between(semiring, values, size, at, arc_half, arc_modifier, e, first, j):
    """between[h, s, m] of modifier j (word e) and all its siblings, in a grand context."""
    for k in range(j):
        s = arc_modifier[first + k]
        low, high = (k, j) if s < e else (j, k)
        lo, hi = min(s, e), max(s, e)
        right = 1 + (2 * arc_half[first + low] + 1) * size + lo
        left = 1 + 2 * arc_half[first + high] * size + lo + 1
        values[at + k] = join(semiring, values, right, values, left, hi - lo)


@inlined
def fill_pairs(
    semiring, values, start, base, extra, grand_sibling, pair_at,
    tri_sibling, tri_at, grand_tri_sibling, grand_tri_at, j,
):  # fmt: skip
    """pair[c, s, m] of modifier j in one context, for all s; returns open[c, m]."""
    row = start + pairs_before(j)
    for k in range(j + 1):
        value = base[k] + extra
        if len(grand_sibling) > 0:
            value += grand_sibling[pair_at + k]
        if k == 0:
            if len(tri_sibling) > 0:
                value += tri_sibling[tri_at]
            if len(grand_tri_sibling) > 0:
                value += grand_tri_sibling[grand_tri_at]
        else:
            inner = start + pairs_before(k - 1)
            tri = tri_at + 1 + pairs_before(k - 1)
            grand_tri = grand_tri_at + 1 + pairs_before(k - 1)
            if len(tri_sibling) > 0 and len(grand_tri_sibling) > 0:
                value += join3(
                    semiring, values, inner, tri_sibling, tri, grand_tri_sibling, grand_tri, k
                )
            elif len(grand_tri_sibling) > 0:
                value += join(semiring, values, inner, grand_tri_sibling, grand_tri, k)
            elif len(tri_sibling) > 0:
                value += join(semiring, values, inner, tri_sibling, tri, k)
            else:
                value += join1(semiring, values, inner, k)
        values[row + k] = value
    return join1(semiring, values, row, j + 1)


@kernel
def fill(semiring, rows, parts, single_root, tri):
    """Fill a chart: values, ends, mirror, slot, and where its kinds of items start."""
    n, grand, size = rows.n, rows.grand, rows.n + 1
    arc_id, arc_modifier = borrowed(rows.arc_id), borrowed(rows.arc_modifier)
    arc_half, row_start = borrowed(rows.arc_half), borrowed(rows.row_start)
    context_grand, context_start = borrowed(rows.context_grand), borrowed(rows.context_start)
    context_half, sibling_start = borrowed(rows.context_half), borrowed(rows.sibling_start)
    chain_start, pair_start = borrowed(rows.chain_start), borrowed(rows.pair_start)
    gap_first, gap_size = borrowed(rows.gap_first), borrowed(rows.gap_size)
    arc, spans = borrowed(parts.arc), borrowed(parts.spans)
    sibling, stop = borrowed(parts.sibling), borrowed(parts.stop)
    grandchild, grand_sibling = borrowed(parts.grandchild), borrowed(parts.grand_sibling)
    tri_sibling = borrowed(parts.tri_sibling)
    grand_tri_sibling = borrowed(parts.grand_tri_sibling)
    grand_start, gap_stored = borrowed(rows.grand_start), borrowed(rows.gap_stored)
    grand_sibling_start = borrowed(rows.grand_sibling_start)
    grand_tri_start, tri_start = borrowed(rows.grand_tri_start), borrowed(rows.tri_start)

    arcs = len(arc_modifier)
    opened = 1 + 2 * len(context_grand) * size
    between = opened + chain_start[-1]
    pairs = between + (sibling_start[-1] if grand else size * size)
    width = arcs if grand else size
    own_values = np.empty(pairs + (pair_start[-1] if tri else 0))
    own_ends, own_mirror = np.empty(2 * size * width), np.empty(0 if grand else size * size)
    own_slot = np.empty(arcs, np.int64)
    own_base, own_closing = np.empty(size + 1), np.empty(size + 1)
    own_seen = np.zeros(2 * size, np.int64)
    values, ends, mirror = borrowed(own_values), borrowed(own_ends), borrowed(own_mirror)
    slot, seen = borrowed(own_slot), borrowed(own_seen)
    base, closing = borrowed(own_base), borrowed(own_closing)
    values[0] = 0.0
    for row in range(len(chain_start) - 1):
        values[opened + chain_start[row]] = 0.0
    for a in range(arcs):
        m = arc_modifier[a]
        slot[a] = a if grand else mirrored(n, m > rows.arc_head[a], m)

    for hi in range(size):
        for c in range(context_start[hi], context_start[hi + 1]):
            for side in range(2):
                row = 2 * hi + side
                nothing = stop[row_start[row] + row] if len(stop) > 0 else 0.0
                values[1 + (2 * context_half[c] + side) * size + hi] = nothing
                u = mirrored(n, side, hi)
                if not grand:
                    ends[(side * size + u) * width + u] = nothing
                elif hi > 0 and (hi > context_grand[c]) == (side == 1):
                    ends[(side * size + u) * width + context_half[c]] = nothing
        for lo in range(hi - 1, -1, -1):
            if not grand and lo > 0:
                right, left = 1 + (2 * lo + 1) * size + lo, 1 + 2 * hi * size + lo + 1
                met = join(semiring, values, right, values, left, hi - lo)
                values[between + hi * size + lo] = mirror[lo * size + n - hi] = met
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                row = 2 * h + side
                first, contexts = row_start[row], context_start[h]
                a = arc_id[h, e]
                if a >= 0:
                    j = a - first
                    seen[row] = j + 1
                    if grand and not (single_root and h == 0):
                        at = between + sibling_start[a] + 1
                        fill_between(
                            semiring, values, size, at, arc_half, arc_modifier, e, first, j
                        )
                    if not grand and not tri:
                        inner = h + 1 if side == 1 else h - 1
                        near = values[1 + (2 * e + 1 - side) * size + inner]
                        chain = opened + chain_start[row]
                        values[chain + j + 1] = arc[a] + open_alone(
                            semiring, values, between, mirror, slot, sibling, single_root, size,
                            h, e, side, first, j, near, chain, sibling_start[a], base,
                        )  # fmt: skip
                    else:
                        base_row(
                            values, between, mirror, slot, arc_half, sibling_start, grand,
                            arc, sibling, single_root, n, h, e, side, first, j, base,
                        )  # fmt: skip
                    for c in range(contexts, context_start[h + 1] if grand or tri else contexts):
                        past = c - contexts >= gap_first[a]
                        if past and c - contexts < gap_first[a] + gap_size[a]:
                            continue
                        place = c - contexts - (gap_stored[a] if past else 0)
                        chain = opened + chain_start[2 * c + side]
                        pair = grand_sibling_start[a] + place * (j + 1)
                        extra = grandchild[grand_start[a] + place] if len(grandchild) > 0 else 0.0
                        if tri:
                            value = fill_pairs(
                                semiring, values, pairs + pair_start[2 * c + side], base, extra,
                                grand_sibling, pair, tri_sibling, tri_start[a], grand_tri_sibling,
                                grand_tri_start[a] + place * (1 + pairs_before(j)), j,
                            )  # fmt: skip
                        elif len(grand_sibling) > 0:
                            value = extra + join3(
                                semiring, values, chain, base, 0, grand_sibling, pair, j + 1
                            )
                        else:
                            value = extra + join(semiring, values, chain, base, 0, j + 1)
                        values[chain + j + 1] = value
                count = seen[row]
                end = (side * size + mirrored(n, side, e)) * width
                if grand:
                    closing_row(ends, end, slot, stop, first + row, first, count, closing)
                always = spans[h, e]
                if h == 0 and len(stop) > 0:
                    always += stop[0]
                for c in range(contexts, context_start[h + 1]):
                    g = context_grand[c]
                    if grand and h > 0 and min(h, e) <= g <= max(h, e):
                        continue
                    chain = opened + chain_start[2 * c + side] + 1
                    if grand:
                        value = always + join(semiring, values, chain, closing, 0, count)
                    else:
                        value = always + join_slots(
                            semiring, values, chain, ends, end, slot, first, count,
                            stop, first + row + 1, closing,
                        )  # fmt: skip
                    values[1 + (2 * context_half[c] + side) * size + e] = value
                    if not grand:
                        ends[end + mirrored(n, side, h)] = value
                    elif h > 0 and (h > g) == (side == 1):
                        ends[end + context_half[c]] = value
    kept(own_base)
    kept(own_closing)
    kept(own_seen)
    goal = 1 + (2 * context_half[0] + 1) * size + n
    return own_values, own_ends, own_mirror, own_slot, opened, between, pairs, goal


def inside(
    semiring: Max | Log, rows: Rows, parts: PartScores, single_root: bool, tri: bool
) -> HigherChart:
    """Fill a chart."""
    values, ends, mirror, slot, *starts = fill(semiring, rows, parts, single_root, tri)
    return HigherChart(values, *starts, rows, parts, single_root, ends, mirror, slot)
