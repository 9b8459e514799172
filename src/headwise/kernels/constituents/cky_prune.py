# mypy: allow-untyped-defs
"""Which spans of which symbols are in a tree not far below the best: a licence for a finer grammar.

The score of the best tree through an item is its value plus the best of what is outside it. Going
down from the goal, an item passes its outside on to what it is built of, unless it is too far below
the best itself: then nothing needs it.
"""

import numpy as np

from headwise.kernels.charts.backtrace import hyperedges
from headwise.kernels.constituents.treechart import most_ways_of
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, kernel


@kernel
def near_best(owned_chart, goal, margin):
    """Storeys [start, end, real symbol] of items whose best tree is within a margin of the best."""
    chart = borrowed(owned_chart)
    n, width = chart.n, chart.n + 1
    reals, size = chart.lower_row.shape[1], chart.upper_row.shape[1]
    outside = np.full(len(chart.values), -INFINITY)
    outside[goal] = 0.0
    least = chart.values[goal] - margin
    lower, upper = np.zeros((n, width, reals), np.bool_), np.zeros((n, width, reals), np.bool_)
    most = most_ways_of(chart)
    local, first, second = np.empty(most), np.empty(most, np.int64), np.empty(most, np.int64)
    for length in range(n, 0, -1):
        for i in range(n - length + 1):
            j = i + length
            for a in range(size):
                row = chart.upper_row[i, a]
                item = row * width + j
                if row > 0 and outside[item] + chart.values[item] >= least:
                    pass_on(chart, item, outside, least, local, first, second)
                    if a < reals:
                        upper[i, j, a] = True
            for a in range(reals):
                row = chart.lower_row[i, a]
                item = row * width + j
                if row > 0 and outside[item] + chart.values[item] >= least:
                    lower[i, j, a] = True
                    if row != chart.upper_row[i, a]:
                        pass_on(chart, item, outside, least, local, first, second)
    kept(owned_chart)
    return lower, upper


@helper
def pass_on(chart, item, outside, least, local, first, second):
    """Raise the outside of everything an item is built of."""
    values = chart.values
    count = hyperedges(chart, item, local, first, second)
    for x in range(count):
        a, b = first[x], second[x]
        around = outside[item] + local[x]
        if around + values[a] + values[b] >= least:
            outside[a] = max(outside[a], around + values[b])
            outside[b] = max(outside[b], around + values[a])
