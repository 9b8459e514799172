# mypy: allow-untyped-defs
"""The quadratic programmes of MIRA: the smallest change of weights that meets margins.

    minimise ½ ‖v‖² + c · Σ ξ    subject to    row_i · v ≥ wanted_i - ξ_i,  ξ_i ≥ 0

Its dual has one number for each row, and v is Σ α_i · row_i:

    maximise Σ α_i · wanted_i - ½ ‖v‖²    subject to    0 ≤ α_i ≤ c

Rows are visited in turn, and α_i moves to where its own constraint is just met, or to a bound
(Hildreth's algorithm, which is coordinate ascent on the dual). A row *misses* what it wants by

    wanted_i - row_i · v where it is above 0 and α_i could grow, or
    row_i · v - wanted_i where it is above 0 and α_i could fall

Where no row misses anything, v is the optimum (the conditions of Karush, Kuhn and Tucker); where
none misses more than ε, the objective is at most c · Σ ε above its minimum, as that is the
difference of the two objectives.

Of few rows, all products are computed first: a pass is then so cheap that thousands of them, which
the k best trees need, as they are much alike, cost less than fifty over the rows themselves.
"""

import numpy as np

from headwise.kernels.runtime.jit import helper, kernel

MOST_PRODUCTS = 64
"""Rows up to which all their products are computed first."""

PASSES_BETWEEN = 10
"""Passes over those of many rows that count, after one over all of them."""


@kernel
def solve_margins(rows, wanted, c, passes, tolerance):
    """v, α, and how much the worst row misses: at most `tolerance`, if `passes` were enough.

    Rows without features want what nothing can give; they are left out.
    """
    count = len(wanted)
    v, alpha = np.zeros(len(rows.slots)), np.zeros(count)
    if 1 < count <= MOST_PRODUCTS:
        products, gap = np.zeros((count, count)), wanted.copy()
        multiply_rows(rows, v, products)
        worst = ascend_by_products(products, gap, alpha, c, passes, tolerance)
        v[:] = 0.0
        for i in range(count):
            add_row(rows, i, alpha[i], v)
    else:
        norm = np.zeros(count)
        for i in range(count):
            for k in range(rows.start[i], rows.start[i + 1]):
                norm[i] += rows.value[k] * rows.value[k]
        worst = ascend_by_rows(rows, norm, wanted, alpha, v, c, passes, tolerance)
    return v, alpha, worst


@helper
def missed(gap, alpha, c):
    """How much a row misses, given what it wants more than it has."""
    if gap > 0.0:
        return gap if alpha < c else 0.0
    return -gap if alpha > 0.0 else 0.0


@helper
def multiply_rows(rows, v, products):
    """The products of all rows: OUT products; v is scratch space of zeros."""
    for i in range(len(products)):
        add_row(rows, i, 1.0, v)
        for j in range(i + 1):
            products[i, j] = products[j, i] = product(rows, j, v)
        add_row(rows, i, -1.0, v)


@helper
def add_row(rows, i, factor, v):
    """Add a multiple of a row: IN/OUT v."""
    for k in range(rows.start[i], rows.start[i + 1]):
        v[rows.column[k]] += factor * rows.value[k]


@helper
def product(rows, i, v):
    """The product of a row with a vector."""
    total = 0.0
    for k in range(rows.start[i], rows.start[i + 1]):
        total += rows.value[k] * v[rows.column[k]]
    return total


@helper
def ascend_by_products(products, gap, alpha, c, passes, tolerance):
    """Visit rows until none misses more than `tolerance`: IN/OUT gap, alpha; what is missed.

    gap: what each row wants more than it has.
    """
    count = len(gap)
    worst = 0.0
    for _ in range(passes):
        worst = 0.0
        for i in range(count):
            if products[i, i] > 0.0:
                worst = max(worst, missed(gap[i], alpha[i], c))
        if worst <= tolerance:
            break
        for i in range(count):
            if products[i, i] > 0.0:
                change = min(max(gap[i] / products[i, i], -alpha[i]), c - alpha[i])
                alpha[i] += change
                for j in range(count):
                    gap[j] -= change * products[i, j]
    return worst


@helper
def ascend_by_rows(rows, norm, wanted, alpha, v, c, passes, tolerance):
    """The same without products: IN/OUT alpha, v; what is missed.

    After a pass over all rows, only those are visited for a while that have a part in v.
    """
    worst, since_whole = 0.0, 0
    for number in range(passes):
        largest = 0.0
        for i in range(len(wanted)):
            if norm[i] > 0.0 and (since_whole == 0 or alpha[i] > 0.0):
                change = (wanted[i] - product(rows, i, v)) / norm[i]
                change = min(max(change, -alpha[i]), c - alpha[i])
                largest = max(largest, abs(change) * norm[i])
                alpha[i] += change
                add_row(rows, i, change, v)
        since_whole = (since_whole + 1) % PASSES_BETWEEN
        if largest <= tolerance or number == passes - 1:
            worst, since_whole = 0.0, 0
            for i in range(len(wanted)):
                if norm[i] > 0.0:
                    gap = wanted[i] - product(rows, i, v)
                    worst = max(worst, missed(gap, alpha[i], c))
            if worst <= tolerance:
                break
    return worst
