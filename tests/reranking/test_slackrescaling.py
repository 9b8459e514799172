"""Support vector machines with rescaled slacks, against SciPy and in both kinds of space."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise.errors import HeadwiseWarning
from headwise.reranking.rows import FeatureRows
from headwise.reranking.slackrescaling import ENOUGH, ProductSpace, VectorSpace, solve_lists

BOUNDS, COLUMNS = [0, 4, 7, 12], 3


@pytest.fixture(params=range(4))
def task(request):
    """Vectors of twelve candidates in three lists, and their losses."""
    rng = np.random.default_rng(request.param)
    return rng.normal(size=(12, COLUMNS)), rng.choice([0.0, 0.25, 0.5, 1.0], 12)


def space_of(vectors):
    starts = np.arange(len(vectors) + 1) * COLUMNS
    columns = np.tile(np.arange(COLUMNS), len(vectors))
    return VectorSpace(FeatureRows(starts, columns, vectors.ravel()), COLUMNS)


def objective(weights, vectors, losses, c):
    """The objective as its definition has it: the smallest slacks that meet all constraints."""
    total = 0.5 * float(weights @ weights)
    for first, last in pairwise(BOUNDS):
        own, best = losses[first:last], int(np.argmin(losses[first:last]))
        scores = vectors[first:last] @ weights
        slacks = [
            (1.0 - (scores[best] - score)) * (loss - own[best])
            for score, loss in zip(scores, own, strict=True)
            if loss > own[best]
        ]
        total += c * max([0.0, *slacks])
    return total


def reference(vectors, losses, c):
    """The lowest objective, by sequential quadratic programming over weights and slacks."""
    count = len(BOUNDS) - 1
    constraints = [{"type": "ineq", "fun": lambda x: x[COLUMNS:]}]
    for number, (first, last) in enumerate(pairwise(BOUNDS)):
        best = first + int(np.argmin(losses[first:last]))
        for y in range(first, last):
            above = losses[y] - losses[best]
            if above > 0:
                difference = vectors[best] - vectors[y]
                constraints.append(
                    {
                        "type": "ineq",
                        "fun": lambda x, d=difference, a=above, n=COLUMNS + number: (
                            x[:COLUMNS] @ d - 1.0 + x[n] / a
                        ),
                    }
                )
    found = minimize(
        lambda x: 0.5 * float(x[:COLUMNS] @ x[:COLUMNS]) + c * float(x[COLUMNS:].sum()),
        np.concatenate([np.zeros(COLUMNS), np.ones(count)]),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-8},
    )
    assert found.success
    return found.fun


@pytest.mark.parametrize("c", [0.05, 1.0, 20.0])
def test_the_objective_is_that_of_quadratic_programming(task, c):
    vectors, losses = task
    space = space_of(vectors)
    gap = solve_lists(space, BOUNDS, losses, c, 5000)
    reached = objective(space.weights, vectors, losses, c)
    lowest = reference(vectors, losses, c)
    assert gap <= ENOUGH
    assert lowest - 1e-4 <= reached <= lowest + ENOUGH * reached + 1e-4


def test_a_matrix_of_products_is_as_good_as_vectors(task):
    vectors, losses = task
    space, other = space_of(vectors), ProductSpace(vectors @ vectors.T)
    gaps = [solve_lists(one, BOUNDS, losses, 1.0, 1000) for one in (space, other)]
    assert gaps[0] == pytest.approx(gaps[1])
    assert other.totals == pytest.approx(vectors @ space.weights)
    assert other.amounts @ vectors == pytest.approx(space.weights)
    assert other.squared_length() == pytest.approx(space.squared_length())


def test_who_stops_early_is_told(task):
    vectors, losses = task
    with pytest.warns(HeadwiseWarning, match="the support vector machine is not solved"):
        assert solve_lists(space_of(100 * vectors), BOUNDS, losses, 1000.0, 1) > ENOUGH
