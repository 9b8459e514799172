"""The best first-order trees of many sentences in one call."""

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts import order1
from headwise.kernels.nonprojective import mst
from headwise.search.decoders.base import HeadsArray


def best_trees(
    arcs: NDArray[np.float64], sizes: NDArray[np.int64], *, projective: bool, single_root: bool
) -> HeadsArray:
    """The heads of all tokens; `arcs` has the scores of sentences of `sizes` tokens."""
    if projective:
        found: HeadsArray = order1.best_trees(arcs, sizes, single_root)[0]
        return found
    heads = np.empty(int(sizes.sum()), np.int64)
    mst.best_trees(arcs, sizes - 1, single_root, heads, np.empty(len(sizes)))
    return heads
