"""The k best trees for any search that finds the best one (Lawler 1972).

The best tree is returned first, and the set of all other trees is partitioned into subspaces: in
subspace m the words before m have the same heads as in that tree, and m has another. The best of
the subspaces' best trees is next; its subspace is partitioned in the same way.

This takes up to n searches per tree: it is for searches without their own k-best algorithm.
"""

import heapq
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from headwise.search.decoders.base import ScoredTree

Arcs = NDArray[np.bool_]
"""Which arcs are allowed, [head, modifier]."""


def kbest_by_partition(
    best: Callable[[Arcs], ScoredTree | None], n: int, k: int
) -> list[ScoredTree]:
    """The k best distinct trees over n words, given a search for the best tree within given
    arcs."""
    allowed = np.ones((n + 1, n + 1), np.bool_)
    first = best(allowed)
    found: list[ScoredTree] = []
    if first is None:
        return found
    heap = [(-first.score, 0, first, allowed, 1)]
    spaces = 1
    while heap and len(found) < k:
        _, _, tree, allowed, start = heapq.heappop(heap)
        found.append(tree)
        if len(found) == k:
            break
        fixed = allowed.copy()
        for m in range(start, n + 1):
            space = fixed.copy()
            space[tree.heads[m], m] = False
            following = best(space) if space[:, m].any() else None
            if following is not None:
                heapq.heappush(heap, (-following.score, spaces, following, space, m))
                spaces += 1
            fixed[:, m] = False
            fixed[tree.heads[m], m] = True
    return found
