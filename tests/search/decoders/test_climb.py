"""Hill-climbing against the same done by hand, with scores from the definition."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.errors import ConstraintError, TreeError, UsageError
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, is_tree, score, trees
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


def random_tables(size, factorisation, rng):
    """A table of every part type of a factorisation."""
    shapes = {
        part: (size, 2, size) if part is Part.STOP else (size,) * len(part.indices)
        for part in factorisation.parts
    }
    return {part: rng.normal(size=shape) for part, shape in shapes.items()}


def scores_of(factorisation, found):
    higher = {part: table for part, table in found.items() if part is not Part.ARC}
    return scores_of_tables(found[Part.ARC], higher, factorisation, crossing=True)


def changes(heads, single_root):
    """Every tree that differs in one head, or in the word at the root."""
    for m in range(1, len(heads)):
        for head in range(len(heads)):
            changed = list(heads)
            changed[m] = head
            if single_root and head == 0 and heads[m] != 0:
                changed[heads.index(0)] = m
            allowed = not single_root or changed.count(0) == 1
            if head not in (m, heads[m]) and allowed and is_tree(tuple(changed)):
                yield tuple(changed)


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


def random_tree(n, rng, single_root):
    while True:
        heads = (-1, *(int(head) for head in rng.integers(0, n + 1, size=n)))
        if is_tree(heads) and (not single_root or heads.count(0) == 1):
            return heads


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("factorisation", list(Factorisation))
def test_climbing_from_any_tree(factorisation, single_root):
    rng = np.random.default_rng(11)
    changes_after_exchange = 0
    for _ in range(6):
        found = random_tables(8, factorisation, rng)
        way = way_up(random_tree(7, rng, single_root), found, single_root)
        best = ClimbDecoder(single_root).improve(scores_of(factorisation, found), way[0])
        assert tuple(best.heads) == way[-1]
        roots = [tree.index(0) for tree in way]
        exchanges = [i for i in range(1, len(way)) if roots[i] != roots[i - 1]]
        changes_after_exchange += len(way) - 1 - exchanges[0] if exchanges else 0
    # Otherwise this would not see whether gains are found anew after the root is exchanged.
    assert changes_after_exchange > 0


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


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(Factorisation))
def test_a_tree_is_found_wherever_there_is_one(seed, single_root, factorisation):
    rng = np.random.default_rng(seed)
    found = random_tables(5, factorisation, rng)
    found[Part.ARC][rng.random((5, 5)) < 0.55] = -np.inf
    for part, table in found.items():
        if part not in (Part.ARC, Part.STOP):
            table[rng.random(table.shape) < 0.2] = -np.inf
    scores = scores_of(factorisation, found)
    decoder = ClimbDecoder(single_root)
    if Oracle(found, projective=False, single_root=single_root).ranked:
        best = decoder.best(scores)
        assert best.score == pytest.approx(score(tuple(best.heads), found))
        assert best.score >= decoder.start(scores).score
    else:
        with pytest.raises(ConstraintError):
            decoder.best(scores)


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


def test_finds_a_crossing_tree():
    # 2 → 4 crosses 1 → 3; nothing else is worth anything.
    arc = np.zeros((5, 5))
    arc[0, 2] = arc[2, 4] = arc[1, 3] = arc[2, 1] = 5.0
    sibling = np.zeros((5, 5, 5))
    scores = scores_of_tables(arc, {Part.SIBLING: sibling}, Factorisation.SIBLINGS, crossing=True)
    best = ClimbDecoder().best(scores)
    assert list(best.heads) == [-1, 2, 0, 1, 2]
    assert best.score == 20.0
    assert ProjectiveDecoder().best(scores).score < 20.0


def test_arcs_alone_from_a_tree_of_ones_own():
    arc = np.random.default_rng(1).normal(size=(21, 21))
    scores = Scores(arc)
    chain = [-1, *range(20)]
    best = ClimbDecoder().improve(scores, chain)
    assert is_tree(tuple(best.heads))
    assert (best.heads == 0).sum() == 1
    assert best.score > scores.of_tree(chain)
    assert best.score <= NonProjectiveDecoder().best(scores).score + 1e-9


def test_the_word_at_the_root_may_change():
    arc = np.zeros((4, 4))
    arc[0, 3] = 10.0
    best = ClimbDecoder().improve(Scores(arc), [-1, 0, 1, 1])
    assert best.heads[3] == 0
    assert best.score == 10.0


def test_where_no_projective_tree_is():
    arc = np.full((5, 5), -np.inf)
    arc[0, 2] = arc[2, 4] = arc[1, 3] = arc[2, 1] = arc[4, 1] = 1.0
    best = ClimbDecoder().best(Scores(arc))
    assert list(best.heads) == [-1, 2, 0, 1, 2]
    arc[0] = -np.inf
    with pytest.raises(ConstraintError):
        ClimbDecoder().best(Scores(arc))


@pytest.mark.parametrize("factorisation", list(Factorisation))
def test_long_sentences(factorisation):
    rng = np.random.default_rng(4)
    arc = rng.normal(size=(31, 31))
    arc[rng.random(arc.shape) < 0.8] = -np.inf
    arc[np.arange(30), np.arange(1, 31)] = 0.0
    arc[0, 1:] = 0.0
    scores = scores_of_tables(arc, {}, factorisation, crossing=True)
    higher = {
        part: rng.normal(size=scores.index.count(part))
        for part in factorisation.parts
        if part is not Part.ARC
    }
    scores = Scores(arc, scores.index, higher)
    decoder = ClimbDecoder()
    start, best = decoder.start(scores), decoder.best(scores)
    assert best.score > start.score
    assert is_tree(tuple(best.heads))
    assert scores.of_tree(best.heads) == best.score


@settings(deadline=None, max_examples=100)
@given(tables(max_words=6), st.booleans(), st.data())
def test_brackets_are_kept(drawn, single_root, data):
    factorisation, found = drawn
    n = len(found[Part.ARC]) - 1
    low = data.draw(st.integers(1, n))
    high = data.draw(st.integers(low, n))
    brackets = {(low, high), (low, data.draw(st.integers(low, high)))}
    scores = replace(scores_of(factorisation, found), brackets=tuple(brackets))
    shapes = trees(n, projective=False, single_root=single_root)
    allowed = {heads for heads in shapes if scores.of_tree(heads) > -np.inf}
    decoder = ClimbDecoder(single_root)
    if not allowed:
        with pytest.raises(ConstraintError):
            decoder.best(scores)
        return
    start, best = decoder.start(scores), decoder.best(scores)
    assert tuple(best.heads) in allowed
    assert best.score >= start.score
    for changed in changes(tuple(int(head) for head in best.heads), single_root):
        tops = [tuple(tops_of(heads, brackets)) for heads in (best.heads, changed)]
        if changed in allowed and tops[0] == tops[1]:
            assert scores.of_tree(changed) <= best.score + 1e-9


def tops_of(heads, brackets):
    """The word by which an arc enters each bracket."""
    for low, high in sorted(brackets):
        yield next(m for m in range(low, high + 1) if not low <= heads[m] <= high)


def test_wrong_starts():
    scores = Scores(np.zeros((4, 4)))
    with pytest.raises(TreeError, match="do not form a tree"):
        ClimbDecoder().improve(scores, [-1, 2, 1, 0])
    with pytest.raises(TreeError, match="several roots"):
        ClimbDecoder().improve(scores, [-1, 0, 0, 1])
    with pytest.raises(UsageError, match="the tree has 2 words"):
        ClimbDecoder().improve(scores, [-1, 0, 1])
    arc = np.zeros((4, 4))
    arc[0, 1] = -np.inf
    with pytest.raises(ConstraintError, match="-inf"):
        ClimbDecoder().improve(Scores(arc), [-1, 0, 1, 1])
