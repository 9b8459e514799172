"""Exact first-order non-projective search.

    best       Chu-Liu-Edmonds in O(n²)                      kernels/nonprojective/mst.py
    kbest      two contractions per tree, O(k n²)            kernels/nonprojective/mst_kbest.py
    marginals  the Matrix-Tree theorem, O(n³)                kernels/nonprojective/matrixtree.py
    sample     loop-erased random walks                      kernels/nonprojective/wilson.py

Required and forbidden arcs, and a given root, are -inf in the scores. Brackets are nested problems
(`nesting`).
"""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ConstraintError, UsageError
from headwise.kernels.nonprojective.elimination import without_offsets
from headwise.kernels.nonprojective.matrixtree import arc_marginals, log_partition
from headwise.kernels.nonprojective.mst import best_trees
from headwise.kernels.nonprojective.mst_kbest import kbest_trees
from headwise.parameters import whole_number
from headwise.search.bracketing import WordSpan
from headwise.search.constraints import Constraints, constrain
from headwise.search.decoders.base import (
    HeadsArray,
    Marginals,
    ScoredTree,
    check_scores,
    number_of_samples,
    ranked,
)
from headwise.search.decoders.nesting import (
    best_heads,
    draw_trees,
    nested_best,
    nested_marginals,
    nested_samples,
)
from headwise.search.feasibility import why_no_tree
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
class NonProjectiveDecoder:
    """Answers questions about the non-projective trees of a sentence.

    With `single_root`, exactly one word is attached to the root.
    """

    single_root: bool = True

    def best(self, scores: Scores) -> ScoredTree:
        """The highest-scoring tree."""
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

    def best_many(self, many: Iterable[Scores]) -> list[ScoredTree]:
        """The best trees of many sentences; those without brackets in one kernel call.

        For users of the library: its own parsers pass arrays of arcs to the kernel.
        """
        many = list(many)
        plain = [number for number, scores in enumerate(many) if not scores.brackets]
        found: list[ScoredTree | None] = [None] * len(many)
        if plain:
            arcs = [arcs_only(many[number]) for number in plain]
            lengths = np.array([len(arc) - 1 for arc in arcs])
            heads, totals = np.empty(lengths.sum() + len(arcs), np.int64), np.empty(len(arcs))
            packed = np.concatenate([arc.ravel() for arc in arcs])
            best_trees(packed, lengths, self.single_root, heads, totals)
            pieces = np.split(heads, np.cumsum(lengths + 1)[:-1])
            for number, piece, total in zip(plain, pieces, totals.tolist(), strict=True):
                found[number] = ScoredTree(piece, total) if total > -np.inf else None
        return [one or self.best_of_many(many, number) for number, one in enumerate(found)]

    def best_of_many(self, many: Sequence[Scores], number: int) -> ScoredTree:
        """The best tree of one of many sentences; errors name its index."""
        try:
            return self.best(many[number])
        except ConstraintError as error:
            where = f"sentence {number} of {len(many)}, counted from 0"
            raise ConstraintError(f"{where}: {error}") from None

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
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
        """Probabilities of all arcs, log-partition and entropy."""
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
        """Independent samples from the distribution over trees: `count` rows of heads.

        `rng` is a generator or a seed.
        """
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

    def constrain(self, scores: Scores, constraints: Constraints) -> Scores:
        """Scores under which every tree satisfies the constraints (`constraints.constrain`)."""
        return constrain(scores, constraints, single_root=self.single_root, projective=False)

    def no_tree(self, scores: Scores) -> ConstraintError:
        """The error that there is no tree, and why."""
        allowed, brackets = scores.arc > -np.inf, scores.brackets
        return ConstraintError(
            why_no_tree(allowed, brackets, single_root=self.single_root, projective=False)
        )


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
