"""Exact first-order non-projective search.

    best       Chu-Liu-Edmonds in O(n²)                      kernels/nonprojective/mst.py
    kbest      two contractions per tree, O(k n²)            kernels/nonprojective/mst_kbest.py
    marginals  the Matrix-Tree theorem, O(n³)                kernels/nonprojective/matrixtree.py
    sample     loop-erased random walks                      kernels/nonprojective/wilson.py

Required and forbidden arcs, and a given root, are -inf in the scores. Brackets are nested problems
(`nesting`).
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.nonprojective.elimination import without_offsets
from headwise.kernels.nonprojective.matrixtree import arc_marginals, log_partition
from headwise.kernels.nonprojective.mst import best_trees
from headwise.kernels.nonprojective.mst_kbest import kbest_trees
from headwise.parameters import whole_number
from headwise.search.bracketing import WordSpan
from headwise.search.decoders.base import (
    ArcDecoder,
    HeadsArray,
    Marginals,
    ScoredTree,
    check_scores,
    number_of_samples,
    ranked,
)
from headwise.search.decoders.nesting import (
    draw_trees,
    nested_best,
    nested_marginals,
    nested_samples,
)
from headwise.search.levels import best_heads
from headwise.search.scores import Scores

Arcs = NDArray[np.bool_]
"""Which arcs are allowed, [head, modifier]."""


def kbest_by_partition(
    best: Callable[[Arcs], ScoredTree | None], n: int, k: int
) -> list[ScoredTree]:
    """The k best distinct trees over n words, by a search for the best one within given arcs.

    The best tree is returned first, and the set of all other trees is partitioned into subspaces
    (Lawler 1972): in subspace m the words before m have the same heads as in that tree, and m has
    another. The best of the subspaces' best trees is next; its subspace is partitioned in the same
    way. This takes up to n searches per tree: it is for searches without their own k-best
    algorithm.
    """
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


@dataclass(frozen=True, slots=True)
class NonProjectiveDecoder(ArcDecoder):
    """Answers questions about all trees of a sentence, projective or not, by arc scores."""

    def best(self, scores: Scores) -> ScoredTree:
        arc = arcs_only(scores)
        if scores.brackets:
            nested = nested_best(arc, scores.brackets, self.single_root)
            if nested is None:
                raise self.no_tree(scores)
            return scored(nested, arc)
        heads, score = best_heads(arc, self.single_root)
        if score == -np.inf:
            raise self.no_tree(scores)
        return ScoredTree(heads, score)

    def found_trees(
        self, arcs: NDArray[np.float64], sizes: NDArray[np.int64]
    ) -> tuple[HeadsArray, NDArray[np.float64]]:
        heads, totals = np.empty(int(sizes.sum()), np.int64), np.empty(len(sizes))
        best_trees(arcs, sizes - 1, self.single_root, heads, totals)
        return heads, totals

    def arcs_alone(self, scores: Scores) -> NDArray[np.float64] | None:
        arc = arcs_only(scores)
        return None if scores.brackets else arc

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        arc = arcs_only(scores)
        k = whole_number("k", k)
        if scores.brackets:
            found = self.kbest_in_brackets(arc, scores.brackets, k)
        else:
            found = [scored(heads, arc) for heads in kbest_trees(arc, k, self.single_root)]
        if not found:
            raise self.no_tree(scores)
        return ranked(found)

    def kbest_in_brackets(
        self, arc: NDArray[np.float64], brackets: Sequence[WordSpan], k: int
    ) -> list[ScoredTree]:
        """The k best trees under brackets."""

        def best(allowed: Arcs) -> ScoredTree | None:
            limited = np.where(allowed, arc, -np.inf)
            heads = nested_best(limited, brackets, self.single_root)
            return None if heads is None else scored(heads, arc)

        return kbest_by_partition(best, len(arc) - 1, k)

    def marginals(self, scores: Scores) -> Marginals:
        arc = arcs_only(scores)
        # Entropy is a small difference of sums, which a common offset would deprive of digits.
        lowered, offset = without_offsets(arc, self.single_root)
        if scores.brackets:
            total, found = nested_marginals(lowered, scores.brackets, self.single_root)
        else:
            total = log_partition(lowered, self.single_root)
            found = arc_marginals(lowered, self.single_root) if total > -np.inf else arc
        if total == -np.inf:
            raise self.no_tree(scores)
        expected = float(np.sum(found * np.where(found > 0, lowered, 0.0)))
        return Marginals(total + offset, max(total - expected, 0.0), found, {})

    def sample(self, scores: Scores, count: int, rng: np.random.Generator | int) -> HeadsArray:
        arc = arcs_only(scores)
        count, rng = number_of_samples(count, scores.n), np.random.default_rng(rng)
        found: HeadsArray | None
        if scores.brackets:
            found = nested_samples(arc, scores.brackets, self.single_root, count, rng)
        elif log_partition(arc, self.single_root) == -np.inf:
            found = None
        else:
            found = draw_trees(arc, self.single_root, count, rng)
        if found is None:
            raise self.no_tree(scores)
        return found


def arcs_only(scores: Scores) -> NDArray[np.float64]:
    """The arc scores; raises if anything else is scored."""
    check_scores(scores, Scores)
    if scores.higher:
        raise UsageError(
            "exact non-projective search scores arcs only; use ClimbDecoder for higher parts"
        )
    return scores.arc


def scored(heads: HeadsArray, arc: NDArray[np.float64]) -> ScoredTree:
    """A tree with the sum of its arc scores."""
    return ScoredTree(heads, float(arc[heads[1:], np.arange(1, len(arc))].sum()))
