"""The k best trees of any search that can find the best one (Lawler 1972).

The best tree is given out, and the set of all other trees is cut into disjoint spaces: in space m
the words before m have the same heads as in that tree, and m has another. Each space is searched
for its best tree, and the best of these is next; its own space is cut in the same way.

That is up to n searches a tree: for searches that have no k-best algorithm of their own.
"""

import heapq
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from headwise.search.decoders.base import Scored

Arcs = NDArray[np.bool_]
"""Which arcs are allowed, [head, modifier]."""


def kbest_by_partition(best: Callable[[Arcs], Scored | None], n: int, k: int) -> list[Scored]:
    """The k best distinct trees over n words, by a search for the best tree within given arcs."""
    allowed = np.ones((n + 1, n + 1), np.bool_)
    first = best(allowed)
    found: list[Scored] = []
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
