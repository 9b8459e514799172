"""The k best trees by partition are those of enumeration, whatever finds the best one."""

import numpy as np
import pytest

from headwise.search.decoders.base import ScoredTree
from headwise.search.decoders.partition import kbest_by_partition
from oracle import trees


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
