"""The programmes of chapter 6 are those of the definition, and another solver agrees."""

from itertools import pairwise

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import (
    SIMILAR,
    TRAIN,
)

from headwise.parsers.linkmargin.data import margin_data
from headwise.parsers.linkmargin.links import count_association
from headwise.parsers.linkmargin.programme import Iterate, Programme
from headwise.parsers.linkmargin.settings import LinkMarginSettings


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
