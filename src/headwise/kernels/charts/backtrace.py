# mypy: allow-untyped-defs
"""From the goal of a filled chart down to trees: the best, the k best, samples.

All they need of a recurrence is `hyperedges`, which lists the ways to build an item. It is resolved
by the type of the chart, so each question is written once, for all orders. Only items reached from
the goal are visited. No function here recurses.
"""

import numpy as np

from headwise.kernels.primitives.runs import argjoin
from headwise.kernels.primitives.semiring import exponential
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel

NOTHING = 0
"""The item that is built of nothing: its value is 0, in every chart."""


def hyperedges(chart, item, local, first, second):
    """List the hyperedges of an item, the ways to build it, and return their number.

    Hyperedge x has the value local[x] + values[first[x]] + values[second[x]]; first[x] and
    second[x] may be NOTHING.
    """
    raise TypeError("only compiled kernels call this")


def mark(chart, item, heads):
    """Write to heads what an item says: heads[m] = h if in it word m is attached to h."""
    raise TypeError("only compiled kernels call this")


@helper
def hyperedge_values(values, count, local, first, second, out):
    """The values of all hyperedges of an item."""
    for x in range(count):
        out[x] = local[x] + values[first[x]] + values[second[x]]


@inlined
def put(stack, depth, first, second):
    """Put two items on a stack, unless they are NOTHING, and return its new depth."""
    stack[depth] = first
    depth += first != NOTHING
    stack[depth] = second
    return depth + (second != NOTHING)


@inlined
def allocate(n):
    """Buffers for the hyperedges of an item, their parts and values, and for a stack of items."""
    most = n + 2
    return (
        np.empty(most),
        np.empty(most),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(8 * n + 16, np.int64),
    )


@kernel
def best_tree(owned_chart, goal, n):
    """The heads of the tree of highest score, from a chart of the MAX semiring."""
    chart, owned_heads, owned_buffers = (
        borrowed(owned_chart),
        np.full(n + 1, -1, np.int64),
        allocate(n),
    )
    values, heads = chart.values, borrowed(owned_heads)
    local, out, first, second, stack = borrowed(owned_buffers)
    stack[0], depth = goal, 1
    while depth > 0:
        depth -= 1
        mark(chart, stack[depth], heads)
        count = hyperedges(chart, stack[depth], local, first, second)
        hyperedge_values(values, count, local, first, second, out)
        x = argjoin(out, count)
        depth = put(stack, depth, first[x], second[x])
    kept((owned_chart, owned_buffers))
    return owned_heads


@kernel
def sample_trees(owned_chart, goal, n, uniforms):
    """Heads of random trees, from a chart of the LOG semiring.

    Every row of `uniforms`, numbers in [0, 1), makes a tree; 8 n + 16 are always enough.
    """
    chart, owned_buffers = borrowed(owned_chart), allocate(n)
    values = chart.values
    samples = np.full((len(uniforms), n + 1), -1, np.int64)
    local, out, first, second, stack = borrowed(owned_buffers)
    for row in range(len(uniforms)):
        heads = samples[row]
        stack[0], depth = goal, 1
        used = 0
        while depth > 0:
            depth -= 1
            mark(chart, stack[depth], heads)
            count = hyperedges(chart, stack[depth], local, first, second)
            hyperedge_values(values, count, local, first, second, out)
            x = draw(out, count, uniforms[row, used])
            used += 1
            depth = put(stack, depth, first[x], second[x])
    kept((owned_chart, owned_buffers))
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
