"""The k best non-projective trees against enumeration, until there are no more."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arctables import arc_tables, tied_cycles
from headwise.kernels.mst_kbest import kbest_trees
from headwise.parts import Part
from oracle import Oracle, is_tree


def search(table, k, single_root):
    trees = np.empty((k, len(table)), np.int64)
    return trees[: kbest_trees(table, k, single_root, trees)]


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
