"""Non-projective search over arcs: every tree whatever its crossings, exactly.

    best       Chu-Liu-Edmonds in O(n²)                      kernels/mst.py
    kbest      two contractions a tree, O(k n²)              kernels/mst_kbest.py
    marginals  the Matrix-Tree theorem, O(n³)                kernels/matrixtree.py
    sample     loop-erased random walks                      kernels/wilson.py

Required and forbidden arcs, and a given root, are -inf in the scores. Brackets are the decoder's
own, as no score of an arc can express them (`nesting`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.decoders.base import HeadsArray, Marginals, Scored
from headwise.decoders.nesting import (
    Bracket,
    as_brackets,
    best_heads,
    draw_trees,
    nested_best,
    nested_marginals,
    nested_samples,
)
from headwise.decoders.partition import Arcs, kbest_by_partition
from headwise.errors import ConstraintError, UsageError
from headwise.kernels.matrixtree import arc_marginals, log_partition, without_offsets
from headwise.kernels.mst import best_trees
from headwise.kernels.mst_kbest import kbest_trees
from headwise.scores import Scores


@dataclass(frozen=True, slots=True)
class NonProjectiveDecoder:
    """Answers every question about the non-projective trees of a sentence.

    With `single_root`, exactly one word is attached to the root. Each of `brackets` is the first
    and last of words that form one complete subtree: no arc leaves it, and exactly one enters.
    """

    single_root: bool = True
    brackets: Sequence[Bracket] = ()

    def __post_init__(self) -> None:
        """Keep the brackets as a tuple, if they are pairs of numbers."""
        object.__setattr__(self, "brackets", as_brackets(self.brackets))

    def best(self, scores: Scores) -> Scored:
        """The tree of highest score."""
        arc = arcs_only(scores)
        if self.brackets:
            nested = nested_best(arc, self.brackets, self.single_root)
            if nested is None:
                raise self.no_tree(arc)
            return scored(nested, arc)
        heads, score = best_heads(arc, self.single_root)
        if score == -np.inf:
            raise self.no_tree(arc)
        return Scored(heads, score)

    def best_many(self, many: Sequence[Scores]) -> list[Scored]:
        """The best trees of many sentences, in one call of the kernel."""
        if self.brackets:
            raise UsageError("brackets belong to one sentence: call `best` for it")
        if not many:
            return []
        arcs = [arcs_only(scores) for scores in many]
        lengths = np.array([scores.n for scores in many])
        heads = np.empty(lengths.sum() + len(many), np.int64)
        totals = np.empty(len(many))
        packed = np.concatenate([arc.ravel() for arc in arcs])
        best_trees(packed, lengths, self.single_root, heads, totals)
        if (totals == -np.inf).any():
            first = int(np.argmin(totals))
            raise self.no_tree(arcs[first], f"sentence {first} of {len(many)}, counted from 0: ")
        pieces = np.split(heads, np.cumsum(lengths + 1)[:-1])
        return list(map(Scored, pieces, totals.tolist()))

    def kbest(self, scores: Scores, k: int) -> list[Scored]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        arc = arcs_only(scores)
        if k < 1:
            raise UsageError(f"k must be 1 or more, not {k}")
        if self.brackets:
            found = self.kbest_in_brackets(arc, k)
        else:
            found = [scored(heads, arc) for heads in kbest_trees(arc, k, self.single_root)]
        if not found:
            raise self.no_tree(arc)
        # Trees that differ by less than rounding may come in either order.
        return sorted(found, key=lambda tree: -tree.score)

    def kbest_in_brackets(self, arc: NDArray[np.float64], k: int) -> list[Scored]:
        """The k best trees under brackets."""

        def best(allowed: Arcs) -> Scored | None:
            limited = np.where(allowed, arc, -np.inf)
            heads = nested_best(limited, self.brackets, self.single_root)
            return None if heads is None else scored(heads, arc)

        return kbest_by_partition(best, len(arc) - 1, k)

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities of all arcs, log-partition and entropy."""
        arc = arcs_only(scores)
        # Entropy is a small difference of sums: what they have in common would take its digits.
        lowered, offset = without_offsets(arc, self.single_root)
        if self.brackets:
            total, found = nested_marginals(lowered, self.brackets, self.single_root)
        else:
            total = log_partition(lowered, self.single_root)
            found = arc_marginals(lowered, self.single_root) if total > -np.inf else arc
        if total == -np.inf:
            raise self.no_tree(arc)
        expected = float(np.sum(found * np.where(found > 0, lowered, 0.0)))
        return Marginals(total + offset, max(total - expected, 0.0), found, {})

    def sample(self, scores: Scores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Independent trees drawn by their probability: an array of `count` rows of heads."""
        arc = arcs_only(scores)
        if count < 0:
            raise UsageError(f"the number of samples must be 0 or more, not {count}")
        found: HeadsArray | None
        if self.brackets:
            found = nested_samples(arc, self.brackets, self.single_root, count, rng)
        elif log_partition(arc, self.single_root) == -np.inf:
            found = None
        else:
            found = draw_trees(arc, self.single_root, count, rng)
        if found is None:
            raise self.no_tree(arc)
        return found

    def no_tree(self, arc: NDArray[np.float64], where: str = "") -> ConstraintError:
        """The error that there is no tree, saying why where it is easily seen."""
        return ConstraintError(where + self.why_no_tree(arc))

    def why_no_tree(self, arc: NDArray[np.float64]) -> str:
        """The reason why there is no tree, and what to do."""
        headless = [m for m in range(1, len(arc)) if not (arc[:, m] > -np.inf).any()]
        if headless:
            return f"no head is allowed for word {headless[0]}: allow one"
        if not (arc[0] > -np.inf).any():
            return "no word may be attached to the root: allow one"
        only_root = [m for m in range(1, len(arc)) if not (arc[1:, m] > -np.inf).any()]
        if self.single_root and len(only_root) > 1:
            return (
                f"words {only_root[0]} and {only_root[1]} can only be attached to the root, "
                "which may have one modifier: allow them another head, or several roots"
            )
        under = " with these brackets" if self.brackets else ""
        return f"the arcs allowed{under} do not form any tree: allow more"


def arcs_only(scores: Scores) -> NDArray[np.float64]:
    """The arc scores, if nothing else is scored."""
    if scores.higher:
        raise UsageError(
            "exact non-projective search scores arcs only; use ClimbDecoder for higher parts"
        )
    if scores.spans is not None:
        raise UsageError(
            "spans constrain projective search; give brackets to NonProjectiveDecoder instead"
        )
    return scores.arc


def scored(heads: HeadsArray, arc: NDArray[np.float64]) -> Scored:
    """A tree with the sum of its arc scores."""
    return Scored(heads, float(arc[heads[1:], np.arange(1, len(arc))].sum()))
