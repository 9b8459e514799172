"""The link classifier: its slopes, its optimum, and its manners."""

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from headwise.errors import UsageError
from headwise.parsers.boosting.classifier import LinkClassifier


def problem(seed: int, rows: int = 40, columns: int = 12):
    """Rows of ones and other numbers, classes, and weights."""
    rng = np.random.default_rng(seed)
    matrix = random_array((rows, columns), density=0.3, rng=rng, format="csr")
    if seed % 2:
        matrix.data[:] = 1.0
    return csr_array(matrix), rng.integers(0, 3, rows), rng.random(rows) * 3


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
