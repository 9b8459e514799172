# mypy: allow-untyped-defs
"""First order: arcs (Eisner 1996). O(n³) time, O(n²) space.

Items, both sides of a head in one matrix each:

    half[h, e]   the half of head h that reaches to e, all modifiers included; half[h, h] = 1
    open[h, m]   h with its modifier m, the words between them attached to one of the two

    open[h, m] = arc[h, m] × Σ_r half[lo, r] × half[hi, r + 1]      lo, hi = h, m in order
    half[h, e] = spans[h, e] × Σ_m open[h, m] × half[m, e]          m from h to e

With a single root, open[0, m] = arc[0, m] × half[m, 1]: nothing else may hang on the root.
"""

import math
from typing import NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from headwise.kernels.charts import backtrace
from headwise.kernels.charts import kbest as kbest_search
from headwise.kernels.charts.backtrace import NOTHING, hyperedges, mark
from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.primitives.semiring import (
    INFINITY,
    LINEAR,
    LOG,
    MAX,
    exponential,
    join,
    join_and,
    join_back,
    one,
    over,
    times,
    zero,
)
from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import helper, inlined, inner, kernel, maker, overload_helper

best_tree, sample_trees = inner(backtrace.best_tree), inner(backtrace.sample_trees)
kbest_trees = inner(kbest_search.kbest_trees)

SAFE = 600.0
"""Scaled scores of the LINEAR semiring are trusted if |log Z| is below this."""

SAFE_LENGTH = 300
"""They cannot overflow in sentences up to this length, which have fewer than 6.75^n trees."""


class ArcChart(NamedTuple):
    """The filled chart: `values` is half, then open, one after the other; item n is the goal."""

    values: NDArray[np.float64]
    arc: NDArray[np.float64]
    spans: NDArray[np.float64]
    single_root: bool


@kernel
def inside(semiring, arc, spans, single_root):
    """Fill a chart."""
    size = arc.shape[0]
    values = np.empty(2 * size * size)
    fill(semiring, arc, spans, single_root, values, np.empty(size * size))
    return ArcChart(values, arc, spans, single_root)


filled_chart = inner(inside)


@helper
def fill(semiring, owned_arc, owned_spans, single_root, owned_values, owned_ends):
    """Fill a chart. `ends` is half with its axes swapped, so that all runs are along rows.

    Spans of one width do not need each other, so the processor has several of them under way. For
    the same reason, what was written a moment ago is not read again as the end of a run.
    """
    arc, spans, values, ends = borrowed((owned_arc, owned_spans, owned_values, owned_ends))
    size = arc.shape[0]
    opened = size * size
    for h in range(size):
        values[h * size + h] = ends[h * size + h] = one(semiring)
    for width in range(1, size - 1):
        for lo in range(1, size - width):
            hi = lo + width
            right, left, inner = lo * size, hi * size, width - 1
            between = join(semiring, values, right + lo, values, left + lo + 1, width)
            last = times(semiring, between, arc[lo, hi])
            values[opened + right + hi] = last
            a, b = opened + right + lo + 1, left + lo + 1
            reached = join_and(semiring, last, values, a, ends, b, inner)
            values[right + hi] = ends[left + lo] = times(semiring, reached, spans[lo, hi])
            last = times(semiring, between, arc[hi, lo])
            values[opened + left + lo] = last
            a, b = opened + left + lo + 1, right + lo + 1
            reached = join_and(semiring, last, values, a, ends, b, inner)
            values[left + lo] = ends[right + hi] = times(semiring, reached, spans[hi, lo])
    fill_root(semiring, arc, spans, single_root, values, ends)


@helper
def fill_root(semiring, arc, spans, single_root, values, ends):
    """Fill in the items of the root, when those of all words are known."""
    size = arc.shape[0]
    opened = size * size
    for hi in range(1, size):
        if single_root:
            between = values[hi * size + 1]
        else:
            between = join(semiring, values, 0, values, hi * size + 1, hi)
        values[opened + hi] = times(semiring, between, arc[0, hi])
        if hi == size - 1 or not single_root:
            reached = join(semiring, values, opened + 1, ends, hi * size + 1, hi)
            values[hi] = ends[hi * size] = times(semiring, reached, spans[0, hi])


@maker
def outside(semiring, arc, spans, single_root, values, ends):
    """The probabilities of all arcs, from a chart: the derivatives of the goal by its arcs."""
    size = arc.shape[0]
    opened = size * size
    bar, ends_bar = np.zeros(2 * size * size), np.zeros(size * size)
    bar[size - 1] = 1.0
    for hi in range(size - 1, 0, -1):
        for lo in range(hi):
            right, left, width = lo * size, hi * size, hi - lo
            weight = bar[right + hi] + ends_bar[left + lo]
            if weight > 0.0:
                total = over(semiring, values[right + hi], spans[lo, hi])
                a, b = opened + right + lo + 1, left + lo + 1
                join_back(semiring, weight, total, values, a, ends, b, width, bar, ends_bar)
            weight = bar[left + lo] + ends_bar[right + hi]
            if weight > 0.0:
                total = over(semiring, values[left + lo], spans[hi, lo])
                a, b = opened + left + lo, right + lo
                join_back(semiring, weight, total, values, a, ends, b, width, bar, ends_bar)
            weight = bar[opened + right + hi] + bar[opened + left + lo]
            if weight > 0.0 and lo == 0 and single_root:
                bar[left + 1] += weight
            elif weight > 0.0:
                total = over(semiring, values[opened + right + hi], arc[lo, hi])
                if values[opened + right + hi] == zero(semiring):
                    total = over(semiring, values[opened + left + lo], arc[hi, lo])
                a, b = right + lo, left + lo + 1
                join_back(semiring, weight, total, values, a, values, b, width, bar, bar)
    return bar[opened:].reshape(size, size)


@maker
def linear_marginals(arc, spans, single_root):
    """Whether the LINEAR semiring can be trusted, the log-partition, the probabilities of all arcs.

    Every word has one head, so the scores of a word's arcs may be shifted together: with the
    largest of each word at 0, no product of a tree's arcs exceeds 1, and none of its parts is
    below the whole. So if Z does not underflow, nothing of weight has.
    """
    size = arc.shape[0]
    nothing = np.empty((0, 0))
    if size > SAFE_LENGTH:
        return False, -INFINITY, nothing
    shift = np.full(size, -INFINITY)
    for h in range(size):
        for m in range(1, size):
            shift[m] = max(shift[m], arc[h, m])
    values = np.empty(2 * size * size)
    ends = np.empty(size * size)
    linear_arc, linear_spans = np.empty((size, size)), np.empty((size, size))
    for h in range(size):
        for m in range(1, size):
            linear_arc[h, m] = exponential(arc[h, m] - shift[m])
            linear_spans[h, m] = exponential(spans[h, m])
    fill(LINEAR, linear_arc, linear_spans, single_root, values, ends)
    log_partition = math.log(values[size - 1]) if values[size - 1] > 0.0 else -INFINITY
    if abs(log_partition) >= SAFE:
        return False, -INFINITY, nothing
    found = outside(LINEAR, linear_arc, linear_spans, single_root, values, ends)
    return True, log_partition + shift[1:].sum(), found


@kernel
def marginals(arc, spans, single_root):
    """The log-partition and the probabilities of all arcs."""
    trusted, log_partition, found = linear_marginals(arc, spans, single_root)
    if trusted:
        return log_partition, found
    size = arc.shape[0]
    values, ends = np.empty(2 * size * size), np.empty(size * size)
    fill(LOG, arc, spans, single_root, values, ends)
    if values[size - 1] == -INFINITY:
        return -INFINITY, np.zeros((size, size))
    return values[size - 1], outside(LOG, arc, spans, single_root, values, ends)


@kernel
def best(arc, spans, single_root):
    """The heads and the score of the best tree; no heads and -inf if there is none."""
    n = arc.shape[0] - 1
    chart = filled_chart(MAX, arc, spans, single_root)
    if chart.values[n] == -INFINITY:
        return np.empty(0, np.int64), -INFINITY
    return best_tree(chart, n, n), chart.values[n]


@kernel
def kbest(arc, spans, single_root, k):
    """The heads and scores of the k best trees, or of as many as there are."""
    n = arc.shape[0] - 1
    return kbest_trees(filled_chart(MAX, arc, spans, single_root), n, n, k)


@kernel
def sample(arc, spans, single_root, uniforms):
    """The heads of random trees, one for each row of random numbers; none if there is no tree."""
    n = arc.shape[0] - 1
    chart = filled_chart(LOG, arc, spans, single_root)
    if chart.values[n] == -INFINITY:
        return np.empty((0, n + 1), np.int64)
    return sample_trees(chart, n, n, uniforms)


@kernel
def best_trees(arcs, sizes, single_root):
    """The best trees of many sentences, whose scores are given one after the other."""
    words, longest = 0, 1
    for size in sizes:
        words, longest = words + size, max(longest, size)
    heads, totals = np.empty(words, np.int64), np.empty(len(sizes))
    buffers = allocate_buffers(longest)
    arc_at, head_at = 0, 0
    for sentence in range(len(sizes)):
        size = sizes[sentence]
        arc = arcs[arc_at : arc_at + size * size].reshape(size, size)
        totals[sentence] = find_best(arc, single_root, buffers, heads[head_at : head_at + size])
        arc_at, head_at = arc_at + size * size, head_at + size
    return heads, totals


@inlined
def allocate_buffers(largest):
    """Buffers for charts of sentences up to a size: half and open, ends, and spans of score 0."""
    squared = largest * largest
    return np.empty(2 * squared), np.empty(squared), np.zeros(squared)


@inlined
def find_best(arc, single_root, buffers, heads):
    """The score of the best tree, and OUT heads, if there is a tree; no words have no heads."""
    size = arc.shape[0]
    if size == 1:
        heads[0] = -1
        return 0.0
    values, ends, spans = buffers[0][: 2 * size * size], buffers[1], buffers[2][: size * size]
    chart = ArcChart(values, arc, spans.reshape(size, size), single_root)
    fill(MAX, arc, chart.spans, single_root, values, ends)
    if values[size - 1] > -INFINITY:
        copy_run(heads, 0, best_tree(chart, size - 1, size - 1), 0, size)
    return values[size - 1]


@overload_helper(hyperedges, forceinline=True)
def arc_edges(chart, item, local, first, second):
    """The hyperedges of an item of an ArcChart."""
    if getattr(chart, "instance_class", None) is not ArcChart:
        return None

    def find(chart, item, local, first, second):
        size = chart.arc.shape[0]
        if item >= size * size:
            h, m = divmod(item - size * size, size)
            return open_edges(chart, size, h, m, local, first, second)
        h, e = divmod(item, size)
        low, high = (h + 1, e) if e > h else (e, h - 1)
        spans = chart.spans[h, e]
        for m in range(low, high + 1):
            local[m - low] = spans
            first[m - low] = size * size + h * size + m
            second[m - low] = m * size + e if m != e else NOTHING
        return high - low + 1

    return find


@helper
def open_edges(chart, size, h, m, local, first, second):
    """The hyperedges of open[h, m]: where the two halves between h and m meet."""
    if h == 0 and chart.single_root:
        local[0], second[0] = chart.arc[0, m], NOTHING
        first[0] = m * size + 1 if m != 1 else NOTHING
        return 1
    low, high = min(h, m), max(h, m)
    arc = chart.arc[h, m]
    for r in range(low, high):
        local[r - low] = arc
        first[r - low] = low * size + r if r != low else NOTHING
        second[r - low] = high * size + r + 1 if r + 1 != high else NOTHING
    return high - low


@overload(mark, inline="always")
def arc_mark(chart, item, heads):
    """Read the arc off an item of an ArcChart."""
    if getattr(chart, "instance_class", None) is not ArcChart:
        return None

    def write(chart, item, heads):
        size = chart.arc.shape[0]
        if item >= size * size:
            h, m = divmod(item - size * size, size)
            heads[m] = h

    return write
