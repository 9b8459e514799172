"""The optimum of the link classifier, against another solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, minimize
from scipy.sparse import csr_array, random_array

from headwise.parsers.boosting.classifier import LinkClassifier, Objective

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
@settings(max_examples=8, deadline=None)
def test_the_optimum_is_that_of_another_solver_and_fulfils_kkt(prior, seed):
    matrix, labels, weights = problem(seed)
    own = LinkClassifier(prior=prior, tolerance=1e-6).fit(matrix, labels, weights)
    objective = Objective(matrix, labels, weights, prior, 0.5)
    bounds = Bounds(0, np.inf) if prior == "exponential" else None
    options = {"gtol": 1e-7, "ftol": 0, "maxiter": 2000}
    other = minimize(
        objective, np.zeros(36), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    assert own.converged_
    assert own.objective_ == pytest.approx(other.fun, rel=1e-9, abs=1e-7)
    theta, slopes = own.coef_.T.ravel(), objective(own.coef_.T.ravel())[1]
    if prior == "exponential":
        assert (theta >= 0).all()
        assert (slopes > -1e-5).all()
        assert np.abs(slopes[theta > 0]).max(initial=0) < 1e-5
    else:
        assert np.abs(slopes).max() < 1e-5


def test_it_goes_on_from_a_start():
    matrix, labels, weights = problem(5)
    own = LinkClassifier(tolerance=1e-6).fit(matrix, labels, weights)
    again = LinkClassifier(tolerance=1e-6).fit(matrix, labels, weights, start=own.coef_)
    assert again.steps_ == 0
    assert np.array_equal(again.coef_, own.coef_)
