"""Hill-climbing against the same done by hand, with scores from the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.decoders.climb import ClimbDecoder
from headwise.decoders.nonprojective import NonProjectiveDecoder
from headwise.decoders.projective import ProjectiveDecoder
from headwise.errors import ConstraintError, TreeError, UsageError
from headwise.parts import Factorisation, Part
from headwise.scores import Scores
from oracle import Oracle, is_tree, score


@st.composite
def tables(draw, max_words=6):
    """Random tables of all parts of a factorisation; some arcs are dead."""
    size = draw(st.integers(1, max_words)) + 1
    factorisation = draw(st.sampled_from(Factorisation))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    found = {}
    for part in factorisation.parts:
        shape = (size, 2, size) if part is Part.STOP else (size,) * len(part.indices)
        found[part] = rng.normal(size=shape)
    found[Part.ARC][rng.random((size, size)) < draw(st.sampled_from((0.0, 0.3)))] = -np.inf
    return factorisation, found


def scores_of(factorisation, found):
    higher = {part: table for part, table in found.items() if part is not Part.ARC}
    return Scores.from_tables(found[Part.ARC], higher, factorisation, crossing=True)


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


def climb_by_hand(heads, found, single_root):
    while True:
        best = max(changes(heads, single_root), key=lambda t: score(t, found), default=heads)
        if score(best, found) <= score(heads, found) + 1e-9:
            return heads
        heads = best


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
    assert best.score >= start.score - 1e-9
    assert best.score == pytest.approx(score(tuple(best.heads), found))
    by_hand = climb_by_hand(tuple(int(h) for h in start.heads), found, single_root)
    assert tuple(best.heads) == by_hand


def test_finds_a_crossing_tree():
    # 2 → 4 crosses 1 → 3; nothing else is worth anything.
    arc = np.zeros((5, 5))
    arc[0, 2] = arc[2, 4] = arc[1, 3] = arc[2, 1] = 5.0
    sibling = np.zeros((5, 5, 5))
    scores = Scores.from_tables(arc, {Part.SIBLING: sibling}, Factorisation.SIBLINGS, crossing=True)
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
    scores = Scores.from_tables(arc, {}, factorisation, crossing=True)
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


def test_wrong_starts():
    scores = Scores(np.zeros((4, 4)))
    with pytest.raises(TreeError, match="no tree"):
        ClimbDecoder().improve(scores, [-1, 2, 1, 0])
    with pytest.raises(TreeError, match="several roots"):
        ClimbDecoder().improve(scores, [-1, 0, 0, 1])
    with pytest.raises(UsageError, match="over 2 words"):
        ClimbDecoder().improve(scores, [-1, 0, 1])
    with pytest.raises(UsageError, match="spans"):
        ClimbDecoder().best(Scores(np.zeros((4, 4)), spans=np.zeros((4, 4))))
    arc = np.zeros((4, 4))
    arc[0, 1] = -np.inf
    with pytest.raises(ConstraintError, match="-inf"):
        ClimbDecoder().improve(Scores(arc), [-1, 0, 1, 1])
