# mypy: allow-untyped-defs, allow-untyped-calls
"""Filling the chart of `chart`, and the expected counts of all its scores."""

import numpy as np

from headwise.kernels.charts.backtrace import NOTHING
from headwise.kernels.charts.chart import (
    CHAIN,
    CLOSE,
    CLOSED,
    GOAL,
    RIGHT,
    STEP,
    TREE,
    WHOLE,
    HeadChart,
    chain_item,
    close_item,
    closed_item,
    first_weight,
    lane_allows,
    lane_reaches,
    lane_side,
    lane_start,
    link_weight,
    step_item,
    stop_weight,
    tree_item,
    whole_item,
    whole_run,
)
from headwise.kernels.charts.chart_hyperedges import list_hyperedges
from headwise.kernels.primitives.semiring import INFINITY, exponential, join, join1
from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import helper, kernel, maker


@kernel
def inside(semiring, weights, spans, lanes, counts, firsts, both_sides, single_root):
    """Fill a chart. Returns it, the items that can be, in order, and their number."""
    size = len(spans)
    n = size - 1
    stretches = size * lanes * size
    start = np.empty(7, np.int64)
    start[CHAIN] = 1
    start[STEP] = start[CHAIN] + stretches * counts * size
    start[CLOSE] = start[STEP] + stretches * (counts + 1) * size
    start[CLOSED] = start[CLOSE] + stretches * counts
    start[TREE] = start[CLOSED] + stretches
    start[WHOLE] = start[TREE] + size**3 * firsts
    start[GOAL] = start[WHOLE] + size**3 * firsts
    values = np.full(start[GOAL] + 1, -INFINITY)
    values[NOTHING] = 0.0
    where = np.zeros(n + 2, np.int64)
    chart = HeadChart(
        values, weights, spans, where, start, n, lanes, counts, firsts, both_sides, single_root
    )
    order = np.empty(len(values), np.int64)
    found = fill(semiring, borrowed(chart), borrowed(order))
    return chart, order, found


@maker
def fill(semiring, chart, order):
    """Find the values of all items, narrow ones first. OUT: order. Returns how many can be."""
    found = 0
    for width in range(chart.n + 1):
        for low in range(chart.n + 1 - width):
            high = low + width
            for lane in range(chart.lanes):
                h, e = (low, high) if lane_side(chart, lane) == RIGHT else (high, low)
                if (e > 0 or h == 0) and lane_reaches(chart, h, lane, e):
                    found = fill_chains(semiring, chart, h, lane, e, order, found)
                    found = fill_steps(semiring, chart, h, lane, e, order, found)
                    found = fill_closes(semiring, chart, h, lane, e, order, found)
            if low > 0:
                found = fill_trees(semiring, chart, low, high, order, found)
    return fill_item(semiring, chart, chart.start[GOAL], order, found)


@helper
def write(chart, item, value, order, found):
    """Write the value of an item, and put it in the order of items if it can be."""
    chart.values[item] = value
    order[found] = item
    return found + (value > -INFINITY)


@maker
def fill_item(semiring, chart, item, order, found):
    """Find the value of an item that has few hyperedges."""
    first, second = np.empty(chart.n + 2, np.int64), np.empty(chart.n + 2, np.int64)
    out = np.empty(chart.n + 2)
    count = list_hyperedges(chart, item, first, second)
    for x in range(count):
        score = chart.weights[chart.where[x]]
        out[x] = score + chart.values[first[x]] + chart.values[second[x]]
    return write(chart, item, join1(semiring, out, 0, count), order, found)


@helper
def fill_chains(semiring, chart, h, lane, e, order, found):
    """Find the values of all chains of a lane up to e."""
    values = chart.values
    low, high = (h + 1, e + 1) if e > h else (e, h)
    if chart.spans[h, e] == -INFINITY:
        return found
    for c in range(chart.counts):
        before = chart.counts if c == chart.counts - 1 else c - 1
        if before < 0:
            continue
        for m in range(low, high):
            if e > h:
                steps = step_item(chart, h, lane, h, before, m)
                wholes = whole_run(chart, h, m, h + 1, e)
            else:
                steps = step_item(chart, h, lane, m + 1, before, m)
                wholes = whole_run(chart, h, m, e, m)
            value = join(semiring, values, steps, values, wholes, abs(m - h))
            found = write(chart, chain_item(chart, h, lane, e, c, m), value, order, found)
    return found


@maker
def fill_steps(semiring, chart, h, lane, mid, order, found):
    """Find the values of all steps of a lane from mid."""
    low, high = (mid + 1, chart.n + 1) if lane_side(chart, lane) == RIGHT else (1, mid)
    if h == 0 and mid > 0 and chart.single_root:
        return found
    if mid == h:
        c = lane_start(chart, lane)
        for m in range(low, high):
            if lane_allows(chart, lane, m):
                value = chart.weights[link_weight(chart, h, c, h, m)]
                item = step_item(chart, h, lane, h, c, m)
                found = write(chart, item, value, order, found)
    else:
        start = h + 1 if mid > h else mid
        for c in range(chart.counts):
            chains = chain_item(chart, h, lane, mid, c, start)
            for m in range(low, high):
                links = link_weight(chart, h, c, start, m)
                value = join(semiring, chart.values, chains, chart.weights, links, abs(mid - h))
                item = step_item(chart, h, lane, mid, c, m)
                found = write(chart, item, value, order, found)
    last = np.full(2, -INFINITY)
    for m in range(low, high):
        for x in range(min(chart.counts, 2)):
            last[x] = chart.values[step_item(chart, h, lane, mid, chart.counts - 1 - x, m)]
        item = step_item(chart, h, lane, mid, chart.counts, m)
        found = write(chart, item, join1(semiring, last, 0, 2), order, found)
    return found


@maker
def fill_closes(semiring, chart, h, lane, e, order, found):
    """Find the values of all ends of a lane at e."""
    start = h + 1 if e > h else e
    for c in range(chart.counts):
        item = close_item(chart, h, lane, e, c)
        if e == h:
            found = fill_item(semiring, chart, item, order, found)
        else:
            chains = chain_item(chart, h, lane, e, c, start)
            stops = stop_weight(chart, h, lane_side(chart, lane), c, start)
            value = join(semiring, chart.values, chains, chart.weights, stops, abs(e - h))
            found = write(chart, item, value, order, found)
    value = join1(semiring, chart.values, close_item(chart, h, lane, e, 0), chart.counts)
    return write(chart, closed_item(chart, h, lane, e), value, order, found)


@maker
def fill_trees(semiring, chart, low, high, order, found):
    """Find the values of all trees over low…high, and what they are worth to every head."""
    values, matters = chart.values, chart.firsts > 1
    for m in range(low, high + 1):
        for f in range(low if matters else 0, high + 1 if matters else 1):
            item = tree_item(chart, m, low, high, f)
            found = fill_item(semiring, chart, item, order, found)
        if not matters:
            values[whole_run(chart, 0, m, low, high)] = values[tree_item(chart, m, low, high, 0)]
            continue
        trees = tree_item(chart, m, low, high, low)
        for h in range(chart.n + 1):
            if not low <= h <= high:
                firsts = first_weight(chart, h, m, low)
                value = join(semiring, values, trees, chart.weights, firsts, high - low + 1)
                found = write(chart, whole_item(chart, h, m, low, high), value, order, found)
    return found


@kernel
def expected_counts(owned_chart, order, found):
    """The expected count of every score, from a chart of the LOG semiring."""
    chart = borrowed(owned_chart)
    n = chart.n
    values, weights, where = chart.values, chart.weights, chart.where
    first, second = np.empty(n + 2, np.int64), np.empty(n + 2, np.int64)
    probability = np.zeros(len(values))
    expected = np.zeros(len(weights))
    probability[chart.start[GOAL]] = 1.0
    for at in range(found - 1, -1, -1):
        item = order[at]
        if probability[item] == 0.0:
            continue
        count = list_hyperedges(chart, item, first, second)
        for x in range(count):
            value = weights[where[x]] + values[first[x]] + values[second[x]]
            share = probability[item] * exponential(value - values[item])
            probability[first[x]] += share
            probability[second[x]] += share
            expected[where[x]] += share
    return expected
