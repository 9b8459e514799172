"""Local margins against another solver."""

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import (
    SIMILAR,
    SMALL,
    TRAIN,
    local_rows,
    quadratic,
    solved,
    theta_of,
)

from headwise.parsers.linkmargin.data import margin_data
from headwise.parsers.linkmargin.links import count_association
from headwise.parsers.linkmargin.programme import Iterate, Programme
from headwise.parsers.linkmargin.settings import LinkMarginSettings

TOLERANCE = 1e-6
"""To which the conditions of the optimum hold, in units of scores."""


def programme_of(sentences, beta=0.5, **settings) -> Programme:
    chosen = LinkMarginSettings(**settings)
    association = count_association([one.forms for one in TRAIN])
    data = margin_data(sentences, chosen, made_similarity(SIMILAR), association)
    return data.programme(chosen, beta)


def advanced(programme: Programme, passes: int, seed: int = 0) -> Iterate:
    at = programme.start()
    count = len(programme.links.start) - 1
    for number in range(passes):
        programme.advance(at, np.random.default_rng([seed, number]).permutation(count))
    return at


@pytest.mark.parametrize("laplacian", [0.0, 1.0])
@pytest.mark.parametrize("features", [("pairs",), ("pairs", "pmi", "distance")])
def test_local_margins_are_solved(features, laplacian):
    programme = programme_of(SMALL, features=features, laplacian=laplacian)
    assert (len(programme.ties) > 0) == (laplacian > 0)
    at = advanced(programme, 1500)
    found = programme.measures(at)
    assert found.kkt < TOLERANCE
    assert abs(found.gap) < TOLERANCE
    rows, theta, matrix = local_rows(programme), theta_of(at), quadratic(programme)
    own = 0.5 * theta @ matrix @ theta + np.maximum(0, 1 - rows @ theta).sum()
    assert np.isclose(own, found.objective, rtol=1e-9)
    best = solved(matrix, rows, np.ones(len(rows)), np.arange(len(rows)))
    assert np.isclose(own, best, rtol=1e-5)


def test_the_gradient_vanishes_at_the_solution():
    """KKT from the definition: Qθ is a sum of rows, each by an α that its margin allows."""
    programme = programme_of(SMALL, laplacian=0.5)
    at = advanced(programme, 1500)
    rows, theta = local_rows(programme), theta_of(at)
    lacks = 1 - rows @ theta
    bounds = [(float(one > 1e-5), float(one > -1e-5)) for one in lacks]
    from scipy.optimize import lsq_linear

    low, high = np.array(bounds).T
    fixed = high == low
    wanted = quadratic(programme) @ theta - rows[fixed].T @ low[fixed]
    left = lsq_linear(rows[~fixed].T, wanted, bounds=(0, 1)) if (~fixed).any() else None
    rest = np.abs(left.fun).max() if left is not None else np.abs(wanted).max()
    assert rest < 1e-4
