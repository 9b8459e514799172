# mypy: allow-untyped-defs
"""Orders two to four: one recurrence for all, filled from the inside.

A *context* c is what the modifiers of a head h are scored in: h alone (siblings, tri-siblings) or h
with its own head g (grandchildren, grand-siblings, grand-tri-siblings); see `pruned_rows`. Writing
c → m for the context in which modifier m of c's head is a head itself, the items are

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

from headwise.kernels.charts.higher_chart import (
    always_added,
    base_row,
    closing_row,
    half_at,
    is_between,
    new_chart,
    new_workspace,
    span_at,
)
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.primitives.semiring import join, join1, join3
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import inlined, kernel, maker


@inlined
def fill_between(semiring, chart, e, a, j):
    """between[h, s, m] of modifier j of a row (arc a, word e) and all siblings, if grand."""
    rows, values = chart.rows, chart.values
    at = chart.between_start + rows.sibling_start[a] + 1
    for k in range(j):
        s = rows.arc_modifier[a - j + k]
        low, high = (a - j + k, a) if s < e else (a, a - j + k)
        lo, hi = min(s, e), max(s, e)
        right = half_at(chart.rows.n, rows.arc_half[low], 1, lo)
        left = half_at(chart.rows.n, rows.arc_half[high], 0, lo + 1)
        values[at + k] = join(semiring, values, right, values, left, hi - lo)


@inlined
def fill_pairs(semiring, chart, base, start, a, j, index, extra):
    """pair[c, s, m] of modifier j (arc a) in one context, for all s; returns open[c, m].

    `start` is where the pairs of the context are, `index` which of the contexts of the arc it is.
    """
    rows, values, grand_sibling = chart.rows, chart.values, chart.parts.grand_sibling
    tri_sibling, grand_tri_sibling = chart.parts.tri_sibling, chart.parts.grand_tri_sibling
    row = start + pairs_before(j)
    pair = rows.grand_sibling_start[a] + index * (j + 1)
    tri = rows.tri_start[a]
    grand_tri = rows.grand_tri_start[a] + index * (1 + pairs_before(j))
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
        index = c - contexts
        if gap <= index < gap_end:
            continue
        index -= rows.gap_stored[a] if index >= gap else 0
        chain = chart.open_start + rows.chain_start[2 * c + side]
        extra = 0.0
        if len(parts.grandchild) > 0:
            extra = parts.grandchild[rows.grand_start[a] + index]
        if chart.tri:
            start = chart.pair_start + rows.pair_start[2 * c + side]
            value = fill_pairs(semiring, chart, base, start, a, j, index, extra)
        elif len(parts.grand_sibling) > 0:
            pair = rows.grand_sibling_start[a] + index * (j + 1)
            value = extra + join3(
                semiring, values, chain, base, 0, parts.grand_sibling, pair, j + 1
            )
        else:
            value = extra + join(semiring, values, chain, base, 0, j + 1)
        values[chain + j + 1] = value


@inlined
def close_half(semiring, chart, closing, h, e, side, count):
    """half[c, side, e] of all contexts of h."""
    rows, values = chart.rows, chart.values
    always = always_added(chart, h, e)
    closing_row(chart, closing, 2 * h + side, e, side, count)
    for c in range(rows.context_start[h], rows.context_start[h + 1]):
        if is_between(rows, c, h, e):
            continue
        chain = chart.open_start + rows.chain_start[2 * c + side] + 1
        value = always + join(semiring, values, chain, closing, 0, count)
        values[half_at(chart.rows.n, rows.context_half[c], side, e)] = value


@inlined
def close_words(chart, h):
    """The halves of a word alone: only its STOP parts."""
    rows, stop = chart.rows, chart.parts.stop
    for c in range(rows.context_start[h], rows.context_start[h + 1]):
        for side in range(2):
            row = 2 * h + side
            value = stop[rows.row_start[row] + row] if len(stop) > 0 else 0.0
            chart.values[half_at(chart.rows.n, rows.context_half[c], side, h)] = value


@maker
def fill(semiring, owned_chart):
    """Fill a chart, span by span."""
    owned_workspace = new_workspace(owned_chart.rows.n)
    chart, workspace = borrowed(owned_chart), borrowed(owned_workspace)
    rows, values, size = chart.rows, chart.values, chart.rows.n + 1
    for hi in range(size):
        close_words(chart, hi)
        for lo in range(hi - 1, -1, -1):
            if not rows.grand and lo > 0:
                right, left = half_at(chart.rows.n, lo, 1, lo), half_at(chart.rows.n, hi, 0, lo + 1)
                met = join(semiring, values, right, values, left, hi - lo)
                values[span_at(chart, lo, hi)] = met
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                row = 2 * h + side
                a = rows.arc_id[h, e]
                if a >= 0:
                    j = a - rows.row_start[row]
                    workspace.seen[row] = j + 1
                    if rows.grand and not (chart.single_root and h == 0):
                        fill_between(semiring, chart, e, a, j)
                    base_row(chart, workspace.base, h, e, side, a, j)
                    open_contexts(semiring, chart, workspace.base, h, side, a, j)
                close_half(semiring, chart, workspace.closing, h, e, side, workspace.seen[row])
    kept(owned_workspace)


@kernel
def filled_chart(semiring, rows, parts, single_root, tri):
    """Make and fill a chart."""
    chart = new_chart(rows, parts, single_root, tri)
    fill(semiring, chart)
    return chart
