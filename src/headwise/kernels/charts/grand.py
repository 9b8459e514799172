# mypy: allow-untyped-defs
"""Grand-siblings and grand-tri-siblings with all arcs alive: their best trees.

The recurrence is that of `higher` with contexts (g, h), in the MAX semiring. Where every arc lives,
all heads g that h can have are done at once, eight in a vector (`grand_chart` says in which order):

    between[s, m][h] = Σ_r half[s, outwards, r][h] × half[m, inwards, next to r][h]
    open[h, m][g]    = Σ_s open[h, s][g] × (between[s, m][h] × arc(h, m) × sibling(h, s, m))
                           × grandchild(g, h, m) × grand-sibling(g, h, s, m)
    pair[h, s, m][g] = Σ_r pair[h, r, s][g] × (…) × … × tri-sibling(h, r, s, m)
                           × grand-tri-sibling(g, h, r, s, m)
    half[h, e][g]    = Σ_m open[h, m][g] × (stop(h, m) × half[m, outwards, e][h] × spans[h, e])

What is in brackets does not depend on g: it is computed once, and added to all. The scores of grand
parts are kept by g, and have to be turned for that, a few columns at a time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts.backtrace import NOTHING
from headwise.kernels.charts.grand_chart import (
    GRAND_SIBLING,
    GRAND_TRI_SIBLING,
    GRANDCHILD,
    SIBLING,
    TRI_SIBLING,
    always_added,
    between_at,
    between_siblings,
    far_half,
    grands_of,
    half_at,
    near_half,
    open_at,
    pair_at,
    part_at,
    stop_at,
)
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.primitives.lanes import (
    COLUMNS,
    WIDTH,
    added,
    larger_of,
    load,
    load_within,
    spread,
    store,
    turned,
)
from headwise.kernels.primitives.runs import fill_run
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import inlined, kernel, maker

Floats = NDArray[np.float64]


class Workspace(NamedTuple):
    """Room to work in."""

    base: Floats  # what attaching a modifier costs, by sibling
    closing: Floats  # what closing a half costs, by last modifier
    turned: Floats  # scores of grand-siblings, by sibling, in vectors
    turned_tri: Floats  # scores of grand-tri-siblings, by pair of siblings, in vectors


@maker
def new_desk(n, tri):
    """Room for a sentence of n words."""
    siblings, pairs = WIDTH * (n + COLUMNS), WIDTH * (pairs_before(n) + COLUMNS)
    room = np.empty(pairs if tri else 0)
    return Workspace(np.empty(n + 1), np.empty(n + 1), np.empty(siblings), room)


@inlined
def gather(out, first, values, start, step, count, always, more, at):
    """Add up what is in `values` at regular places, a run of more, and what is always added."""
    x, y, z, stride = np.uint64(first), np.uint64(start), np.uint64(at), np.uint64(step)
    for k in range(np.uint64(count)):
        out[x + k] = values[y + stride * k] + more[z + k] + always


@inlined
def base_row(chart, base, h, m, side, d):
    """What attaching m, which is d from h, costs under all g, by sibling."""
    values, sibling = chart.values, chart.parts.sibling
    part, arc = part_at(chart, SIBLING, 2 * h + side, d), chart.parts.arc[h, m]
    base[0] = values[near_half(chart, h, side, d)] + sibling[part] + arc
    if chart.single_root and h == 0:
        fill_run(base, 1, d - 1, -INFINITY)
    else:
        start = between_siblings(chart, h, side, 1, d)
        step = between_siblings(chart, h, side, 2, d) - start
        gather(base, 1, values, start, step, d - 1, arc, sibling, part + 1)


@inlined
def closing_row(chart, closing, h, e, side, d):
    """What closing the half at e, which is d from h, costs under all g, by last modifier."""
    start = far_half(chart, h, side, 1, e)
    step = far_half(chart, h, side, 2, e) - start
    stop, always = stop_at(chart, h, side) + 1, always_added(chart, h, e)
    closing[0] = -INFINITY  # "none" is no modifier
    gather(closing, 1, chart.values, start, step, d, always, chart.parts.stop, stop)


@inlined
def fill_words(chart):
    """The halves of words alone, and heads that have no modifiers yet."""
    for h in range(chart.n + 1):
        for side in range(2):
            stop, at = chart.parts.stop[stop_at(chart, h, side)], half_at(chart, h, side, h)
            for c in range(0, chart.columns, WIDTH):
                store(chart.values, at + c, spread(stop))
                store(chart.values, open_at(chart, h, side, c), spread(0.0))


@inlined
def fill_between(chart, lo, hi):
    """between[lo, hi] under all heads outside."""
    values, columns, d = chart.values, chart.columns, hi - lo
    right, left = half_at(chart, lo, 1, lo) + columns - chart.n + d, half_at(chart, hi, 0, lo + 1)
    at = between_at(chart, lo, hi)
    for c in range(0, chart.n - d, WIDTH):
        best = spread(-INFINITY)
        for r in range(c, c + d * columns, columns):
            best = larger_of(best, added(load(values, right + r), load(values, left + r)))
        store(values, at + c, best)


@inlined
def turn_rows(table, start, length, rows, row, out):
    """Turn eight rows of a table into vectors, kept in `out`."""
    for column in range(0, length, COLUMNS):
        w, x, y, z = turned(table, start, length, rows, row, column)
        at = WIDTH * column
        store(out, at, w)
        store(out, at + WIDTH, x)
        store(out, at + 2 * WIDTH, y)
        store(out, at + 3 * WIDTH, z)


@inlined
def grandchildren(chart, row, d, lower, grands, x):
    """Scores of grandchild parts, from the x-th column on, which may be before the first."""
    table, start = chart.parts.grandchild, part_at(chart, GRANDCHILD, row, d)
    until = grands - lower - x  # where the circle comes to the root
    lanes = load_within(spread(0.0), table, start + grands - until, -x, until)
    return load_within(lanes, table, start - until, until, grands - x)


@inlined
def open_vector(chart, desk, chain, start, grands, first, d):
    """open[h, m] of eight g, without grandchildren, and what `half_vector` says.

    Both read the same items. Of four siblings at a time, those beyond the last are the last again,
    which changes no maximum; their grand-sibling scores are -inf.
    """
    values, base, closing, scores = chart.values, desk.base, desk.closing, chart.parts.grand_sibling
    best = half = spread(-INFINITY)
    for k in range(0, d, COLUMNS):
        l1, l2, l3 = min(k + 1, d - 1), min(k + 2, d - 1), min(k + 3, d - 1)
        w, x, y, z = turned(scores, start, d, grands, first, k)
        r0, r1 = load(values, chain + WIDTH * k), load(values, chain + WIDTH * l1)
        r2, r3 = load(values, chain + WIDTH * l2), load(values, chain + WIDTH * l3)
        p = larger_of(added(added(r0, spread(base[k])), w), added(added(r1, spread(base[l1])), x))
        q = larger_of(added(added(r2, spread(base[l2])), y), added(added(r3, spread(base[l3])), z))
        best = larger_of(best, larger_of(p, q))
        p = larger_of(added(r0, spread(closing[k])), added(r1, spread(closing[l1])))
        q = larger_of(added(r2, spread(closing[l2])), added(r3, spread(closing[l3])))
        half = larger_of(half, larger_of(p, q))
    return best, half


@inlined
def pair_vectors(chart, desk, start, row, d, common):
    """pair[h, s, m] of eight g, for all s; returns open[h, m]."""
    values, scores = chart.values, chart.parts.tri_sibling
    tri, at = part_at(chart, TRI_SIBLING, row, d), start + WIDTH * pairs_before(d - 1)
    inner = added(spread(scores[tri]), load(desk.turned_tri, 0))
    total, pair = spread(-INFINITY), 0
    for k in range(d):
        for r in range(pair, pair + k):
            score = added(load(desk.turned_tri, WIDTH * (r + 1)), spread(scores[tri + 1 + r]))
            inner = larger_of(inner, added(load(values, start + WIDTH * r), score))
        pair += k
        value = added(inner, added(common, spread(desk.base[k])))
        value = added(value, load(desk.turned, WIDTH * k))
        store(values, at + WIDTH * k, value)
        total = larger_of(total, value)
        inner = spread(-INFINITY)
    return total


@inlined
def half_vector(values, chain, closing, d):
    """half[h, m] of eight g, without its last way."""
    best = spread(-INFINITY)
    for k in range(1, d):
        best = larger_of(best, added(load(values, chain + WIDTH * k), spread(closing[k])))
    return best


@inlined
def fill_arc(chart, desk, h, m, side, d):
    """open[h, m] and half[h, m] under all g."""
    values, parts, row, lower = chart.values, chart.parts, 2 * h + side, min(h, m)
    base_row(chart, desk.base, h, m, side, d)
    closing_row(chart, desk.closing, h, m, side, d)
    half, pairs = half_at(chart, h, side, m), 1 + pairs_before(d - 1)
    siblings = part_at(chart, GRAND_SIBLING, row, d)
    tri_siblings = part_at(chart, GRAND_TRI_SIBLING, row, d)
    grands, begin = grands_of(chart, h, side, d)
    for c in range(begin // WIDTH * WIDTH, begin + grands, WIDTH):
        chain, first = open_at(chart, h, side, c), (c - begin + lower) % grands
        common = grandchildren(chart, row, d, lower, grands, c - begin)
        if chart.tri:
            scores, start = parts.grand_tri_sibling, pair_at(chart, row, c)
            turn_rows(parts.grand_sibling, siblings, d, grands, first, desk.turned)
            turn_rows(scores, tri_siblings, pairs, grands, first, desk.turned_tri)
            opened = pair_vectors(chart, desk, start, row, d, common)
            best = half_vector(values, chain, desk.closing, d)
        else:
            opened, best = open_vector(chart, desk, chain, siblings, grands, first, d)
            opened = added(opened, common)
        store(values, chain + WIDTH * d, opened)
        store(values, half + c, larger_of(best, added(opened, spread(desk.closing[d]))))


@kernel
def fill(owned_chart):
    """Fill a chart, all spans that end at a word before the next word: they read the same items.

    With narrow spans first, scores would drive the items of long sentences out of the cache.
    """
    owned_desk = new_desk(owned_chart.n, owned_chart.tri)
    chart, desk = borrowed(owned_chart), borrowed(owned_desk)
    chart.values[NOTHING] = 0.0
    fill_words(chart)
    for hi in range(1, chart.n + 1):
        for lo in range(hi - 1, -1, -1):
            if lo > 0:
                fill_between(chart, lo, hi)
            for side in range(1 if lo == 0 else 0, 2):
                h, e = (lo, hi) if side == 1 else (hi, lo)
                fill_arc(chart, desk, h, e, side, hi - lo)
    kept(owned_desk)
