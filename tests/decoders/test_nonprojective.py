"""Every question to the non-projective decoder against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, fit_of_samples
from headwise.decoders.nesting import best_heads
from headwise.decoders.nonprojective import NonProjectiveDecoder
from headwise.errors import ConstraintError, UsageError
from headwise.parts import Factorisation, Part
from headwise.scores import Scores, add_cost
from oracle import Oracle, trees


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


def check_all_questions(table, decoder, oracle):
    scores = Scores(table)
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
    check_all_questions(table, NonProjectiveDecoder(single_root), enumeration(table, single_root))


@settings(deadline=None)
@given(arc_tables(max_words=5, magnitudes=(1.0, 200.0)), st.booleans(), st.data())
def test_every_question_in_brackets(table, single_root, data):
    brackets = data.draw(brackets_of(len(table) - 1))
    decoder = NonProjectiveDecoder(single_root, brackets)
    check_all_questions(table, decoder, enumeration(table, single_root, brackets))


@pytest.mark.parametrize("brackets", [(), ((2, 4),), ((2, 4), (3, 4)), ((1, 2), (4, 5))])
@pytest.mark.parametrize("single_root", [False, True])
def test_samples_come_by_their_probability(brackets, single_root):
    table = np.random.default_rng(6).normal(size=(6, 6))
    drawn = NonProjectiveDecoder(single_root, brackets).sample(
        Scores(table), 5000, np.random.default_rng(1)
    )
    assert fit_of_samples(drawn, enumeration(table, single_root, brackets)) > 1e-3


def test_marginals_in_brackets_are_the_gradient():
    table = np.random.default_rng(9).normal(size=(8, 8))
    decoder = NonProjectiveDecoder(True, ((2, 6), (3, 4)))
    found = decoder.marginals(Scores(table)).arc
    for head, modifier in [(0, 1), (1, 5), (2, 4), (5, 3), (3, 4), (7, 2), (4, 7)]:
        up, down = table.copy(), table.copy()
        up[head, modifier] += 1e-5
        down[head, modifier] -= 1e-5
        slope = (
            decoder.marginals(Scores(up)).log_partition
            - decoder.marginals(Scores(down)).log_partition
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


def test_brackets_are_kept_as_pairs():
    decoder = NonProjectiveDecoder(brackets=[[1, np.int64(2)], (3, 3)])
    assert decoder.brackets == ((1, 2), (3, 3))
    assert hash(decoder) == hash(NonProjectiveDecoder(brackets=((1, 2), (3, 3))))


@pytest.mark.parametrize("bracket", [(1.5, 2), (1,), (1, 2, 3), 4, ("1", "2"), (3, 2), (0, 2)])
def test_what_is_no_bracket(bracket):
    with pytest.raises(UsageError, match="bracket"):
        NonProjectiveDecoder(brackets=[bracket])


@pytest.mark.parametrize("brackets", [(), ((2, 6), (3, 4))])
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("offset", [1e6, 1e9, 1e12, -1e12])
def test_entropy_under_a_common_offset(offset, single_root, brackets):
    # Scores in 4096ths, so that they stay the same numbers beside the offset.
    table = np.round(np.random.default_rng(5).normal(size=(11, 11)) * 4096) / 4096
    decoder = NonProjectiveDecoder(single_root, brackets)
    plain = decoder.marginals(Scores(table))
    per_word = decoder.marginals(Scores(table + offset * np.arange(11) / 16))
    at_root = table.copy()
    at_root[0] += offset
    assert per_word.entropy == pytest.approx(plain.entropy, abs=1e-9)
    assert per_word.arc == pytest.approx(plain.arc, abs=1e-9)
    expected = plain.log_partition + offset * 55 / 16
    assert per_word.log_partition == pytest.approx(expected, rel=1e-14)
    if single_root:
        assert decoder.marginals(Scores(at_root)).entropy == pytest.approx(plain.entropy, abs=1e-9)


def test_a_large_k_takes_no_room():
    assert len(NonProjectiveDecoder().kbest(Scores(np.zeros((4, 4))), 10**9)) == 9


def test_cost_augmented_search():
    gold = (-1, 2, 0, 2)
    scores = add_cost(Scores(np.zeros((4, 4))), gold)
    assert NonProjectiveDecoder().best(scores).score == 3.0


@pytest.mark.parametrize(
    ("brackets", "error", "words"),
    [
        (((2, 4), (3, 5)), ConstraintError, "brackets 2–4 and 3–5 cross"),
        (((2, 6),), UsageError, "bracket 2–6 is not within words 1 to 5"),
        (((1, 5), (1, 2), (3, 5)), ConstraintError, "with these brackets"),
    ],
)
def test_wrong_brackets(brackets, error, words):
    with pytest.raises(error, match=words):
        NonProjectiveDecoder(brackets=brackets).best(Scores(np.zeros((6, 6))))


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
    scores = Scores.from_tables(np.zeros((3, 3)), {Part.SIBLING: np.zeros((3, 3, 3))}, sibling)
    with pytest.raises(UsageError, match="arcs only"):
        NonProjectiveDecoder().best(scores)
    with pytest.raises(UsageError, match="give brackets"):
        NonProjectiveDecoder().best(Scores(np.zeros((3, 3)), spans=np.zeros((3, 3))))


@settings(deadline=None)
@given(arc_tables(), st.booleans())
def test_order_in_memory_does_not_matter(table: np.ndarray, single_root: bool) -> None:
    # Among equals, too: half of the tables are full of ties.
    heads, score = best_heads(table, single_root)
    for other in (np.asfortranarray(table), np.repeat(table, 2, axis=1)[:, ::2]):
        other_heads, other_score = best_heads(other, single_root)
        assert other_score == score
        assert score == -np.inf or (other_heads == heads).all()
