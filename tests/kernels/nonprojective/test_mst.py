"""Chu-Liu-Edmonds against enumeration, and on long sentences against itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, tied_cycles
from headwise.kernels.nonprojective.mst import best_tree, best_trees
from headwise.search.parts import Part
from oracle import Oracle, is_tree


def search(table, single_root):
    heads, score = best_tree(table, single_root)
    return score, heads


@settings(deadline=None)
@given(arc_tables(), st.booleans())
def test_best_tree_is_the_best_of_all(table, single_root):
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
    score, heads = search(table, single_root)
    if not oracle.ranked:
        assert score == -np.inf
        return
    assert score == pytest.approx(oracle.scores[0], abs=1e-9)
    assert is_tree(tuple(heads))
    assert heads[0] == -1
    assert table[heads[1:], np.arange(1, len(table))].sum() == pytest.approx(score, abs=1e-9)
    assert not single_root or (heads == 0).sum() == 1


@settings(deadline=None)
@given(arc_tables(max_words=4), st.booleans())
def test_diagonal_and_first_column_do_not_matter(table, single_root):
    other = table.copy()
    np.fill_diagonal(other, 1e6)
    other[:, 0] = 1e6
    score, heads = search(table, single_root)
    other_score, other_heads = search(other, single_root)
    assert score == other_score
    assert score == -np.inf or (heads == other_heads).all()


@pytest.mark.parametrize("single_root", [False, True])
def test_long_sentences_no_single_change_is_better(single_root):
    rng = np.random.default_rng(7)
    table = rng.normal(size=(301, 301))
    score, heads = search(table, single_root)
    assert is_tree(tuple(heads))
    assert not single_root or (heads == 0).sum() == 1
    for word in rng.integers(1, 301, 40):
        for head in rng.integers(0 if not single_root else 1, 301, 20):
            changed = heads.copy()
            changed[word] = head
            if is_tree(tuple(changed)) and (not single_root or (changed == 0).sum() == 1):
                assert score >= score + table[head, word] - table[heads[word], word] - 1e-9


def test_single_root_needs_no_large_constant():
    # Root arcs so good, and differences so small, that a constant would swallow them.
    table = np.full((4, 4), -1e15)
    table[0] = [-np.inf, 1e15, 1e15, 1e15 + 1]
    table[3, 1:3] = [0.25, 0.5]
    table[1, 2] = 0.75
    _, heads = search(table, True)
    assert list(heads) == [-1, 3, 1, 0]


@pytest.mark.parametrize("offset", [1e9, 1e16, 1e18])
def test_what_root_arcs_have_in_common_does_not_matter(offset):
    # Sixteenths of the offset stay exact, so only search could lose digits.
    rng = np.random.default_rng(3)
    for _ in range(50):
        table = rng.integers(-64, 65, (6, 6)) / 16.0
        table[0] = 0.0
        expected = search(table, True)[1]
        table[0] = offset
        heads = search(table, True)[1]
        assert (heads == expected).all()


@pytest.mark.parametrize("gap", [1.0, 1e3, 1e12])
def test_many_cycles(gap):
    table = tied_cycles(100, gap)
    _, heads = search(table, True)
    assert is_tree(tuple(heads))
    assert (heads == 0).sum() == 1
    assert sum(table[heads[m], m] == 0.0 for m in range(1, 101)) == 50


def test_a_chain_of_nested_cycles():
    # Each word is held by the cycle of all before it: contraction runs to its full depth.
    n = 120
    table = np.full((n + 1, n + 1), -1000.0)
    for m in range(2, n + 1):
        table[m - 1, m] = -float(m)
        table[m, m - 1] = -float(m)
    score, heads = search(table, True)
    assert is_tree(tuple(heads))
    chain = -1000.0 - sum(range(2, n + 1))
    assert score == chain


@settings(deadline=None)
@given(st.lists(arc_tables(), min_size=1, max_size=6), st.booleans())
def test_many_sentences_in_one_call(tables, single_root):
    lengths = np.array([len(table) - 1 for table in tables])
    heads = np.empty(lengths.sum() + len(tables), np.int64)
    totals = np.empty(len(tables))
    best_trees(np.concatenate([t.ravel() for t in tables]), lengths, single_root, heads, totals)
    at = 0
    for table, total in zip(tables, totals, strict=True):
        score, alone = search(table, single_root)
        assert total == score
        if score > -np.inf:
            assert (heads[at : at + len(table)] == alone).all()
        at += len(table)
