# mypy: allow-untyped-defs
"""Loss and gradient of a log-linear classifier with three classes, over sparse rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, kernel


class Examples(NamedTuple):
    """Sparse rows with their labels and weights."""

    starts: NDArray[np.int64]  # [row + 1]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    labels: NDArray[np.int8]  # [row]
    weights: NDArray[np.float64]  # [row]


@kernel
def link_loss(examples, theta, gradient):
    """The loss of `loss_of`, for Python."""
    return loss_of(examples, theta, gradient)


@helper
def loss_of(examples, theta, gradient):
    """The sum of -weight · log P(label) over all rows. OUT: its gradient, [column, class]."""
    starts, columns, values, labels, weights = examples
    gradient[:] = 0.0
    total = 0.0
    for row in range(len(labels)):
        first, last = starts[row], starts[row + 1]
        s0 = s1 = s2 = 0.0
        for at in range(first, last):
            column, value = columns[at], values[at]
            s0 += value * theta[column, 0]
            s1 += value * theta[column, 1]
            s2 += value * theta[column, 2]
        highest = max(s0, s1, s2)
        p0, p1, p2 = np.exp(s0 - highest), np.exp(s1 - highest), np.exp(s2 - highest)
        share = weights[row] / (p0 + p1 + p2)
        label = labels[row]
        own = s0 if label == 0 else s1 if label == 1 else s2
        total += weights[row] * (highest - own + np.log(p0 + p1 + p2))
        p0 = p0 * share - (weights[row] if label == 0 else 0.0)
        p1 = p1 * share - (weights[row] if label == 1 else 0.0)
        p2 = p2 * share - (weights[row] if label == 2 else 0.0)
        for at in range(first, last):
            column, value = columns[at], values[at]
            gradient[column, 0] += value * p0
            gradient[column, 1] += value * p1
            gradient[column, 2] += value * p2
    return total
