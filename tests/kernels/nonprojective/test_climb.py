"""Every step of the climb is the best one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbing import changes, random_tables
from headwise.errors import ConstraintError
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, score
from strategies import scores_of_tables


@st.composite
def tables(draw, max_words=6):
    """Random tables of all parts of a factorisation; some arcs are dead."""
    size = draw(st.integers(1, max_words)) + 1
    factorisation = draw(st.sampled_from(Factorisation))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    found = random_tables(size, factorisation, rng)
    found[Part.ARC][rng.random((size, size)) < draw(st.sampled_from((0.0, 0.3)))] = -np.inf
    return factorisation, found


def scores_of(factorisation, found):
    higher = {part: table for part, table in found.items() if part is not Part.ARC}
    return scores_of_tables(found[Part.ARC], higher, factorisation, crossing=True)


def way_up(heads, found, single_root):
    """All trees on the way up from a tree."""
    way = [heads]
    while True:
        best = max(changes(way[-1], single_root), key=lambda t: score(t, found), default=heads)
        if score(best, found) <= score(way[-1], found) + 1e-9:
            return way
        way.append(best)


@settings(deadline=None, max_examples=150)
@given(tables(), st.booleans())
def test_every_change_is_the_best_one(drawn, single_root):
    factorisation, found = drawn
    scores = scores_of(factorisation, found)
    if not Oracle(found, projective=True, single_root=single_root).ranked:
        return
    decoder = ClimbDecoder(single_root)
    start = decoder.start(scores)
    assert start.score == pytest.approx(ProjectiveDecoder(single_root).best(scores).score)
    best = decoder.best(scores)
    assert start.score == scores.of_tree(start.heads)
    assert best.score >= start.score
    assert best.score == pytest.approx(score(tuple(best.heads), found))
    by_hand = way_up(tuple(int(h) for h in start.heads), found, single_root)
    assert tuple(best.heads) == by_hand[-1]


@pytest.mark.parametrize("factorisation", [f for f in Factorisation if f.grand])
def test_the_former_root_has_another_grandparent_for_its_modifiers(factorisation):
    rng = np.random.default_rng(12)
    for _ in range(8):
        found = random_tables(8, factorisation, rng)
        found[Part.ARC][0, 7] += 50.0  # so the first change is that 7 takes the root from 4
        way = way_up((-1, 4, 4, 4, 0, 4, 4, 6), found, True)
        assert way[1] == (-1, 4, 4, 4, 7, 4, 4, 0)
        assert len(way) > 2
        best = ClimbDecoder().improve(scores_of(factorisation, found), way[0])
        assert tuple(best.heads) == way[-1]


def test_arcs_dead_in_the_index_stay_dead():
    arc = np.full((5, 5), -np.inf)
    arc[0, 2] = arc[2, 4] = arc[1, 3] = arc[2, 1] = 1.0  # no projective tree
    arc[4, 1] = 9.0
    unpruned = arc > -np.inf
    unpruned[4, 1] = False
    index = PartIndex.over(unpruned, Factorisation.SIBLINGS, crossing=True)
    for higher in ({}, {Part.SIBLING: np.zeros(index.count(Part.SIBLING))}):
        scores = Scores(arc, index, higher)
        assert list(ClimbDecoder().best(scores).heads) == [-1, 2, 0, 1, 2]
        with pytest.raises(ConstraintError, match="-inf"):
            ClimbDecoder().improve(scores, [-1, 4, 0, 1, 2])
