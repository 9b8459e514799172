"""Every question to the non-projective decoder against enumeration."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, fit_of_samples
from headwise.errors import ConstraintError, UsageError
from headwise.search.decoders.nesting import best_heads
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores, add_cost
from oracle import Oracle, trees
from strategies import scores_of_tables


def enumeration(table, single_root, brackets=()):
    n = len(table) - 1
    allowed = [
        heads
        for heads in trees(n, projective=False, single_root=single_root)
        if all(is_subtree(heads, low, high) for low, high in brackets)
    ]
    return Oracle({Part.ARC: table}, allowed=allowed)


def is_subtree(heads, low, high):
    """Whether one arc enters low…high and none leaves."""
    inside = range(low, high + 1)
    entering = sum(heads[m] not in inside for m in inside)
    leaving = sum(heads[m] in inside for m in range(1, len(heads)) if m not in inside)
    return entering == 1 and leaving == 0


@st.composite
def brackets_of(draw, n):
    """Some brackets over n words that do not cross."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        low = draw(st.integers(1, n))
        high = draw(st.integers(low, n))
        if not any(a < low <= b < high or low < a <= high < b for a, b in found):
            found.append((low, high))
    return tuple(found)


def check_all_questions(scores, decoder, oracle):
    if not oracle.ranked:
        for question in (decoder.best, decoder.marginals):
            with pytest.raises(ConstraintError):
                question(scores)
        with pytest.raises(ConstraintError):
            decoder.kbest(scores, 3)
        with pytest.raises(ConstraintError):
            decoder.sample(scores, 3, np.random.default_rng(0))
        return
    possible = {heads for _, heads in oracle.ranked}
    best = decoder.best(scores)
    assert best.score == pytest.approx(oracle.scores[0], abs=1e-9)
    assert tuple(best.heads) in possible
    found = decoder.kbest(scores, 30)
    assert [tree.score for tree in found] == pytest.approx(list(oracle.scores[:30]), abs=1e-9)
    assert len({tuple(tree.heads) for tree in found}) == min(30, len(possible))
    assert {tuple(tree.heads) for tree in found} <= possible
    marginals = decoder.marginals(scores)
    assert marginals.log_partition == pytest.approx(oracle.log_partition, abs=1e-9)
    assert marginals.arc == pytest.approx(oracle.marginals(Part.ARC), abs=1e-9)
    assert marginals.entropy == pytest.approx(oracle.entropy, abs=1e-8)
    drawn = decoder.sample(scores, 5, np.random.default_rng(0))
    assert {tuple(heads) for heads in drawn} <= possible


@settings(deadline=None)
@given(arc_tables(), st.booleans())
def test_every_question(table, single_root):
    decoder = NonProjectiveDecoder(single_root)
    check_all_questions(Scores(table), decoder, enumeration(table, single_root))


@settings(deadline=None)
@given(arc_tables(max_words=5, magnitudes=(1.0, 200.0)), st.booleans(), st.data())
def test_every_question_in_brackets(table, single_root, data):
    brackets = data.draw(brackets_of(len(table) - 1))
    scores = Scores(table, brackets=brackets)
    decoder = NonProjectiveDecoder(single_root)
    check_all_questions(scores, decoder, enumeration(table, single_root, brackets))


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


def test_marginals_in_brackets_are_the_gradient():
    table = np.random.default_rng(9).normal(size=(8, 8))
    decoder, brackets = NonProjectiveDecoder(), ((2, 6), (3, 4))
    found = decoder.marginals(Scores(table, brackets=brackets)).arc
    for head, modifier in [(0, 1), (1, 5), (2, 4), (5, 3), (3, 4), (7, 2), (4, 7)]:
        up, down = table.copy(), table.copy()
        up[head, modifier] += 1e-5
        down[head, modifier] -= 1e-5
        slope = (
            decoder.marginals(Scores(up, brackets=brackets)).log_partition
            - decoder.marginals(Scores(down, brackets=brackets)).log_partition
        ) / 2e-5
        assert found[head, modifier] == pytest.approx(slope, abs=1e-7)


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


def test_many_sentences_some_of_them_with_brackets():
    rng = np.random.default_rng(3)
    plain = [Scores(rng.normal(size=(6, 6))) for _ in range(3)]
    many = [plain[0], replace(plain[1], brackets=((2, 4),)), plain[2]]
    decoder = NonProjectiveDecoder()
    alone = [decoder.best(scores) for scores in many]
    assert [tuple(one.heads) for one in decoder.best_many(many)] == [
        tuple(one.heads) for one in alone
    ]
    many[1] = replace(plain[1], brackets=((2, 4), (3, 5)))
    with pytest.raises(ConstraintError, match=r"^sentence 1 of 3.*words 2 to 4 form one subtree"):
        decoder.best_many(many)


@pytest.mark.parametrize("brackets", [(), ((2, 6), (3, 4))])
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("offset", [1e6, 1e9, 1e12, -1e12])
def test_entropy_under_a_common_offset(offset, single_root, brackets):
    # Scores in 4096ths, so that they stay the same numbers beside the offset.
    table = np.round(np.random.default_rng(5).normal(size=(11, 11)) * 4096) / 4096
    decoder = NonProjectiveDecoder(single_root)
    plain = decoder.marginals(Scores(table, brackets=brackets))
    lifted = Scores(table + offset * np.arange(11) / 16, brackets=brackets)
    per_word = decoder.marginals(lifted)
    at_root = table.copy()
    at_root[0] += offset
    assert per_word.entropy == pytest.approx(plain.entropy, abs=1e-9)
    assert per_word.arc == pytest.approx(plain.arc, abs=1e-9)
    expected = plain.log_partition + offset * 55 / 16
    assert per_word.log_partition == pytest.approx(expected, rel=1e-14)
    if single_root:
        lifted = decoder.marginals(Scores(at_root, brackets=brackets))
        assert lifted.entropy == pytest.approx(plain.entropy, abs=1e-9)


def test_a_large_k_takes_no_room():
    assert len(NonProjectiveDecoder().kbest(Scores(np.zeros((4, 4))), 10**9)) == 9


def test_cost_augmented_search():
    gold = (-1, 2, 0, 2)
    scores = add_cost(Scores(np.zeros((4, 4))), gold)
    assert NonProjectiveDecoder().best(scores).score == 3.0


@pytest.mark.parametrize(
    ("brackets", "named"),
    [
        (((2, 4), (3, 5), (1, 1)), ("2 to 4", "3 to 5")),
        (((1, 5), (1, 2), (3, 5)), ("1 to 5", "1 to 2", "3 to 5")),
    ],
)
@pytest.mark.parametrize("decoder", [NonProjectiveDecoder(False), ProjectiveDecoder(False)])
def test_impossible_brackets_are_named(brackets, named, decoder):
    scores = Scores(np.zeros((6, 6)), brackets=brackets)
    names = "; ".join(f"words {one} form one subtree" for one in named)
    for question in (decoder.best, decoder.marginals):
        with pytest.raises(ConstraintError, match=f"these brackets: {names}$"):
            question(scores)


def test_brackets_that_need_several_roots():
    scores = Scores(np.zeros((6, 6)), brackets=((1, 2), (3, 5)))
    for decoder in (NonProjectiveDecoder(), ProjectiveDecoder()):
        with pytest.raises(ConstraintError, match="tree with a single root over .* has these"):
            decoder.best(scores)
    assert NonProjectiveDecoder(single_root=False).best(scores).score == 0.0


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
