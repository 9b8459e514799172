# mypy: allow-untyped-defs
"""Marginals of orders two to four: the recurrence of `higher`, differentiated from the goal down.

The derivative of the goal by an item (`_bar`) is the probability that the item is used; shared out
among the ways to build it, it becomes the probability of each part.
"""

import numpy as np

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.higher import PartScores, base_row, closing_row, mirrored
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.rows import pairs_before
from headwise.kernels.semiring import LOG, add_run, copy_run, exponential, fill_run, join_back


@inlined
def open_back(
    weight, total, values, bar, chain, base, base_bar, grand_sibling, grand_sibling_bar, pair, j
):
    """Share the probability of open[c, m] among the siblings of m."""
    if len(grand_sibling) == 0:
        join_back(LOG, weight, total, values, chain, base, 0, j + 1, bar, base_bar)
    else:
        for k in range(j + 1):
            value = values[chain + k] + base[k] + grand_sibling[pair + k] - total
            share = weight * exponential(value)
            bar[chain + k] += share
            base_bar[k] += share
            grand_sibling_bar[pair + k] += share


@inlined
def pairs_back(
    weight, total, values, bar, start, base, base_bar, extra, grand_sibling, grand_sibling_bar,
    pair_at, tri_sibling, tri_sibling_bar, tri_at, grand_tri_sibling, grand_tri_sibling_bar,
    grand_tri_at, j,
):  # fmt: skip
    """Share the probabilities of pair[c, s, m], for all s, among inner siblings.

    Returns the probability that m is a modifier in this context.
    """
    used = 0.0
    row = start + pairs_before(j)
    for k in range(j + 1):
        if weight > 0.0:
            bar[row + k] += weight * exponential(values[row + k] - total)
        share = bar[row + k]
        if share == 0.0:
            continue
        used += share
        base_bar[k] += share
        rest = values[row + k] - base[k] - extra
        if len(grand_sibling) > 0:
            grand_sibling_bar[pair_at + k] += share
            rest -= grand_sibling[pair_at + k]
        if k == 0:
            if len(tri_sibling) > 0:
                tri_sibling_bar[tri_at] += share
            if len(grand_tri_sibling) > 0:
                grand_tri_sibling_bar[grand_tri_at] += share
        else:
            inner = start + pairs_before(k - 1)
            tri = tri_at + 1 + pairs_before(k - 1)
            grand_tri = grand_tri_at + 1 + pairs_before(k - 1)
            for i in range(k):
                value = values[inner + i] - rest
                if len(tri_sibling) > 0:
                    value += tri_sibling[tri + i]
                if len(grand_tri_sibling) > 0:
                    value += grand_tri_sibling[grand_tri + i]
                part = share * exponential(value)
                bar[inner + i] += part
                if len(tri_sibling) > 0:
                    tri_sibling_bar[tri + i] += part
                if len(grand_tri_sibling) > 0:
                    grand_tri_sibling_bar[grand_tri + i] += part
    return used


@helper
def scatter_run(target, start, slot, first, count, values, at):
    """Add to what a row of arcs has in `target` from `start` on, where it is arranged by slot."""
    for k in range(count):
        target[start + slot[first + k]] += values[at + k]


@inlined
def between_back(values, bar, size, at, base_bar, arc_half, arc_modifier, e, first, j):
    """Share the probabilities of between[h, s, m], for all s, in a grand context."""
    for k in range(j):
        if base_bar[k + 1] > 0.0:
            s = arc_modifier[first + k]
            low, high = (k, j) if s < e else (j, k)
            lo, hi = min(s, e), max(s, e)
            right = 1 + (2 * arc_half[first + low] + 1) * size + lo
            left = 1 + 2 * arc_half[first + high] * size + lo + 1
            weight, total = base_bar[k + 1], values[at + k]
            join_back(LOG, weight, total, values, right, values, left, hi - lo, bar, bar)


@kernel
def outside(chart):
    """The probabilities of all parts, in the arrays of PartScores, from a chart of LOG."""
    rows, parts = chart.rows, chart.parts
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
    values, ends = borrowed(chart.values), borrowed(chart.ends)
    mirror, slot = borrowed(chart.mirror), borrowed(chart.slot)
    opened, between, pairs = chart.open_start, chart.between_start, chart.pair_start
    single_root, tri = chart.single_root, chart.pair_start < len(values)
    width = len(arc) if grand else size

    own_bar, own_ends_bar = np.zeros(len(values)), np.zeros(len(ends))
    own_mirror_bar = np.zeros(len(mirror))
    own_base, own_base_bar = np.empty(size + 1), np.empty(size + 1)
    own_closing, own_closing_bar = np.empty(size + 1), np.empty(size + 1)
    own_seen = row_start[1:] - row_start[:-1]
    bar, ends_bar, mirror_bar = borrowed(own_bar), borrowed(own_ends_bar), borrowed(own_mirror_bar)
    base, base_bar = borrowed(own_base), borrowed(own_base_bar)
    closing, closing_bar, seen = borrowed(own_closing), borrowed(own_closing_bar), borrowed(own_seen)
    found = PartScores(
        np.zeros(len(arc)), parts.spans, np.zeros(len(sibling)), np.zeros(len(grandchild)),
        np.zeros(len(grand_sibling)), np.zeros(len(tri_sibling)),
        np.zeros(len(grand_tri_sibling)), np.zeros(len(stop)),
    )  # fmt: skip
    arc_bar, sibling_bar, stop_bar = borrowed(found.arc), borrowed(found.sibling), borrowed(found.stop)
    grandchild_bar = borrowed(found.grandchild)
    grand_sibling_bar = borrowed(found.grand_sibling)
    tri_sibling_bar = borrowed(found.tri_sibling)
    grand_tri_sibling_bar = borrowed(found.grand_tri_sibling)

    bar[chart.goal] = 1.0
    for hi in range(n, -1, -1):
        for lo in range(hi):
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                row = 2 * h + side
                first, count, contexts = row_start[row], seen[row], context_start[h]
                end = (side * size + mirrored(n, side, e)) * width
                closing_row(ends, end, slot, stop, first + row, first, count, closing)
                fill_run(closing_bar, 0, count, 0.0)
                always = spans[h, e]
                if h == 0 and len(stop) > 0:
                    always += stop[0]
                for c in range(contexts, context_start[h + 1]):
                    g = context_grand[c]
                    if grand and h > 0 and min(h, e) <= g <= max(h, e):
                        continue
                    half = 1 + (2 * context_half[c] + side) * size + e
                    weight = bar[half]
                    if not grand:
                        weight += ends_bar[end + mirrored(n, side, h)]
                    elif h > 0 and (h > g) == (side == 1):
                        weight += ends_bar[end + context_half[c]]
                    if weight > 0.0:
                        chain, total = opened + chain_start[2 * c + side] + 1, values[half] - always
                        join_back(
                            LOG, weight, total, values, chain, closing, 0, count, bar, closing_bar
                        )
                scatter_run(ends_bar, end, slot, first, count, closing_bar, 0)
                if len(stop) > 0:
                    add_run(stop_bar, first + row + 1, closing_bar, 0, count)
                a = arc_id[h, e]
                if a < 0:
                    continue

                j = a - first
                seen[row] = j
                base_row(
                    values, between, mirror, slot, arc_half, sibling_start, grand,
                    arc, sibling, single_root, n, h, e, side, first, j, base,
                )  # fmt: skip
                fill_run(base_bar, 0, j + 1, 0.0)
                for c in range(contexts, context_start[h + 1]):
                    past = c - contexts >= gap_first[a]
                    if past and c - contexts < gap_first[a] + gap_size[a]:
                        continue
                    place = c - contexts - (gap_stored[a] if past else 0)
                    chain = opened + chain_start[2 * c + side]
                    pair = grand_sibling_start[a] + place * (j + 1)
                    extra = grandchild[grand_start[a] + place] if len(grandchild) > 0 else 0.0
                    weight, total = bar[chain + j + 1], values[chain + j + 1]
                    if tri:
                        weight = pairs_back(
                            weight, total, values, bar, pairs + pair_start[2 * c + side], base,
                            base_bar, extra, grand_sibling, grand_sibling_bar, pair, tri_sibling,
                            tri_sibling_bar, tri_start[a], grand_tri_sibling,
                            grand_tri_sibling_bar,
                            grand_tri_start[a] + place * (1 + pairs_before(j)), j,
                        )  # fmt: skip
                    elif weight > 0.0:
                        open_back(
                            weight, total - extra, values, bar, chain, base, base_bar,
                            grand_sibling, grand_sibling_bar, pair, j,
                        )  # fmt: skip
                    if len(grandchild) > 0:
                        grandchild_bar[grand_start[a] + place] = weight
                inner = h + 1 if side == 1 else h - 1
                bar[1 + (2 * arc_half[a] + 1 - side) * size + inner] += base_bar[0]
                for k in range(j + 1):
                    arc_bar[a] += base_bar[k]
                if len(sibling) > 0:
                    copy_run(sibling_bar, sibling_start[a], base_bar, 0, j + 1)
                if single_root and h == 0:
                    continue
                if grand:
                    at = between + sibling_start[a] + 1
                    between_back(values, bar, size, at, base_bar, arc_half, arc_modifier, e, first, j)
                elif side == 1:
                    scatter_run(bar, between + e * size, slot, first, j, base_bar, 1)
                else:
                    scatter_run(mirror_bar, e * size, slot, first, j, base_bar, 1)
            if not grand and lo > 0:
                at = between + hi * size + lo
                weight = bar[at] + mirror_bar[lo * size + n - hi]
                if weight > 0.0:
                    right, left = 1 + (2 * lo + 1) * size + lo, 1 + 2 * hi * size + lo + 1
                    join_back(
                        LOG, weight, values[at], values, right, values, left, hi - lo, bar, bar
                    )
        if len(stop) > 0:
            for c in range(context_start[hi], context_start[hi + 1]):
                g = context_grand[c]
                for side in range(2):
                    u = mirrored(n, side, hi)
                    weight = bar[1 + (2 * context_half[c] + side) * size + hi]
                    if not grand:
                        weight += ends_bar[(side * size + u) * width + u]
                    elif hi > 0 and (hi > g) == (side == 1):
                        weight += ends_bar[(side * size + u) * width + context_half[c]]
                    stop_bar[row_start[2 * hi + side] + 2 * hi + side] += weight
    if len(stop) > 0:
        stop_bar[0] = 1.0
    for owner in (own_bar, own_ends_bar, own_mirror_bar, own_base, own_base_bar, own_closing):
        kept(owner)
    kept(own_closing_bar)
    kept(own_seen)
    return found
