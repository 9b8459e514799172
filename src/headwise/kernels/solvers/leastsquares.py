# mypy: allow-untyped-defs
"""A step downhill on the squares of what sparse rows miss."""

import numpy as np

from headwise.kernels.runtime.jit import kernel


@kernel
def descend(rows, residuals, most):
    """The change of weights that a step down ½ Σ residual² makes, one value for each column.

    Row i holds residual_i times the features of what misses by residual_i, so that the sum of rows
    is the gradient g. The step is `most` of it, but no longer than to the lowest point in that
    direction, ‖g‖² / ‖features · g‖²: what is stepped on never rises.
    """
    gradient = np.zeros(len(rows.slots))
    for k in range(len(rows.column)):
        gradient[rows.column[k]] += rows.value[k]
    length = np.dot(gradient, gradient)
    curvature = 0.0
    for i in range(len(residuals)):
        along = 0.0
        for k in range(rows.start[i], rows.start[i + 1]):
            along += rows.value[k] * gradient[rows.column[k]]
        curvature += (along / residuals[i]) ** 2
    step = most if most * curvature <= length else length / curvature
    return -step * gradient
