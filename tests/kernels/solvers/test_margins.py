"""The quadratic programmes of MIRA against another solver, and against their conditions."""

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.solvers.margins import MOST_PRODUCTS, solve_margins

FEW, MANY = (1, 2, 4, 7), (MOST_PRODUCTS + 1, 90)


def random_rows(rng, count, columns):
    """Rows that are much alike, as those of the k best trees are, one of them without features."""
    dense = rng.integers(-2, 3, (count, columns)) + rng.integers(-2, 3, columns)
    if count > 2:
        dense[rng.integers(count)] = 0
    dense = dense.astype(np.float64)
    filled = dense != 0
    start = np.concatenate([[0], np.cumsum(filled.sum(axis=1))])
    return dense, SparseRows(np.arange(columns), start, np.nonzero(filled)[1], dense[filled])


def objective(dense, wanted, c, v):
    """What the programme minimises; an infinite bound allows no slack."""
    slack = np.maximum(wanted - dense @ v, 0.0)[dense.any(axis=1)]
    return 0.5 * v @ v + (slack.sum() * c if np.isfinite(c) else 0.0)


def solved(dense, wanted, c):
    """The same programme by a general solver of its dual."""
    gram = dense @ dense.T
    rows = dense.any(axis=1)
    found = minimize(
        lambda alpha: 0.5 * alpha @ gram @ alpha - alpha[rows] @ wanted[rows],
        np.zeros(len(wanted)),
        jac=lambda alpha: gram @ alpha - np.where(rows, wanted, 0.0),
        bounds=[(0.0, c if np.isfinite(c) else None)] * len(wanted),
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 5000},
    )
    return dense.T @ found.x


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("c", [0.01, 1.0, np.inf])
@pytest.mark.parametrize("count", [*FEW, *MANY])
def test_the_optimum_is_found(count, c, seed):
    rng = np.random.default_rng(seed)
    dense, rows = random_rows(rng, count, 3 * count)
    wanted = rng.normal(0.5, 1.0, count)
    v, alpha, worst = solve_margins(rows, wanted, c, 100_000, 1e-9)
    assert worst <= 1e-9
    np.testing.assert_allclose(v, solved(dense, wanted, c), atol=2e-4)
    np.testing.assert_allclose(v, dense.T @ alpha, atol=1e-9)
    # The conditions of Karush, Kuhn and Tucker.
    reached, has_features = dense @ v, dense.any(axis=1)
    assert ((alpha >= 0) & (alpha <= c)).all()
    may_grow, may_fall = (alpha < c) & has_features, alpha > 0
    assert (reached[may_grow] >= wanted[may_grow] - 1e-8).all()
    assert (reached[may_fall] <= wanted[may_fall] + 1e-8).all()


@pytest.mark.parametrize("count", [5, 80])
def test_what_is_missed_bounds_the_gap_of_the_objectives(count):
    rng = np.random.default_rng(count)
    dense, rows = random_rows(rng, count, 12)
    wanted, c = rng.normal(1.0, 1.0, count), 0.1
    for passes in (2, 5, 20):
        v, alpha, worst = solve_margins(rows, wanted, c, passes, 1e-9)
        has_features = dense.any(axis=1)
        dual = alpha[has_features] @ wanted[has_features] - 0.5 * v @ v
        gap = objective(dense, wanted, c, v) - dual
        assert -1e-9 <= gap <= c * count * max(worst_of(dense, wanted, alpha, v, c), worst)


def worst_of(dense, wanted, alpha, v, c):
    """The most that a row misses, as the module defines it."""
    gap = (wanted - dense @ v)[dense.any(axis=1)]
    alpha = alpha[dense.any(axis=1)]
    missed = np.where(gap > 0, np.where(alpha < c, gap, 0.0), np.where(alpha > 0, -gap, 0.0))
    return missed.max()


@pytest.mark.parametrize("count", [1, 3, 80])
def test_passes_end_it(count):
    rng = np.random.default_rng(0)
    _, rows = random_rows(rng, count, 200)
    wanted = np.ones(count)
    _, alpha, worst = solve_margins(rows, wanted, 1.0, 1, 1e-12)
    assert alpha.any()
    assert worst > 1e-12 or count == 1


def test_constraints_that_contradict_each_other_end_too():
    rows = SparseRows(np.arange(1), np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0, -1.0]))
    v, _, worst = solve_margins(rows, np.ones(2), np.inf, 1000, 1e-9)
    assert worst > 0
    assert np.abs(v).max() <= 1.0


def test_rows_without_features_and_fulfilled_rows_move_nothing():
    rows = SparseRows(np.arange(2), np.array([0, 0, 2]), np.array([0, 1]), np.array([1.0, 1.0]))
    v, alpha, worst = solve_margins(rows, np.array([5.0, -1.0]), 1.0, 10, 1e-9)
    assert worst == 0.0
    assert not v.any()
    assert not alpha.any()
