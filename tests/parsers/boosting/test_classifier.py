"""The link classifier: its slopes, its optimum, and its manners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, check_grad, minimize
from scipy.sparse import csr_array, random_array

from headwise.errors import UsageError
from headwise.parsers.boosting.classifier import LinkClassifier, Objective, log_normalised

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


def test_the_exponential_prior_selects_features():
    matrix, labels, weights = problem(3, rows=100, columns=60)
    own = LinkClassifier().fit(matrix, labels, weights)
    rival = LinkClassifier(prior="l2").fit(matrix, labels, weights)
    assert 0 < np.count_nonzero(own.coef_) < 0.6 * np.count_nonzero(rival.coef_)


def test_a_weight_of_two_is_an_example_twice():
    matrix, labels, _ = problem(4)
    doubled = np.where(np.arange(40) < 10, 2.0, 1.0)
    stacked = csr_array(np.vstack([matrix.toarray(), matrix.toarray()[:10]]))
    once = LinkClassifier(tolerance=1e-7).fit(matrix, labels, doubled)
    twice = LinkClassifier(tolerance=1e-7).fit(stacked, np.append(labels, labels[:10]))
    assert once.coef_ == pytest.approx(twice.coef_, abs=1e-4)


def test_it_goes_on_from_a_start():
    matrix, labels, weights = problem(5)
    own = LinkClassifier(tolerance=1e-6).fit(matrix, labels, weights)
    again = LinkClassifier(tolerance=1e-6).fit(matrix, labels, weights, start=own.coef_)
    assert again.steps_ == 0
    assert np.array_equal(again.coef_, own.coef_)


def test_it_says_where_it_did_not_come_to_rest():
    matrix, labels, weights = problem(6)
    own = LinkClassifier(steps=1, tolerance=1e-9).fit(matrix, labels, weights)
    assert not own.converged_
    assert own.slope_ > 1e-9


def test_it_keeps_the_manners_of_classifiers():
    matrix, labels, weights = problem(7)
    own = LinkClassifier(strength=0.1)
    with pytest.raises(UsageError, match="learnt nothing"):
        own.predict_proba(matrix)
    chances = own.fit(matrix, labels, weights).predict_proba(matrix)
    assert chances.shape == (40, 3)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert own.set_params(strength=0.2).get_params()["strength"] == 0.2
    assert own.classes_.tolist() == [0, 1, 2]
