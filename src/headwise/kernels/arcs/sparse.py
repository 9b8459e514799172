# mypy: allow-untyped-defs
"""Sparse vectors over the tables of weights, and what learners do with them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import MIRRORED
from headwise.kernels.runtime.jit import helper, kernel

SPREAD = np.uint64(0x9E3779B97F4A7C15)
NOWHERE = -1


class SparseRows(NamedTuple):
    """Rows of a sparse matrix whose columns are the slots of the weight tables that occur in it."""

    slots: NDArray[np.int64]  # [column]
    start: NDArray[np.int64]  # [row + 1]
    column: NDArray[np.int64]
    value: NDArray[np.float64]


@kernel
def combine(rows, row, slot, value):
    """Sparse rows from entries in the order of rows; values of one row and slot are summed."""
    width = np.uint64(1)
    while (np.int64(1) << np.int64(width)) < 2 * len(slot):
        width += np.uint64(1)
    buckets = np.full(np.int64(1) << np.int64(width), NOWHERE, np.int64)
    slots = np.empty(len(slot), np.int64)
    latest = np.empty(len(slot), np.int64)  # [column]: its latest entry
    start = np.zeros(rows + 1, np.int64)
    column, total = np.empty(len(slot), np.int64), np.empty(len(slot))
    columns, count, now = 0, 0, 0
    for i in range(len(slot)):
        while now < row[i]:
            now += 1
            start[now] = count
        bucket = find_bucket(buckets, slots, slot[i], np.uint64(64) - width)
        if buckets[bucket] == NOWHERE:
            buckets[bucket] = columns
            slots[columns] = slot[i]
            latest[columns] = NOWHERE
            columns += 1
        c = buckets[bucket]
        if latest[c] >= start[now]:
            total[latest[c]] += value[i]
        else:
            latest[c] = count
            column[count], total[count] = c, value[i]
            count += 1
    start[now + 1 :] = count
    return SparseRows(slots[:columns], start, column[:count], total[:count])


@helper
def find_bucket(buckets, slots, slot, shift):
    """The bucket of a slot in the hash table of slots, or the empty one that it would take."""
    bucket = np.int64((np.uint64(slot) * SPREAD) >> shift)
    while buckets[bucket] != NOWHERE and slots[buckets[bucket]] != slot:
        bucket = (bucket + 1) & (len(buckets) - 1)
    return bucket


@kernel
def add_to_table(table, sums, step, slots, values):
    """Add a sparse vector to a table, and `step` times it to the sums that averages come from."""
    for i in range(len(slots)):
        p = slots[i] & ~MIRRORED
        change = np.float32(values[i])
        table[p] += change
        sums[p] += np.float32(step) * change
        if slots[i] & MIRRORED:
            table[p + 1] += change
            sums[p + 1] += np.float32(step) * change


@kernel
def adagrad(table, squares, slots, gradient, rate, decay):
    """How far AdaGrad goes along a gradient (uphill) with L2 decay; notes its squares.

    step = rate · g / √(Σ g²),  g = gradient - decay · weight
    """
    steps = np.empty(len(slots))
    for i in range(len(slots)):
        p = slots[i] & ~MIRRORED
        g = gradient[i] - decay * table[p]
        squares[p] += np.float32(g * g)
        steps[i] = rate * g / np.sqrt(squares[p]) if squares[p] > 0.0 else 0.0
    return steps
