"""Hill-climbing against the same done by hand, with scores from the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbing import changes, random_tables
from headwise.errors import ConstraintError, TreeError, UsageError
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, is_tree, score
from strategies import scores_of_tables


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
