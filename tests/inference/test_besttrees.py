import numpy as np
import pytest

import oracle
from headwise.inference.besttrees import best_trees


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_trees_of_many_sentences_are_the_best(projective, single_root):
    random = np.random.default_rng(0)
    arcs = [random.standard_normal((n + 1, n + 1)) for n in (1, 4, 2, 5)]
    flat, sizes = np.concatenate([one.ravel() for one in arcs]), np.array([2, 5, 3, 6])
    found = best_trees(flat, sizes, projective=projective, single_root=single_root)
    for own, heads in zip(arcs, np.split(found, np.cumsum(sizes)[:-1]), strict=True):
        n = len(own) - 1
        every = oracle.trees(n, projective=projective, single_root=single_root)
        best = max(every, key=lambda tree: own[list(tree[1:]), range(1, n + 1)].sum())
        assert heads[1:].tolist() == list(best[1:])
