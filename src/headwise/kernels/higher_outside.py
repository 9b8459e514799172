# mypy: allow-untyped-defs
"""Marginals of orders two to four: the recurrence of `higher`, differentiated from the goal down.

The derivative of the goal by an item (`_bar`) is the probability that the item is used; shared out
among the ways to build it, it becomes the probability of each part.
"""

import numpy as np

from headwise.kernels.higher import PartScores, base_row, closing_row, mirrored
from headwise.kernels.jit import inlined, kernel
from headwise.kernels.rows import pairs_before, triples_before
from headwise.kernels.semiring import LOG, exponential, join_back


@inlined
def open_back(
    weight,
    total,
    opened,
    open_bar,
    base,
    base_bar,
    grand_sibling,
    grand_sibling_bar,
    chain,
    pair,
    j,
):
    """Share the probability of open[c, m] among the siblings of m."""
    for k in range(j + 1):
        value = opened[chain + k] + base[k] - total
        if len(grand_sibling) > 0:
            value += grand_sibling[pair + k]
        share = weight * exponential(value)
        open_bar[chain + k] += share
        base_bar[k] += share
        if len(grand_sibling) > 0:
            grand_sibling_bar[pair + k] += share


@inlined
def pairs_back(
    weight, total, pairs, pairs_bar, start, base, base_bar, extra, grand_sibling, grand_sibling_bar,
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
            pairs_bar[row + k] += weight * exponential(pairs[row + k] - total)
        share = pairs_bar[row + k]
        if share == 0.0:
            continue
        used += share
        base_bar[k] += share
        rest = pairs[row + k] - base[k] - extra
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
                value = pairs[inner + i] - rest
                if len(tri_sibling) > 0:
                    value += tri_sibling[tri + i]
                if len(grand_tri_sibling) > 0:
                    value += grand_tri_sibling[grand_tri + i]
                part = share * exponential(value)
                pairs_bar[inner + i] += part
                if len(tri_sibling) > 0:
                    tri_sibling_bar[tri + i] += part
                if len(grand_tri_sibling) > 0:
                    grand_tri_sibling_bar[grand_tri + i] += part
    return used


@inlined
def add_run(target, slot, first, count, values):
    """Add to what a row of arcs has in `target`, which is arranged by slot."""
    for k in range(count):
        target[slot[first + k]] += values[k]


@inlined
def between_back(half, half_bar, between, base_bar, arc_context, arc_modifier, e, first, j, row):
    """Share the probabilities of between[h, s, m], for all s, in a grand context."""
    for k in range(j):
        if base_bar[k + 1] > 0.0:
            s = arc_modifier[first + k]
            lo, hi = min(s, e), max(s, e)
            low = 2 * arc_context[first + (k if s < e else j)] + 1
            high = 2 * arc_context[first + (j if s < e else k)]
            join_back(
                LOG, base_bar[k + 1], between[row + 1 + k],
                half[low, lo:hi], half[high, lo + 1 : hi + 1],
                half_bar[low, lo:hi], half_bar[high, lo + 1 : hi + 1],
            )  # fmt: skip


@kernel
def outside(chart):
    """The probabilities of all parts, in the arrays of PartScores, from a chart of LOG."""
    rows, parts = chart.rows, chart.parts
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
    values, ends, mirror, slot = chart.values, chart.ends, chart.mirror, chart.slot
    single_root, tri = chart.single_root, chart.pair_start < len(values)

    contexts = len(context_grand)
    half = values[1 : chart.open_start].reshape(2 * contexts, size)
    opened = values[chart.open_start : chart.between_start]
    between = values[chart.between_start : chart.pair_start]
    pairs = values[chart.pair_start :]
    half_bar, ends_bar = np.zeros(half.shape), np.zeros(ends.shape)
    open_bar, pairs_bar = np.zeros(len(opened)), np.zeros(len(pairs))
    mirror_bar = np.zeros(mirror.shape)
    between_bar = np.zeros((0, 0)) if grand else np.zeros((size, size))
    arc_bar, sibling_bar, stop_bar = np.zeros(len(arc)), np.zeros(len(sibling)), np.zeros(len(stop))
    grandchild_bar, grand_sibling_bar = np.zeros(len(grandchild)), np.zeros(len(grand_sibling))
    tri_sibling_bar = np.zeros(len(tri_sibling))
    grand_tri_sibling_bar = np.zeros(len(grand_tri_sibling))
    base, base_bar = np.empty(size + 1), np.empty(size + 1)
    closing, closing_bar = np.empty(size + 1), np.empty(size + 1)
    seen = row_start[1:] - row_start[:-1]

    half_bar[1, n] = 1.0
    for hi in range(n, -1, -1):
        for lo in range(hi):
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                first, count = row_start[2 * h + side], seen[2 * h + side]
                stop_start = head_chain_start[2 * h + side]
                u = mirrored(n, side, e)
                closing_row(ends, slot, stop, stop_start, n, e, side, first, count, closing)
                closing_bar[:count] = 0.0
                always = spans[h, e]
                if h == 0 and len(stop) > 0:
                    always += stop[0]
                for c in range(context_start[h], context_start[h + 1]):
                    g = context_grand[c]
                    if grand and h > 0 and min(h, e) <= g <= max(h, e):
                        continue
                    weight = half_bar[2 * c + side, e]
                    if not grand:
                        weight += ends_bar[side, u, mirrored(n, side, h)]
                    elif h > 0 and (h > g) == (side == 1):
                        weight += ends_bar[side, u, arc_id[g, h]]
                    if weight > 0.0:
                        chain = chain_start[2 * c + side] + 1
                        join_back(
                            LOG, weight, half[2 * c + side, e] - always,
                            opened[chain : chain + count], closing[:count],
                            open_bar[chain : chain + count], closing_bar[:count],
                        )  # fmt: skip
                add_run(ends_bar[side, u], slot, first, count, closing_bar)
                if len(stop) > 0:
                    stop_bar[stop_start + 1 : stop_start + 1 + count] += closing_bar[:count]
                if arc_id[h, e] < 0:
                    continue

                j = arc_id[h, e] - first
                seen[2 * h + side] = j
                base_row(
                    half, between, mirror, slot, arc_context, head_pair_start, grand,
                    arc, sibling, single_root, n, h, e, side, first, j, base,
                )  # fmt: skip
                base_bar[: j + 1] = 0.0
                for c in range(context_start[h], context_start[h + 1]):
                    if j >= reach[c, side]:
                        continue
                    row = 2 * c + side
                    chain, pair = chain_start[row], pair_start[row] + pairs_before(j)
                    extra = grandchild[chain - row + j] if len(grandchild) > 0 else 0.0
                    weight, total = open_bar[chain + j + 1], opened[chain + j + 1]
                    if tri:
                        weight = pairs_back(
                            weight, total, pairs, pairs_bar, pair_start[row], base, base_bar, extra,
                            grand_sibling, grand_sibling_bar, pair, tri_sibling, tri_sibling_bar,
                            head_triple_start[2 * h + side] + triples_before(j), grand_tri_sibling,
                            grand_tri_sibling_bar, triple_start[row] + triples_before(j), j,
                        )  # fmt: skip
                    elif weight > 0.0:
                        open_back(
                            weight, total - extra, opened, open_bar, base, base_bar, grand_sibling,
                            grand_sibling_bar, chain, pair, j,
                        )  # fmt: skip
                    if len(grandchild) > 0:
                        grandchild_bar[chain - row + j] = weight
                child = 2 * arc_context[first + j] + 1 - side
                half_bar[child, h + 1 if side == 1 else h - 1] += base_bar[0]
                arc_bar[first + j] = base_bar[: j + 1].sum()
                row = head_pair_start[2 * h + side] + pairs_before(j)
                if len(sibling) > 0:
                    sibling_bar[row : row + j + 1] = base_bar[: j + 1]
                if single_root and h == 0:
                    continue
                if grand:
                    between_back(
                        half,
                        half_bar,
                        between,
                        base_bar,
                        arc_context,
                        arc_modifier,
                        e,
                        first,
                        j,
                        row,
                    )
                elif side == 1:
                    add_run(between_bar[e], slot, first, j, base_bar[1:])
                else:
                    add_run(mirror_bar[e], slot, first, j, base_bar[1:])
            if not grand and lo > 0:
                weight = between_bar[hi, lo] + mirror_bar[lo, n - hi]
                if weight > 0.0:
                    low, high = 2 * lo + 1, 2 * hi
                    join_back(
                        LOG, weight, between[hi * size + lo],
                        half[low, lo:hi], half[high, lo + 1 : hi + 1],
                        half_bar[low, lo:hi], half_bar[high, lo + 1 : hi + 1],
                    )  # fmt: skip
        if len(stop) > 0:
            for c in range(context_start[hi], context_start[hi + 1]):
                g = context_grand[c]
                for side in range(2):
                    u = mirrored(n, side, hi)
                    weight = half_bar[2 * c + side, hi]
                    if not grand:
                        weight += ends_bar[side, u, u]
                    elif hi > 0 and (hi > g) == (side == 1):
                        weight += ends_bar[side, u, arc_id[g, hi]]
                    stop_bar[head_chain_start[2 * hi + side]] += weight
    if len(stop) > 0:
        stop_bar[0] = 1.0
    return PartScores(
        arc_bar, spans, sibling_bar, grandchild_bar, grand_sibling_bar, tri_sibling_bar,
        grand_tri_sibling_bar, stop_bar,
    )  # fmt: skip
