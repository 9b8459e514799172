# mypy: allow-untyped-defs
"""Marginals of orders two to four: the recurrence of `higher`, differentiated from the goal down.

The derivative of the goal by an item (`_bar`) is the probability that the item is used; shared out
among its hyperedges, it becomes the probability of each part.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts.higher_chart import (
    PartScores,
    always_added,
    base_row,
    closing_row,
    half_at,
    is_between,
    near_half,
    new_workspace,
    span_at,
)
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.primitives.runs import add_run, copy_run, fill_run
from headwise.kernels.primitives.semiring import LOG, exponential, join_back
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import inlined, maker

Floats = NDArray[np.float64]


class Bars(NamedTuple):
    """Probabilities: of items, as they are in the chart; of rows being shared; of parts."""

    values: Floats
    base: Floats
    closing: Floats
    parts: PartScores


@maker
def new_bars(chart):
    """Probabilities to be filled in; all are 0 but the goal's."""
    parts, size = chart.parts, chart.rows.n + 2
    found = PartScores(
        np.zeros(parts.arc.shape), np.empty((0, 0)), np.zeros(len(parts.sibling)),
        np.zeros(len(parts.grandchild)), np.zeros(len(parts.grand_sibling)),
        np.zeros(len(parts.tri_sibling)), np.zeros(len(parts.grand_tri_sibling)),
        np.zeros(len(parts.stop)),
    )  # fmt: skip
    values = np.zeros(len(chart.values))
    values[chart.goal] = 1.0
    return Bars(values, np.zeros(size), np.zeros(size), found)


@inlined
def close_back(chart, bars, closing, h, e, side, count):
    """Share the probabilities of half[c, side, e], for all contexts of h, by last modifier."""
    rows, values = chart.rows, chart.values
    row = 2 * h + side
    first, always = rows.row_start[row], always_added(chart, h, e)
    closing_row(chart, closing, row, e, side, count)
    fill_run(bars.closing, 0, count, 0.0)
    for c in range(rows.context_start[h], rows.context_start[h + 1]):
        if is_between(rows, c, h, e):
            continue
        item = half_at(chart.rows.n, rows.context_half[c], side, e)
        weight = bars.values[item]
        if weight > 0.0:
            total = values[item] - always
            chain = chart.open_start + rows.chain_start[2 * c + side] + 1
            join_back(
                LOG, weight, total, values, chain, closing, 0, count, bars.values, bars.closing
            )
    for k in range(count):
        bars.values[half_at(chart.rows.n, rows.arc_half[first + k], side, e)] += bars.closing[k]
    if len(chart.parts.stop) > 0:
        add_run(bars.parts.stop, first + row + 1, bars.closing, 0, count)


@inlined
def siblings_back(chart, bars, base, weight, total, chain, pair, j):
    """Share the probability of open[c, m] among the siblings of modifier j."""
    values, grand_sibling = chart.values, chart.parts.grand_sibling
    if len(grand_sibling) == 0:
        join_back(LOG, weight, total, values, chain, base, 0, j + 1, bars.values, bars.base)
    else:
        for k in range(j + 1):
            share = weight * exponential(
                values[chain + k] + base[k] + grand_sibling[pair + k] - total
            )
            bars.values[chain + k] += share
            bars.base[k] += share
            bars.parts.grand_sibling[pair + k] += share


@inlined
def triples_back(chart, bars, share, rest, inner, tri, grand_tri, count):
    """Share the probability of pair[c, s, m] among the inner siblings."""
    values, tri_sibling, grand_tri_sibling = (
        chart.values,
        chart.parts.tri_sibling,
        chart.parts.grand_tri_sibling,
    )
    for i in range(count):
        value = values[inner + i] - rest
        if len(tri_sibling) > 0:
            value += tri_sibling[tri + i]
        if len(grand_tri_sibling) > 0:
            value += grand_tri_sibling[grand_tri + i]
        part = share * exponential(value)
        bars.values[inner + i] += part
        if len(tri_sibling) > 0:
            bars.parts.tri_sibling[tri + i] += part
        if len(grand_tri_sibling) > 0:
            bars.parts.grand_tri_sibling[grand_tri + i] += part


@inlined
def pairs_back(chart, bars, base, weight, total, start, a, j, index, extra):
    """Share the probabilities of pair[c, s, m], for all s, of modifier j (arc a) in one context.

    Returns the probability that m is a modifier in this context.
    """
    rows, values, parts, used = chart.rows, chart.values, chart.parts, 0.0
    row, pair = start + pairs_before(j), rows.grand_sibling_start[a] + index * (j + 1)
    tri = rows.tri_start[a]
    grand_tri = rows.grand_tri_start[a] + index * (1 + pairs_before(j))
    for k in range(j + 1):
        if weight > 0.0:
            bars.values[row + k] += weight * exponential(values[row + k] - total)
        share = bars.values[row + k]
        if share == 0.0:
            continue
        used += share
        bars.base[k] += share
        rest = values[row + k] - base[k] - extra
        if len(parts.grand_sibling) > 0:
            bars.parts.grand_sibling[pair + k] += share
            rest -= parts.grand_sibling[pair + k]
        if k == 0:
            if len(parts.tri_sibling) > 0:
                bars.parts.tri_sibling[tri] += share
            if len(parts.grand_tri_sibling) > 0:
                bars.parts.grand_tri_sibling[grand_tri] += share
        else:
            before = pairs_before(k - 1)
            triples_back(
                chart,
                bars,
                share,
                rest,
                start + before,
                tri + 1 + before,
                grand_tri + 1 + before,
                k,
            )
    return used


@inlined
def open_back(chart, bars, base, h, e, side, a, j):
    """Share the probabilities of open[c, m], for all contexts of h that modifier j can be in."""
    rows, values, parts = chart.rows, chart.values, chart.parts
    contexts, gap, gap_end = rows.context_start[h], rows.gap_first[a], rows.gap_size[a]
    gap_end += gap
    base_row(chart, base, h, e, side, a, j)
    fill_run(bars.base, 0, j + 1, 0.0)
    for c in range(contexts, rows.context_start[h + 1]):
        index = c - contexts
        if gap <= index < gap_end:
            continue
        index -= rows.gap_stored[a] if index >= gap else 0
        chain = chart.open_start + rows.chain_start[2 * c + side]
        extra = 0.0
        if len(parts.grandchild) > 0:
            extra = parts.grandchild[rows.grand_start[a] + index]
        weight, total = bars.values[chain + j + 1], values[chain + j + 1]
        if chart.tri:
            start = chart.pair_start + rows.pair_start[2 * c + side]
            weight = pairs_back(chart, bars, base, weight, total, start, a, j, index, extra)
        elif weight > 0.0:
            pair = rows.grand_sibling_start[a] + index * (j + 1)
            siblings_back(chart, bars, base, weight, total - extra, chain, pair, j)
        if len(parts.grandchild) > 0:
            bars.parts.grandchild[rows.grand_start[a] + index] = weight


@inlined
def base_back(chart, bars, h, e, side, a, j):
    """Hand the probabilities of a base row on to parts, near halves and what is between."""
    rows = chart.rows
    bars.values[near_half(chart, h, side, a)] += bars.base[0]
    for k in range(j + 1):
        bars.parts.arc[h, e] += bars.base[k]
    if len(chart.parts.sibling) > 0:
        copy_run(bars.parts.sibling, rows.sibling_start[a], bars.base, 0, j + 1)
    if not (chart.single_root and h == 0):
        if rows.grand:
            between_back(chart, bars, e, a, j)
        else:
            for k in range(j):
                bars.values[span_at(chart, rows.arc_modifier[a - j + k], e)] += bars.base[k + 1]


@inlined
def between_back(chart, bars, e, a, j):
    """Share the probabilities of between[h, s, m], for all s, in a grand context."""
    rows, values = chart.rows, chart.values
    at = chart.between_start + rows.sibling_start[a] + 1
    for k in range(j):
        weight = bars.base[k + 1]
        if weight > 0.0:
            s = rows.arc_modifier[a - j + k]
            low, high = (a - j + k, a) if s < e else (a, a - j + k)
            lo, hi = min(s, e), max(s, e)
            right = half_at(chart.rows.n, rows.arc_half[low], 1, lo)
            left = half_at(chart.rows.n, rows.arc_half[high], 0, lo + 1)
            bar, total = bars.values, values[at + k]
            join_back(LOG, weight, total, values, right, values, left, hi - lo, bar, bar)


@inlined
def span_back(chart, bars, lo, hi):
    """Share the probability of what is between lo and hi, in plain contexts."""
    values, bar, at = chart.values, bars.values, span_at(chart, lo, hi)
    weight = bar[at]
    if weight > 0.0:
        right, left = half_at(chart.rows.n, lo, 1, lo), half_at(chart.rows.n, hi, 0, lo + 1)
        join_back(LOG, weight, values[at], values, right, values, left, hi - lo, bar, bar)


@inlined
def words_back(chart, bars, h):
    """The probabilities that a word has no modifiers on a side."""
    rows = chart.rows
    for c in range(rows.context_start[h], rows.context_start[h + 1]):
        for side in range(2):
            weight = bars.values[half_at(chart.rows.n, rows.context_half[c], side, h)]
            bars.parts.stop[rows.row_start[2 * h + side] + 2 * h + side] += weight


@maker
def outside(owned_chart):
    """The probabilities of all parts, in the arrays of PartScores, from a chart of LOG."""
    owned_workspace, owned_bars = new_workspace(owned_chart.rows.n), new_bars(owned_chart)
    chart, workspace, bars = borrowed(owned_chart), borrowed(owned_workspace), borrowed(owned_bars)
    rows, seen = chart.rows, workspace.seen
    for row in range(len(seen)):
        seen[row] = rows.row_start[row + 1] - rows.row_start[row]
    for hi in range(rows.n, -1, -1):
        for lo in range(hi):
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                row = 2 * h + side
                close_back(chart, bars, workspace.closing, h, e, side, seen[row])
                a = rows.arc_id[h, e]
                if a >= 0:
                    j = a - rows.row_start[row]
                    seen[row] = j
                    open_back(chart, bars, workspace.base, h, e, side, a, j)
                    base_back(chart, bars, h, e, side, a, j)
            if not rows.grand and lo > 0:
                span_back(chart, bars, lo, hi)
        if len(chart.parts.stop) > 0:
            words_back(chart, bars, hi)
    if len(chart.parts.stop) > 0:
        bars.parts.stop[0] = 1.0
    kept(owned_workspace)
    return owned_bars.parts
