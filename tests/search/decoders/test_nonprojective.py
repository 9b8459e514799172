"""Every question to the non-projective decoder against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, fit_of_samples
from headwise.errors import ConstraintError, UsageError
from headwise.search.decoders.base import ScoredTree
from headwise.search.decoders.nesting import best_heads
from headwise.search.decoders.nonprojective import NonProjectiveDecoder, kbest_by_partition
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores, add_cost
from oracle import trees
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


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(), NonProjectiveDecoder()])
def test_many_sentences_name_the_impossible_one(decoder):
    impossible = np.zeros((3, 3))
    impossible[:, 2] = -np.inf
    many = [Scores(np.zeros((4, 4))), Scores(impossible), Scores(np.zeros((2, 2)))]
    with pytest.raises(ConstraintError, match=r"^sentence 1 of 3.*no head is allowed for word 2"):
        decoder.best_many(many)


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


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(), NonProjectiveDecoder()])
def test_many_sentences_may_come_from_an_iterator(decoder):
    many = [Scores(np.zeros((n + 1, n + 1))) for n in (2, 3)]
    found = decoder.best_many(iter(many))
    assert [one.heads.tolist() for one in found] == [decoder.best(s).heads.tolist() for s in many]


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(), NonProjectiveDecoder()])
def test_a_seed_draws_what_its_generator_draws(decoder):
    scores = Scores(np.zeros((6, 6)))
    drawn = decoder.sample(scores, 5, np.random.default_rng(3))
    assert (decoder.sample(scores, 5, 3) == drawn).all()


def searcher(table, every):
    """The best of some trees within given arcs, by looking at all."""

    def best(allowed):
        fitting = [one for one in every if all(allowed[one[m], m] for m in range(1, len(one)))]
        scored = [(sum(table[one[m], m] for m in range(1, len(one))), one) for one in fitting]
        if not scored:
            return None
        score, heads = max(scored)
        return ScoredTree(np.array(heads), float(score))

    return best


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_trees_come_in_order_and_once(n, projective):
    table = np.random.default_rng(n).normal(size=(n + 1, n + 1))
    every = trees(n, projective=projective, single_root=True)
    found = kbest_by_partition(searcher(table, every), n, len(every) + 5)
    expected = sorted((sum(table[t[m], m] for m in range(1, n + 1)) for t in every), reverse=True)
    assert [tree.score for tree in found] == pytest.approx(expected)
    assert len({tuple(tree.heads.tolist()) for tree in found}) == len(every)
    few = kbest_by_partition(searcher(table, every), n, 2)
    assert [tree.score for tree in few] == pytest.approx(expected[:2])


def test_equal_scores_are_no_trouble():
    every = trees(3, projective=False, single_root=False)
    found = kbest_by_partition(searcher(np.zeros((4, 4)), every), 3, 100)
    assert len({tuple(tree.heads.tolist()) for tree in found}) == len(found) == len(every)


def test_where_there_is_no_tree_there_is_none():
    assert kbest_by_partition(lambda allowed: None, 3, 5) == []
