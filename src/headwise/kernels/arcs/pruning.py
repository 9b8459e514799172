# mypy: allow-untyped-defs
"""Which arcs a first-order model leaves unpruned: the likely ones.

Many sentences are pruned in one call; matrices [head, modifier] stand one after the other.
"""

import numpy as np

from headwise.kernels.charts.order1 import linear_marginals
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.jit import helper, inner, kernel


@kernel
def unpruned_many(arcs, sizes, single_root, ratio, most):
    """Which arcs are unpruned, and which sentences have too small probabilities to tell."""
    unpruned = np.zeros(len(arcs), np.bool_)
    unsure = np.zeros(len(sizes), np.bool_)
    at = 0
    for sentence in range(len(sizes)):
        size = sizes[sentence]
        arc = arcs[at : at + size * size].reshape(size, size)
        sure, _, probability = linear_marginals(arc, np.zeros((size, size)), single_root)
        unsure[sentence] = not sure
        if sure:
            own = unpruned[at : at + size * size].reshape(size, size)
            keep_own(probability, ratio, most, own)
        at += size * size
    return unpruned, unsure


@kernel
def keep_likely(probability, ratio, most, unpruned):
    """Keep the likely heads of every word: OUT unpruned."""
    size = probability.shape[0]
    highest = np.empty(min(most, size))
    for m in range(1, size):
        best = 0.0
        for h in range(size):
            best = max(best, probability[h, m])
        least, count = max(ratio * best, 1e-300), 0
        for h in range(size):
            count += probability[h, m] >= least
        if count > most:
            least = lowest_of_highest(probability[:, m], highest)
        for h in range(size):
            if h != m and probability[h, m] >= least:
                unpruned[h, m] = True


keep_own = inner(keep_likely)


@helper
def lowest_of_highest(values, highest):
    """The lowest of the `len(highest)` highest values."""
    highest[:] = -INFINITY
    last = len(highest) - 1
    for value in values:
        if value > highest[last]:
            k = last
            while k > 0 and highest[k - 1] < value:
                highest[k] = highest[k - 1]
                k -= 1
            highest[k] = value
    return highest[last]
