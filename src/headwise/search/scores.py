"""Scores: the input of search, one array per part type; and operations on them.

Cost augmentation, pruning and scaling are functions from Scores to Scores that decoders know
nothing of; constraints too (see `constraints`), except for brackets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.search.bracketing import WordSpan, are_kept, as_brackets
from headwise.search.partindex import PartIndex, as_heads
from headwise.search.parts import Factorisation, Part

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of all parts of a sentence of n words.

    `arc[h, m]` scores the arc from head h to modifier m; row 0 is the root's, and -inf forbids an
    arc. The diagonal, column 0 and arcs that are pruned in `index` become -inf.

    `higher` has flat arrays for part types above the arc, in the order of `index`; types without an
    array are not scored.

    `brackets` are pairs (i, j): words i to j form one subtree, in every tree of finite score.
    """

    arc: NDArray[np.float64]
    index: PartIndex | None = None
    higher: Mapping[Part, Floats] = field(default_factory=dict)
    brackets: tuple[WordSpan, ...] = ()

    def __post_init__(self) -> None:
        """Check shapes and values."""
        arc = np.array(self.arc, np.float64, order="C")
        if arc.ndim != 2 or arc.shape[0] != arc.shape[1] or len(arc) < 2:
            raise UsageError(
                f"arc scores must be a square matrix of at least 2 × 2, not {arc.shape}"
            )
        arc.reshape(-1)[:: len(arc) + 1] = -np.inf  # the diagonal
        arc[:, 0] = -np.inf
        check_values("arc", arc)
        if self.higher and self.index is None:
            raise UsageError("scores of higher-order parts require an index")
        if self.index is not None:
            if self.index.n != len(arc) - 1:
                raise UsageError(
                    f"the index is over {self.index.n} words, the scores are over {len(arc) - 1}"
                )
            arc[~self.index.unpruned] = -np.inf
        object.__setattr__(self, "arc", arc)
        if self.index is not None:
            self.check_higher(self.index)
        if self.brackets != ():
            object.__setattr__(self, "brackets", as_brackets(self.brackets, len(arc) - 1))

    def check_higher(self, index: PartIndex) -> None:
        """Check the arrays of higher-order parts against their index, and convert to float64."""
        if Part.ARC in self.higher:
            raise UsageError("arc scores must be given as the matrix `arc`, not in `higher`")
        higher = {part: plain_array(values) for part, values in self.higher.items()}
        for part, values in higher.items():
            if values.shape != (index.count(part),):
                raise UsageError(
                    f"{part.label} scores have shape {values.shape}, not ({index.count(part)},)"
                )
            check_values(part.label, values)
        object.__setattr__(self, "higher", higher)

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.arc) - 1

    @property
    def factorisation(self) -> Factorisation:
        """The factorisation of the scores."""
        return self.index.factorisation if self.index is not None else Factorisation.ARCS

    def of_tree(self, heads: Sequence[int] | NDArray[np.int64]) -> float:
        """The score of a tree: the sum over its parts.

        It is -inf if the tree has a pruned part, or violates a bracket.
        """
        tree = as_heads(heads, self.n)
        if self.brackets and not are_kept(tree, self.brackets):
            return -np.inf
        total = float(self.arc[tree[1:], np.arange(1, self.n + 1)].sum())
        if self.index is None or total == -np.inf:
            return total
        positions = self.index.of_tree(tree)
        for part, values in self.higher.items():
            if (positions[part] < 0).any():
                return -np.inf
            total += float(values[positions[part]].sum(dtype=np.float64))
        return total


def plain_array(values: Floats) -> Floats:
    """The values in the memory layout for which kernels are compiled."""
    return np.require(values, np.float64, ["C", "A", "W"])


LARGEST = 1e300
"""The largest score: an infinite sum would keep the search for the k best from ending."""


def check_values(name: str, values: Floats) -> None:
    """Raise if a score is NaN or too large: the maximum of values is NaN if one of them is."""
    if not values.max(initial=-np.inf) <= LARGEST:
        raise UsageError(f"{name} scores contain NaN or +inf, or a number above {LARGEST:g}")


def add_cost(
    scores: Scores, heads: Sequence[int] | NDArray[np.int64], cost: float | Floats = 1.0
) -> Scores:
    """Cost-augmented scores: every wrong head gains `cost`, one for all or one per token.

    The best tree under them is the one that most exceeds `heads` in score plus wrong heads.
    """
    arc = scores.arc + cost
    right = as_heads(heads, scores.n)[1:], np.arange(1, scores.n + 1)
    arc[right] = scores.arc[right]
    return Scores(arc, scores.index, scores.higher, scores.brackets)


def scale(scores: Scores, factor: float) -> Scores:
    """All scores times a factor above 0: the inverse temperature of the distribution."""
    if not 0 < factor < np.inf:
        raise UsageError(f"the scaling factor must be positive, not {factor}")
    higher = {part: values * factor for part, values in scores.higher.items()}
    return replace(scores, arc=scores.arc * factor, higher=higher)


def prune(scores: Scores, unpruned: NDArray[np.bool_]) -> Scores:
    """Scores over fewer arcs: those unpruned so far and in `unpruned[head, modifier]`.

    For users of the library: its own parsers prune before they score (`scoring.linear.pruner`).
    """
    if unpruned.shape != scores.arc.shape:
        raise UsageError(f"unpruned arcs have shape {unpruned.shape}, not {scores.arc.shape}")
    allowed = unpruned & (scores.arc > -np.inf)
    arc = np.where(allowed, scores.arc, -np.inf)
    if scores.index is None:
        return replace(scores, arc=arc)
    old = scores.index
    index = PartIndex.over(allowed & old.unpruned, old.factorisation, crossing=old.crossing)
    higher = {
        part: values[old.find(part, index.tokens(part))] for part, values in scores.higher.items()
    }
    return replace(scores, arc=arc, index=index, higher=higher)


def unpruned_arcs(marginals: NDArray[np.float64], ratio: float) -> NDArray[np.bool_]:
    """The arcs with at least `ratio` times the probability of the word's most probable head."""
    allowed: NDArray[np.bool_] = marginals >= ratio * marginals.max(axis=0, keepdims=True)
    return allowed & (marginals > 0)
