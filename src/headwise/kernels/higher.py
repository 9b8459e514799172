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

from headwise.kernels.jit import inlined, kernel
from headwise.kernels.rows import Rows, pairs_before, triples_before
from headwise.kernels.semiring import INFINITY, join, join1, join3

Floats = NDArray[np.floating]


class PartScores(NamedTuple):
    """Scores in the order of the rows; a part type that is not scored has an empty array."""

    arc: NDArray[np.float64]  # [arc]
    spans: NDArray[np.float64]  # [head, end]
    sibling: Floats
    grandchild: Floats
    grand_sibling: Floats
    tri_sibling: Floats
    grand_tri_sibling: Floats
    stop: Floats


class HigherChart(NamedTuple):
    """A filled chart: `values` holds NOTHING, then half, open, between and pair."""

    values: NDArray[np.float64]
    open_start: int
    between_start: int
    pair_start: int
    goal: int
    rows: Rows
    parts: PartScores
    single_root: bool
    ends: NDArray[np.float64]  # half by [side, end, slot of its arc], so that all runs are rows
    mirror: NDArray[np.float64]  # plain contexts: between for left modifiers, by mirrored places
    slot: NDArray[np.int64]  # [arc]


@inlined
def mirrored(n, side, place):
    """A place counted outwards: as it is to the right, from the other end to the left."""
    return place if side == 1 else n - place


@inlined
def copy_run(source, slot, first, count, out):
    """Copy what a row of arcs has in `source`, which is arranged by slot."""
    if count > 0 and slot[first + count - 1] - slot[first] == count - 1:
        out[:count] = source[slot[first] : slot[first] + count]
    else:
        for k in range(count):
            out[k] = source[slot[first + k]]


@inlined
def base_row(
    half, between, mirror, slot, arc_context, head_pair_start, grand,
    arc, sibling, single_root, n, h, e, side, first, j, base,
):  # fmt: skip
    """All that attaching modifier j (word e) of head h costs, whatever the context, by sibling."""
    a = first + j
    inner = h + 1 if side == 1 else h - 1
    base[0] = half[2 * arc_context[a] + 1 - side, inner]
    row = head_pair_start[2 * h + side] + j * (j + 1) // 2
    if single_root and h == 0:
        base[1 : j + 1] = -INFINITY
    elif grand:
        base[1 : j + 1] = between[row + 1 : row + j + 1]
    elif side == 1:
        copy_run(between[e * (n + 1) : (e + 1) * (n + 1)], slot, first, j, base[1 : j + 1])
    else:
        copy_run(mirror[e], slot, first, j, base[1 : j + 1])
    for k in range(j + 1):
        base[k] += arc[a]
    if len(sibling) > 0:
        for k in range(j + 1):
            base[k] += sibling[row + k]


@inlined
def closing_row(ends, slot, stop, stop_start, n, e, side, first, count, closing):
    """All that closing a half at e costs, whatever the context, by last modifier."""
    copy_run(ends[side, e if side == 1 else n - e], slot, first, count, closing)
    if len(stop) > 0:
        for k in range(count):
            closing[k] += stop[stop_start + 1 + k]


@inlined
def fill_between(semiring, half, between, arc_context, arc_modifier, e, first, j, row):
    """between[h, s, m] of modifier j (word e) and all its siblings, in a grand context."""
    for k in range(j):
        s = arc_modifier[first + k]
        lo, hi = min(s, e), max(s, e)
        low = arc_context[first + (k if s < e else j)]
        high = arc_context[first + (j if s < e else k)]
        between[row + 1 + k] = join(
            semiring, half[2 * low + 1, lo:hi], half[2 * high, lo + 1 : hi + 1]
        )


@inlined
def fill_pairs(
    semiring, pairs, start, base, extra, grand_sibling, pair_at,
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
            inner = pairs[start + pairs_before(k - 1) : start + pairs_before(k)]
            tri = tri_at + 1 + pairs_before(k - 1)
            grand_tri = grand_tri_at + 1 + pairs_before(k - 1)
            if len(tri_sibling) == 0 and len(grand_tri_sibling) == 0:
                value += join1(semiring, inner)
            elif len(grand_tri_sibling) == 0:
                value += join(semiring, inner, tri_sibling[tri : tri + k])
            elif len(tri_sibling) == 0:
                value += join(semiring, inner, grand_tri_sibling[grand_tri : grand_tri + k])
            else:
                value += join3(
                    semiring,
                    inner,
                    tri_sibling[tri : tri + k],
                    grand_tri_sibling[grand_tri : grand_tri + k],
                )
        pairs[row + k] = value
    return join1(semiring, pairs[row : row + j + 1])


@kernel
def inside(semiring, rows, parts, single_root, tri):
    """Fill a chart."""
    n, grand, size = rows.n, rows.grand, rows.n + 1
    arc_id, arc_modifier, arc_context = rows.arc_id, rows.arc_modifier, rows.arc_context
    row_start, reach = rows.row_start, rows.reach
    context_grand, context_start = rows.context_grand, rows.context_start
    chain_start, pair_start, triple_start = rows.chain_start, rows.pair_start, rows.triple_start
    head_chain_start, head_pair_start = rows.head_chain_start, rows.head_pair_start
    head_triple_start = rows.head_triple_start
    arc, spans, sibling, stop = parts.arc, parts.spans, parts.sibling, parts.stop
    grandchild, grand_sibling = parts.grandchild, parts.grand_sibling
    tri_sibling, grand_tri_sibling = parts.tri_sibling, parts.grand_tri_sibling

    contexts, arcs = len(context_grand), len(arc_modifier)
    open_at = 1 + 2 * contexts * size
    between_at = open_at + chain_start[-1]
    pair_at = between_at + (head_pair_start[-1] if grand else size * size)
    values = np.empty(pair_at + (pair_start[-1] if tri else 0))
    values[0] = 0.0
    half = values[1:open_at].reshape(2 * contexts, size)
    opened, between, pairs = (
        values[open_at:between_at],
        values[between_at:pair_at],
        values[pair_at:],
    )
    ends = np.empty((2, size, arcs if grand else size))
    mirror = np.empty((0, 0)) if grand else np.empty((size, size))
    slot = np.empty(arcs, np.int64)
    for a in range(arcs):
        m = arc_modifier[a]
        slot[a] = a if grand else mirrored(n, m > rows.arc_head[a], m)
    base, closing = np.empty(size + 1), np.empty(size + 1)
    seen = np.zeros(2 * size, np.int64)
    opened[chain_start[:-1]] = 0.0

    for hi in range(size):
        for c in range(context_start[hi], context_start[hi + 1]):
            for side in range(2):
                nothing = stop[head_chain_start[2 * hi + side]] if len(stop) > 0 else 0.0
                half[2 * c + side, hi] = nothing
                if not grand:
                    u = mirrored(n, side, hi)
                    ends[side, u, u] = nothing
                elif hi > 0 and (hi > context_grand[c]) == (side == 1):
                    ends[side, mirrored(n, side, hi), arc_id[context_grand[c], hi]] = nothing
        for lo in range(hi - 1, -1, -1):
            if not grand and lo > 0:
                reached = join(semiring, half[2 * lo + 1, lo:hi], half[2 * hi, lo + 1 : hi + 1])
                between[hi * size + lo] = mirror[lo, n - hi] = reached
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                first = row_start[2 * h + side]
                if arc_id[h, e] >= 0:
                    j = arc_id[h, e] - first
                    seen[2 * h + side] = j + 1
                    if grand and not (single_root and h == 0):
                        row = head_pair_start[2 * h + side] + pairs_before(j)
                        fill_between(
                            semiring, half, between, arc_context, arc_modifier, e, first, j, row
                        )
                    base_row(
                        half, between, mirror, slot, arc_context, head_pair_start, grand,
                        arc, sibling, single_root, n, h, e, side, first, j, base,
                    )  # fmt: skip
                    for c in range(context_start[h], context_start[h + 1]):
                        if j >= reach[c, side]:
                            continue
                        row = 2 * c + side
                        chain, pair = chain_start[row], pair_start[row] + pairs_before(j)
                        extra = grandchild[chain - row + j] if len(grandchild) > 0 else 0.0
                        if tri:
                            opened[chain + j + 1] = fill_pairs(
                                semiring, pairs, pair_start[row], base, extra, grand_sibling, pair,
                                tri_sibling, head_triple_start[2 * h + side] + triples_before(j),
                                grand_tri_sibling, triple_start[row] + triples_before(j), j,
                            )  # fmt: skip
                        elif len(grand_sibling) > 0:
                            opened[chain + j + 1] = extra + join3(
                                semiring,
                                opened[chain : chain + j + 1],
                                base[: j + 1],
                                grand_sibling[pair : pair + j + 1],
                            )
                        else:
                            opened[chain + j + 1] = extra + join(
                                semiring, opened[chain : chain + j + 1], base[: j + 1]
                            )
                count = seen[2 * h + side]
                stop_start = head_chain_start[2 * h + side]
                closing_row(ends, slot, stop, stop_start, n, e, side, first, count, closing)
                always = spans[h, e]
                if h == 0 and len(stop) > 0:
                    always += stop[0]
                u = mirrored(n, side, e)
                for c in range(context_start[h], context_start[h + 1]):
                    g = context_grand[c]
                    if grand and h > 0 and min(h, e) <= g <= max(h, e):
                        continue
                    chain = chain_start[2 * c + side]
                    reached = always + join(
                        semiring, opened[chain + 1 : chain + 1 + count], closing[:count]
                    )
                    half[2 * c + side, e] = reached
                    if not grand:
                        ends[side, u, mirrored(n, side, h)] = reached
                    elif h > 0 and (h > g) == (side == 1):
                        ends[side, u, arc_id[g, h]] = reached
    goal = 1 + size + n
    return HigherChart(
        values, open_at, between_at, pair_at, goal, rows, parts, single_root, ends, mirror, slot
    )
