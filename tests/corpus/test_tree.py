import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.conllu import read_conllu
from headwise.corpus.tree import (
    checked_heads,
    children_of,
    cycles,
    depths,
    gap_degree,
    heads_array,
    is_projective,
    is_single_rooted,
    is_tree,
    known_heads,
    non_projective_arcs,
    one_root,
    problems,
    roots,
    top_down,
)
from headwise.errors import HeadwiseWarning, InputError, SourceLocation
from oracle import has_crossing_arcs


def all_heads(n: int):
    return ([-1, *heads] for heads in itertools.product(range(n + 1), repeat=n))


def ancestors(heads, word):
    """The definition: follow heads until the root, or for ever."""
    seen = []
    while word != 0 and word not in seen:
        seen.append(word)
        word = heads[word]
    return seen, word == 0


def dominates(heads, head, word):
    return head == 0 or head in ancestors(heads, word)[0]


@st.composite
def trees(draw: st.DrawFn, most: int = 12) -> list[int]:
    n = draw(st.integers(1, most))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [-1] * (n + 1)
    for i, word in enumerate(order):
        heads[word] = draw(st.sampled_from([0, *order[:i]]))
    return heads


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_trees_are_what_the_definition_says(n):
    count = 0
    for heads in all_heads(n):
        reached = all(ancestors(heads, word)[1] for word in range(1, n + 1))
        assert is_tree(heads) == reached
        count += reached
        assert bool(cycles(heads)) == (not reached)
    assert count == (n + 1) ** (n - 1)  # Cayley


def test_cycles_are_listed_from_their_smallest_word():
    assert cycles([-1, 2, 3, 1, 0, 5]) == [[1, 2, 3], [5]]


def test_problems_are_clear():
    assert problems([-1, 0, 1]) == []
    assert problems([-1]) == ["there are no words"]
    assert problems([-1, 3, -2]) == [
        "the head of word 1 is 3, not one of 0 to 2",
        "the head of word 2 is -2, not one of 0 to 2",
    ]
    assert problems([-1, 2, 1, 0]) == ["words 1 → 2 → 1 form a cycle"]
    assert problems([-1, 1, 0]) == ["word 1 is its own head"]
    assert problems([-1, 2, 1]) == [
        "words 1 → 2 → 1 form a cycle",
        "no word is attached to the root",
    ]


def test_roots():
    assert roots([-1, 0, 1, 0]) == [1, 3]
    assert not is_single_rooted([-1, 0, 1, 0])
    assert is_single_rooted([-1, 0, 1])


def test_trees_have_one_root_as_it_was_chosen_or_as_all_of_them_have():
    one, two = [-1, 0, 1], [-1, 0, 0]
    assert one_root(None, [one, one])
    assert not one_root(None, [one, two])
    assert one_root(True, [two])
    assert not one_root(False, [one])


def test_a_few_trees_with_several_roots_are_pointed_out(recwarn):
    one, two = [-1, 0, 1], [-1, 0, 0]
    with pytest.warns(HeadwiseWarning, match="1 of 20 trees has several roots.*single_root=true"):
        assert not one_root(None, [*[one] * 19, two])
    one_root(None, [one, two])
    one_root(False, [*[one] * 19, two])
    assert not recwarn


@given(trees())
def test_orders_and_depths(heads):
    order = top_down(heads)
    assert sorted(order) == list(range(len(heads)))
    position = {token: i for i, token in enumerate(order)}
    depth = depths(heads)
    for m in range(1, len(heads)):
        assert position[heads[m]] < position[m]
        assert depth[m] == depth[heads[m]] + 1
        assert m in children_of(heads)[heads[m]]


@given(trees())
def test_non_projective_arcs_are_what_the_definition_says(heads):
    expected = []
    for m in range(1, len(heads)):
        between = range(min(m, heads[m]) + 1, max(m, heads[m]))
        if not all(dominates(heads, heads[m], word) for word in between):
            expected.append(m)
    assert non_projective_arcs(heads) == expected
    assert is_projective(heads) == (not expected)


@given(trees())
def test_a_tree_is_projective_if_no_arcs_cross(heads):
    assert is_projective(heads) == (not has_crossing_arcs(heads))


@given(trees())
def test_gap_degree_is_what_the_definition_says(heads):
    most = 0
    for head in range(len(heads)):
        covered = [t for t in range(len(heads)) if t == head or dominates(heads, head, t)]
        most = max(most, sum(b - a > 1 for a, b in itertools.pairwise(covered)))
    assert gap_degree(heads) == most


def test_long_trees_are_no_trouble():
    n = 20_000
    chain = heads_array(range(n))
    star = heads_array([0] + [1] * (n - 1))
    chance = random.Random(0)
    anyhow = heads_array([0] + [chance.randint(1, i) for i in range(1, n)])
    for heads in (chain, star):
        assert is_tree(heads)
        assert is_projective(heads)
        assert gap_degree(heads) == 0
        assert non_projective_arcs(heads) == []
    assert not is_projective(anyhow)
    assert non_projective_arcs(anyhow)


@pytest.mark.shared
def test_known_shares_of_non_projective_arcs(treebanks):
    shares = {"la_udante": 3.13, "hu_szeged": 1.86, "cs_mix": 0.91, "te_mtg": 0.0}
    for name, expected in shares.items():
        words = arcs = 0
        for sentence in read_conllu(treebanks / name / f"{name}-ud-dev.conllu.gz"):
            words += len(sentence)
            arcs += len(non_projective_arcs(heads_array(sentence.heads)))
        assert round(100 * arcs / words, 2) == expected


@given(st.lists(st.none() | st.integers(-2, 7), max_size=6), st.integers(0, 6))
def test_the_quick_look_and_the_patient_one_agree(heads, count):
    quick = known_heads(heads, count)
    sound = len(heads) == count and all(one is None or 0 <= one <= count for one in heads)
    assert (quick is not None) == sound
    if sound:
        assert quick == checked_heads(heads, count, None) == tuple(heads)
    else:
        with pytest.raises(InputError):
            checked_heads(heads, count, None)


def test_what_is_wrong_is_said_with_its_place():
    place = SourceLocation("a.conllu", 3, "s1")
    with pytest.raises(InputError, match="the head of word 2 is 3, not one of 0 to 2") as caught:
        checked_heads([0, 3], 2, place)
    assert caught.value.location == place
    with pytest.raises(InputError, match="1 heads for 2 words"):
        checked_heads([0], 2, place)


def test_numbers_of_arrays_become_plain_numbers():
    found = checked_heads(np.array([2, 0]), 2, None)
    assert found == (2, 0)
    assert [type(head) for head in found] == [int, int]


def test_the_quick_look_leaves_very_long_sentences_to_the_patient_one():
    heads = [*range(1500), 1400]
    assert known_heads(heads, 1501) is None
    assert checked_heads(heads, 1501, None) == tuple(heads)


@pytest.mark.parametrize("head", ["1", 1.5, float("nan"), float("inf"), [1], "x"])
def test_a_head_is_a_number(head):
    with pytest.raises(InputError, match="the head of word 2 is .*, not a number"):
        checked_heads([0, head], 2, None)


def test_numbers_of_other_libraries_are_heads():
    heads = checked_heads([0.0, np.float32(1)], 2, None)
    assert heads == (0, 1)
    assert set(map(type, heads)) == {int}
