# mypy: allow-untyped-defs
"""Runs of neighbouring entries: copied, added up, searched.

A run is given by where it starts, not as a slice: kernels would count references to it. Unsigned
indices, which cannot mean "from the end", let the compiler see that entries are neighbours.
Besides, `a[:] = b` would compile two seconds longer in every kernel, for the text of Numba's error.
"""

import numpy as np

from headwise.kernels.primitives.semiring import largest1
from headwise.kernels.runtime.jit import helper, kernel


@helper
def longest_run(starts):
    """The length of the longest of some runs, one after the other; at least 1."""
    longest = 1
    for k in range(len(starts) - 1):
        longest = max(longest, starts[k + 1] - starts[k])
    return longest


@helper
def add_run(a, i, b, j, count):
    """Add b[j + k] to a[i + k], for all k < count."""
    x, y = np.uint64(i), np.uint64(j)
    for k in range(np.uint64(count)):
        a[x + k] += b[y + k]


@helper
def copy_run(a, i, b, j, count):
    """Copy b[j + k] to a[i + k], for all k < count."""
    x, y = np.uint64(i), np.uint64(j)
    for k in range(np.uint64(count)):
        a[x + k] = b[y + k]


@helper
def fill_run(a, i, count, value):
    """Write a value to a[i + k], for all k < count."""
    x = np.uint64(i)
    for k in range(np.uint64(count)):
        a[x + k] = value


@helper
def raise_run(a, i, count, value):
    """Add a value to a[i + k], for all k < count."""
    x = np.uint64(i)
    for k in range(np.uint64(count)):
        a[x + k] += value


@helper
def argjoin(values, count):
    """The first of the largest values: where a maximum comes from."""
    top = largest1(values, 0, count)
    best = 0
    while best < count and values[best] != top:
        best += 1
    return best


@kernel
def expectation(probabilities, values):
    """The sum of probability × value over all that can be; what cannot may have the value -inf."""
    total = 0.0
    for k in range(len(probabilities)):
        if probabilities[k] > 0.0:
            total += probabilities[k] * values[k]
    return total
