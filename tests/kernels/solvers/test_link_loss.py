"""The loss of the link classifier and its slopes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.sparse import csr_array, random_array

from headwise.parsers.boosting.classifier import Objective, log_normalised

PRIORS = ["exponential", "l2"]


def problem(seed: int, rows: int = 40, columns: int = 12):
    """Rows of ones and other numbers, classes, and weights."""
    rng = np.random.default_rng(seed)
    matrix = random_array((rows, columns), density=0.3, rng=rng, format="csr")
    if seed % 2:
        matrix.data[:] = 1.0
    return csr_array(matrix), rng.integers(0, 3, rows), rng.random(rows) * 3


@pytest.mark.parametrize("prior", PRIORS)
@given(seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_slopes_are_those_of_finite_differences(prior, seed):
    matrix, labels, weights = problem(seed)
    objective = Objective(matrix, labels, weights, prior, 0.7)
    at = np.random.default_rng(seed).random(36)
    error = check_grad(lambda x: objective(x)[0], lambda x: objective(x)[1], at)
    assert error < 1e-4


def test_the_objective_is_that_of_equation_3_5():
    matrix, labels, weights = problem(2)
    theta = np.random.default_rng(0).random((12, 3))
    chances = log_normalised(matrix @ theta)
    likelihood = (weights * chances[np.arange(40), labels]).sum()
    found = Objective(matrix, labels, weights, "exponential", 0.5)(theta.ravel())[0]
    assert found == pytest.approx(-likelihood + 0.5 * theta.sum())
