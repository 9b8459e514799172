"""The k best non-projective trees against enumeration, until there are no more."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arctables import arc_tables, tied_cycles
from headwise.kernels.nonprojective.mst import best_tree
from headwise.kernels.nonprojective.mst_kbest import kbest_trees
from headwise.search.parts import Part
from oracle import Oracle, is_tree


def search(table, k, single_root):
    return kbest_trees(table, k, single_root)


def totals(table, trees):
    return table[trees[:, 1:], np.arange(1, len(table))].sum(axis=1)


@settings(deadline=None, max_examples=200)
@given(arc_tables(), st.sampled_from((1, 2, 7, 2000)), st.booleans())
@example(np.zeros((6, 6)), 2000, True)
@example(np.zeros((6, 6)), 2000, False)
def test_all_trees_in_order(table, k, single_root):
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
    trees = search(table, k, single_root)
    assert len(trees) == min(k, len(oracle.ranked))
    assert len({tuple(tree) for tree in trees}) == len(trees)
    assert {tuple(tree) for tree in trees} <= {tree for _, tree in oracle.ranked}
    assert totals(table, trees) == pytest.approx(oracle.scores[: len(trees)], abs=1e-9)


@settings(deadline=None, max_examples=300)
@given(
    arc_tables(extremes=(-1e9, -1e18, -1e30, 1e16)), st.sampled_from((1, 2, 7, 2000)), st.booleans()
)
def test_scores_of_very_different_sizes(table, k, single_root):
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
    found = totals(table, search(table, k, single_root))
    assert len(found) == min(k, len(oracle.ranked))
    # A very bad arc takes no digits from trees without it; a very good one is used if it can be,
    # and where it cannot, its own rounding remains.
    rounding = 8.0 if (table == 1e16).any() else 1e-9
    order = np.sort(found)[::-1]
    assert order == pytest.approx(oracle.scores[: len(found)], rel=1e-15, abs=rounding)
    if len(found) > 0:
        _, best = best_tree(table, single_root)
        assert found[0] == best


@pytest.mark.parametrize("bad", [-1e9, -1e18, -1e30])
@pytest.mark.parametrize("single_root", [False, True])
def test_one_very_bad_arc_changes_nothing_else(bad, single_root):
    table = np.random.default_rng(12).normal(size=(31, 31))
    table[4, 5] = -np.inf
    expected = search(table, 50, single_root)
    table[4, 5] = bad
    assert (search(table, 50, single_root) == expected).all()


@pytest.mark.parametrize("n", [5, 12, 40])
def test_a_chain_of_nested_cycles(n):
    # Words 1…n form a chain that may be entered anywhere, word n + 1 is free: n² trees in all.
    rng = np.random.default_rng(1)
    table = np.full((n + 2, n + 2), -np.inf)
    for m in range(2, n + 1):
        table[m - 1, m], table[m, m - 1] = 1.0, -1.0
    table[2, 1] = 1.0
    table[0, 1 : n + 1] = rng.normal(size=n) * 0.1 + 0.5
    table[1 : n + 1, n + 1] = rng.normal(size=n) * 0.1
    chain = [
        table[0, r] + (n - r) + sum(table[m + 1, m] for m in range(1, r)) for r in range(1, n + 1)
    ]
    expected = np.sort(np.add.outer(chain, table[1 : n + 1, n + 1]).ravel())[::-1]
    trees = search(table, 40, True)
    assert totals(table, trees) == pytest.approx(expected[:40], abs=1e-9)
    assert len({tuple(tree) for tree in trees}) == min(40, n * n)


def test_a_large_k_takes_no_room():
    assert len(search(np.zeros((4, 4)), 10**12, True)) == 9
    assert len(search(np.zeros((4, 4)), 10**12, False)) == 16


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("magnitude", [1e-300, 1e-3, 1.0, 1e300])
def test_long_sentences_and_any_magnitude(single_root, magnitude):
    table = np.random.default_rng(3).normal(size=(61, 61)) * magnitude
    trees = search(table, 150, single_root)
    assert len({tuple(tree) for tree in trees}) == 150
    assert all(is_tree(tuple(tree)) for tree in trees)
    found = totals(table / magnitude, trees)
    assert (np.diff(found) <= 1e-9).all()
    # Fewer are the first of more.
    assert (search(table, 20, single_root) == trees[:20]).all()


def test_distinct_among_many_equals():
    trees = search(tied_cycles(40, 5.0), 300, True)
    assert len({tuple(tree) for tree in trees}) == 300
    assert np.ptp(totals(tied_cycles(40, 5.0), trees)) == 0.0


def test_300_words():
    table = np.random.default_rng(5).normal(size=(301, 301))
    trees = search(table, 10, True)
    assert len({tuple(tree) for tree in trees}) == 10
    assert (np.diff(totals(table, trees)) <= 1e-9).all()
