"""The best mixture of a few members, against SciPy."""

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise.kernels.solvers.simplex import best_shares


@pytest.mark.parametrize("seed", range(10))
def test_it_is_what_scipy_finds(seed):
    rng = np.random.default_rng(seed)
    count = rng.integers(2, 7)
    members = rng.normal(size=(count, 8))
    gram, linear, start = members @ members.T, 3.0 * rng.normal(size=count), np.zeros(count)
    start[rng.integers(count)] = 1.0

    def loss(p):
        return 0.5 * (p - start) @ gram @ (p - start) - linear @ p

    limits = {"type": "eq", "fun": lambda p: p.sum() - 1.0}
    bounds = [(0.0, 1.0)] * count
    wanted = minimize(loss, np.full(count, 1.0 / count), bounds=bounds, constraints=limits)
    found = best_shares(gram, linear, start, 1e-10, 100_000)
    assert found.min() >= 0.0
    assert found.sum() == pytest.approx(1.0)
    assert loss(found) <= wanted.fun + 1e-6


def test_members_that_are_alike_need_no_curvature():
    found = best_shares(np.ones((2, 2)), np.array([0.0, 1.0]), np.array([1.0, 0.0]), 1e-9, 10)
    assert found.tolist() == [0.0, 1.0]
