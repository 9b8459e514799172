"""The programmes of chapter 6 are those of the definition, and another solver agrees."""

from itertools import pairwise

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import (
    SIMILAR,
    SMALL,
    TRAIN,
    feature_rows,
    local_rows,
    quadratic,
    solved,
    theta_of,
)

from headwise.parsers.linkmargin.data import margin_data
from headwise.parsers.linkmargin.links import count_association
from headwise.parsers.linkmargin.programme import Iterate, Programme
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from oracle import trees

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


@pytest.mark.parametrize("laplacian", [0.0, 1.0])
def test_margins_of_whole_trees_are_solved(laplacian):
    programme = programme_of(SMALL, loss="global", laplacian=laplacian)
    at = advanced(programme, 3000)
    found = programme.measures(at)
    assert abs(found.gap) < TOLERANCE
    assert found.kkt < TOLERANCE
    rows, costs, group = [], [], []
    for sentence in range(len(SMALL)):
        features = feature_rows(programme, sentence)
        gold = {tuple(sorted(link)) for link in enumerate(SMALL[sentence].heads, 1)}
        own = sum(features[link] for link in gold)
        for tree in trees(len(SMALL[sentence]), projective=True, single_root=True):
            links = {tuple(sorted(link)) for link in enumerate(tree[1:], 1)}
            rows.append(own - sum(features[link] for link in links))
            costs.append(len(links - gold))
            group.append(sentence)
    rows, costs, group = np.array(rows), np.array(costs, float), np.array(group)
    theta, matrix = theta_of(at), quadratic(programme)
    missed = costs - rows @ theta
    hinge = sum(max(0.0, missed[group == one].max()) for one in range(len(SMALL)))
    own = 0.5 * theta @ matrix @ theta + hinge
    assert np.isclose(own, found.objective, rtol=1e-9)
    keep = active(rows, costs, group)
    assert np.isclose(own, solved(matrix, rows[keep], costs[keep], group[keep]), rtol=1e-5)


def active(rows: np.ndarray, costs: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Margins that are no copy of another: trees of the same words in other places."""
    keys = np.column_stack([rows, costs, group]).round(9)
    return np.sort(np.unique(keys, axis=0, return_index=True)[1])


@pytest.mark.parametrize("loss", ["local", "global"])
def test_the_dual_never_falls_and_any_order_comes_to_the_same(loss):
    programme = programme_of(TRAIN, loss=loss, laplacian=1.0)
    at, reached = programme.start(), []
    for _ in range(20):
        programme.advance(at, np.arange(len(TRAIN)))
        found = programme.measures(at)
        reached.append(found.objective * (1 - found.gap))
    assert all(b >= a - 1e-9 for a, b in pairwise(reached))
    ends = [programme.measures(advanced(programme, 400, seed)).objective for seed in (1, 2)]
    assert np.isclose(*ends, rtol=1e-4)


def test_ties_draw_similar_pairs_together():
    free, tied = (programme_of(TRAIN, laplacian=rho) for rho in (0.0, 20.0))
    apart = []
    for programme in (free, tied):
        pair = advanced(programme, 200).weights.pair
        apart.append(np.abs(pair[tied.ties.first] - pair[tied.ties.second]).mean())
    assert apart[1] < 0.3 * apart[0]
