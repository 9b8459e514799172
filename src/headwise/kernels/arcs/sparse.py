# mypy: allow-untyped-defs
"""Sparse vectors over the tables of weights, and what learners do with them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.rows import MIRRORED
from headwise.kernels.runtime.jit import helper, kernel

SPREAD = np.uint64(0x9E3779B97F4A7C15)
NOWHERE = -1


class SparseRows(NamedTuple):
    """Rows of a sparse matrix whose columns are those places of the tables that occur in it."""

    places: NDArray[np.int64]  # [column]
    start: NDArray[np.int64]  # [row + 1]
    column: NDArray[np.int64]
    value: NDArray[np.float64]


@kernel
def combine(rows, row, place, value):
    """Sparse rows from entries in the order of rows; values of one row and place are summed."""
    width = np.uint64(1)
    while (np.int64(1) << np.int64(width)) < 2 * len(place):
        width += np.uint64(1)
    slots = np.full(np.int64(1) << np.int64(width), NOWHERE, np.int64)
    places = np.empty(len(place), np.int64)
    latest = np.empty(len(place), np.int64)  # [column]: its latest entry
    start = np.zeros(rows + 1, np.int64)
    column, total = np.empty(len(place), np.int64), np.empty(len(place))
    columns, count, now = 0, 0, 0
    for i in range(len(place)):
        while now < row[i]:
            now += 1
            start[now] = count
        slot = find_slot(slots, places, place[i], np.uint64(64) - width)
        if slots[slot] == NOWHERE:
            slots[slot] = columns
            places[columns] = place[i]
            latest[columns] = NOWHERE
            columns += 1
        c = slots[slot]
        if latest[c] >= start[now]:
            total[latest[c]] += value[i]
        else:
            latest[c] = count
            column[count], total[count] = c, value[i]
            count += 1
    start[now + 1 :] = count
    return SparseRows(places[:columns], start, column[:count], total[:count])


@helper
def find_slot(slots, places, place, shift):
    """The slot of a place in a hash table, or the empty one that it would take."""
    slot = np.int64((np.uint64(place) * SPREAD) >> shift)
    while slots[slot] != NOWHERE and places[slots[slot]] != place:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@kernel
def hildreth(rows, wanted, most, passes, tolerance):
    """The smallest vector v with row · v ≥ wanted for every row (Hildreth's algorithm).

        minimise ½ ‖v‖² + most · Σ ξ    subject to    row_i · v ≥ wanted_i - ξ_i,  ξ_i ≥ 0

    Rows are visited in turn. α_i, how much of row i there is in v, moves to where its own
    constraint is just met, and stays within 0 and `most`. Ends when no constraint is violated, and
    none with α > 0 is slack, by more than `tolerance`, or after so many passes.
    """
    count = len(wanted)
    v, alpha, norm = np.zeros(len(rows.places)), np.zeros(count), np.zeros(count)
    for i in range(count):
        for k in range(rows.start[i], rows.start[i + 1]):
            norm[i] += rows.value[k] * rows.value[k]
    for _ in range(passes):
        worst = 0.0
        for i in range(count):
            if norm[i] == 0.0:
                continue
            reached = 0.0
            for k in range(rows.start[i], rows.start[i + 1]):
                reached += rows.value[k] * v[rows.column[k]]
            change = (wanted[i] - reached) / norm[i]
            change = min(max(change, -alpha[i]), most - alpha[i])
            worst = max(worst, abs(change) * norm[i])
            alpha[i] += change
            for k in range(rows.start[i], rows.start[i + 1]):
                v[rows.column[k]] += change * rows.value[k]
        if worst <= tolerance:
            break
    return v, alpha


@kernel
def add_to_table(table, sums, step, places, values):
    """Add a sparse vector to a table, and `step` times it to the sums that averages come from."""
    for i in range(len(places)):
        p = places[i] & ~MIRRORED
        change = np.float32(values[i])
        table[p] += change
        sums[p] += np.float32(step) * change
        if places[i] & MIRRORED:
            table[p + 1] += change
            sums[p + 1] += np.float32(step) * change


@kernel
def adagrad(table, squares, places, gradient, rate, decay):
    """How far AdaGrad goes along a gradient (uphill) with L2 decay; notes its squares.

    step = rate · g / √(Σ g²),  g = gradient - decay · weight
    """
    steps = np.empty(len(places))
    for i in range(len(places)):
        p = places[i] & ~MIRRORED
        g = gradient[i] - decay * table[p]
        squares[p] += np.float32(g * g)
        steps[i] = rate * g / np.sqrt(squares[p]) if squares[p] > 0.0 else 0.0
    return steps
