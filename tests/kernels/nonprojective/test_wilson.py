"""Samples of non-projective trees: exact by chi-square, in bounded time."""

import numpy as np
import pytest

from arctables import fit_of_samples, tied_cycles
from headwise.kernels.nonprojective.wilson import sample_trees
from headwise.search.parts import Part
from oracle import Oracle, is_tree


def sample(table, single_root, count, limit=10**6, seed=1):
    trees = np.empty((count, len(table)), np.int64)
    sample_trees(table, single_root, limit, seed, trees)
    return trees


# With a limit of 0 every tree is drawn by putting words back, with 8 some of them are.
@pytest.mark.parametrize("limit", [10**6, 8, 0])
@pytest.mark.parametrize("single_root", [False, True])
def test_trees_come_by_their_probability(single_root, limit):
    table = np.random.default_rng(8).normal(size=(5, 5))
    table[2, 4] = table[0, 1] = -np.inf
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
    assert fit_of_samples(sample(table, single_root, 20_000, limit), oracle) > 1e-3


@pytest.mark.parametrize("single_root", [False, True])
def test_words_that_hold_each_other_do_not_hold_us(single_root):
    # Walks would take e^60 steps to leave a pair.
    trees = sample(tied_cycles(8, 60.0), single_root, 50, limit=2000)
    assert all(is_tree(tuple(tree)) for tree in trees)
    assert all((tree == 0).sum() == 1 for tree in trees) or not single_root
    assert len({tuple(tree) for tree in trees}) > 25


def test_same_seed_same_trees():
    table = np.random.default_rng(8).normal(size=(31, 31))
    assert (sample(table, True, 20) == sample(table, True, 20)).all()
    assert (sample(table, True, 20) != sample(table, True, 20, seed=2)).any()


@pytest.mark.parametrize("limit", [10**6, 12, 0])
@pytest.mark.parametrize("single_root", [False, True])
def test_the_first_of_many_are_the_same_as_few(single_root, limit):
    # With a limit of 12, some walks are given up and some are not.
    table = np.random.default_rng(8).normal(size=(9, 9))
    many = sample(table, single_root, 100, limit)
    assert (sample(table, single_root, 50, limit) == many[:50]).all()
    assert len({tuple(tree) for tree in many}) > 50


def test_300_words():
    trees = sample(np.random.default_rng(8).normal(size=(301, 301)), True, 20)
    assert all(is_tree(tuple(tree)) and (tree == 0).sum() == 1 for tree in trees)
