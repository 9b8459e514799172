"""Every question to the non-projective decoder against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, fit_of_samples
from headwise.errors import ConstraintError, UsageError
from headwise.search.decoders.nesting import best_heads
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores, add_cost
from spanningtrees import check_all_questions, enumeration
from strategies import scores_of_tables


@settings(deadline=None)
@given(arc_tables(), st.booleans())
def test_every_question(table, single_root):
    decoder = NonProjectiveDecoder(single_root)
    check_all_questions(Scores(table), decoder, enumeration(table, single_root))


@pytest.mark.parametrize("brackets", [(), ((2, 5), (3, 4))])
@pytest.mark.parametrize("single_root", [False, True])
def test_six_words(brackets, single_root):
    table = np.random.default_rng(12).normal(size=(7, 7))
    table[3, 1] = table[0, 5] = -np.inf
    scores = Scores(table, brackets=brackets)
    oracle = enumeration(table, single_root, brackets)
    check_all_questions(scores, NonProjectiveDecoder(single_root), oracle)
    fewer = [tuple(tree.heads) for tree in NonProjectiveDecoder(single_root).kbest(scores, 100)]
    assert fewer == [heads for _, heads in oracle.ranked[:100]]


@pytest.mark.parametrize("brackets", [(), ((2, 4),), ((2, 4), (3, 4)), ((1, 2), (4, 5))])
@pytest.mark.parametrize("single_root", [False, True])
def test_samples_come_by_their_probability(brackets, single_root):
    table = np.random.default_rng(6).normal(size=(6, 6))
    scores = Scores(table, brackets=brackets)
    drawn = NonProjectiveDecoder(single_root).sample(scores, 5000, np.random.default_rng(1))
    assert fit_of_samples(drawn, enumeration(table, single_root, brackets)) > 1e-3


@settings(deadline=None)
@given(st.lists(arc_tables(magnitudes=(1.0,)), max_size=5), st.booleans())
def test_many_sentences(tables, single_root):
    decoder = NonProjectiveDecoder(single_root)
    solvable = [Scores(t) for t in tables if enumeration(t, single_root).ranked]
    for scores, found in zip(solvable, decoder.best_many(solvable), strict=True):
        alone = decoder.best(scores)
        assert found.score == alone.score
        assert (found.heads == alone.heads).all()
    if len(solvable) < len(tables):
        with pytest.raises(ConstraintError):
            decoder.best_many([Scores(table) for table in tables])


def test_many_sentences_name_the_impossible_one():
    impossible = np.zeros((3, 3))
    impossible[:, 2] = -np.inf
    many = [Scores(np.zeros((4, 4))), Scores(impossible), Scores(np.zeros((2, 2)))]
    with pytest.raises(ConstraintError, match=r"^sentence 1 of 3.*no head is allowed for word 2"):
        NonProjectiveDecoder().best_many(many)


def test_a_large_k_takes_no_room():
    assert len(NonProjectiveDecoder().kbest(Scores(np.zeros((4, 4))), 10**9)) == 9


def test_cost_augmented_search():
    gold = (-1, 2, 0, 2)
    scores = add_cost(Scores(np.zeros((4, 4))), gold)
    assert NonProjectiveDecoder().best(scores).score == 3.0


def test_errors_say_what_is_impossible():
    table = np.zeros((4, 4))
    table[:, 2] = -np.inf
    with pytest.raises(ConstraintError, match="no head is allowed for word 2"):
        NonProjectiveDecoder().best(Scores(table))
    table = np.zeros((4, 4))
    table[1:, 1] = table[1:, 3] = -np.inf
    with pytest.raises(ConstraintError, match="words 1 and 3 can only be attached to the root"):
        NonProjectiveDecoder().marginals(Scores(table))
    table = np.zeros((4, 4))
    table[0] = -np.inf
    with pytest.raises(ConstraintError, match="no word may be attached to the root"):
        NonProjectiveDecoder(single_root=False).kbest(Scores(table), 2)


def test_only_arcs_are_scored():
    sibling = Factorisation.SIBLINGS
    scores = scores_of_tables(np.zeros((3, 3)), {Part.SIBLING: np.zeros((3, 3, 3))}, sibling)
    with pytest.raises(UsageError, match="arcs only"):
        NonProjectiveDecoder().best(scores)


@settings(deadline=None)
@given(arc_tables(), st.booleans())
def test_order_in_memory_does_not_matter(table: np.ndarray, single_root: bool) -> None:
    # Among equals, too: half of the tables are full of ties.
    heads, score = best_heads(table, single_root)
    for other in (np.asfortranarray(table), np.repeat(table, 2, axis=1)[:, ::2]):
        other_heads, other_score = best_heads(other, single_root)
        assert other_score == score
        assert score == -np.inf or (other_heads == heads).all()
