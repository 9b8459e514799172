"""A step down a sum of squares."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.solvers.leastsquares import descend


@given(st.integers(0, 2**32), st.sampled_from([1e-3, 0.1, 1e6]))
def test_a_step_goes_down_the_gradient_and_not_too_far(seed, most):
    rng = np.random.default_rng(seed)
    count, width = 6, 4
    features = rng.integers(0, 3, (count, width)).astype(float)
    residuals = rng.standard_normal(count)
    residuals[np.abs(residuals) < 0.01] = 0.01
    column = np.tile(np.arange(width), count)
    start = np.arange(0, count * width + 1, width)
    rows = SparseRows(np.arange(width), start, column, (residuals[:, None] * features).ravel())
    change = descend(rows, residuals, most)
    gradient = residuals @ features
    along = features @ gradient
    exact = gradient @ gradient / (along @ along) if along @ along else 0.0
    assert np.allclose(change, -min(most, exact) * gradient)
    assert ((residuals + features @ change) ** 2).sum() <= (residuals**2).sum() + 1e-9
