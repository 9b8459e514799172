"""Margins of whole trees against another solver."""

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import (
    SIMILAR,
    SMALL,
    TRAIN,
    feature_rows,
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
