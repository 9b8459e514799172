# mypy: allow-untyped-defs
"""From the goal of a filled chart down to trees: the best, the k best, samples.

What these need of a recurrence is only `edges`: the ways to build an item. It is resolved by the
type of the chart, so each of the questions is written once, for all orders. Only items that are
reached from the goal are looked at. No function here recurses.
"""

import numpy as np

from headwise.kernels.jit import helper, kernel
from headwise.kernels.semiring import argjoin, exponential


def edges(chart, item, local, first, second):
    """List the ways to build an item, and return their number (none for an item without parts).

    Way x has the value local[x] + values[first[x]] + values[second[x]]; an absent second item
    is -1.
    """
    raise NotImplementedError


def mark(chart, item, heads):
    """Write to heads what an item says: heads[m] = h if in it word m is attached to h."""
    raise NotImplementedError


@helper
def way_values(chart, count, local, first, second, out):
    """The values of all ways to build an item."""
    for x in range(count):
        value = local[x] + chart.values[first[x]]
        if second[x] >= 0:
            value += chart.values[second[x]]
        out[x] = value


@kernel
def best_tree(chart, goal, n):
    """The heads of the tree of highest score, from a chart of the MAX semiring."""
    heads = np.full(n + 1, -1, np.int64)
    local, out = np.empty(n + 2), np.empty(n + 2)
    first, second = np.empty(n + 2, np.int64), np.empty(n + 2, np.int64)
    stack = np.empty(8 * n + 16, np.int64)
    stack[0], depth = goal, 1
    while depth > 0:
        depth -= 1
        mark(chart, stack[depth], heads)
        count = edges(chart, stack[depth], local, first, second)
        if count > 0:
            way_values(chart, count, local, first, second, out)
            x = argjoin(out, count)
            stack[depth] = first[x]
            stack[depth + 1] = second[x]
            depth += 1 + (second[x] >= 0)
    return heads


@kernel
def sample_trees(chart, goal, n, uniforms):
    """Heads of random trees, from a chart of the LOG semiring.

    Every row of `uniforms`, numbers in [0, 1), makes a tree; 8 n + 16 are always enough.
    """
    samples = np.full((len(uniforms), n + 1), -1, np.int64)
    local, out = np.empty(n + 2), np.empty(n + 2)
    first, second = np.empty(n + 2, np.int64), np.empty(n + 2, np.int64)
    stack = np.empty(8 * n + 16, np.int64)
    for row in range(len(uniforms)):
        stack[0], depth = goal, 1
        used = 0
        while depth > 0:
            depth -= 1
            mark(chart, stack[depth], samples[row])
            count = edges(chart, stack[depth], local, first, second)
            if count > 0:
                way_values(chart, count, local, first, second, out)
                x = draw(out, count, uniforms[row, used])
                used += 1
                stack[depth] = first[x]
                stack[depth + 1] = second[x]
                depth += 1 + (second[x] >= 0)
    return samples


@helper
def draw(values, count, uniform):
    """Choose among values in proportion to their exponentials."""
    top = values[argjoin(values, count)]
    total = 0.0
    for x in range(count):
        values[x] = exponential(values[x] - top)
        total += values[x]
    left = uniform * total
    last = 0
    for x in range(count):
        if values[x] > 0.0:
            last = x
            left -= values[x]
            if left < 0.0:
                break
    return last
