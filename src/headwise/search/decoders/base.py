"""What all decoders have in common, and the types of their answers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.parameters import whole_number
from headwise.search.constraints import Constraints, constrain
from headwise.search.feasibility import why_no_tree
from headwise.search.partcounts import SAMPLES_AT_A_TIME
from headwise.search.parts import Part
from headwise.search.scores import Scores

Floats = NDArray[np.float64]

HeadsArray = NDArray[np.int64]
"""Heads of all tokens: entry m is the head of word m, entry 0 is -1."""


class ScoredTree(NamedTuple):
    """A tree and its score."""

    heads: HeadsArray
    score: float


MAX_SAMPLE_BYTES = 1 << 30
"""Of the heads of all trees that are drawn in one call."""


def number_of_samples(count: object, n: int) -> int:
    """How many trees over n words are drawn; raise if their heads would fill the memory."""
    found = whole_number("count", count, 0)
    maximum = MAX_SAMPLE_BYTES // (8 * (n + 1))
    if found > maximum:
        raise LimitError(
            f"{found:,} trees of {n} words do not fit into memory: draw at most {maximum:,} at a "
            "time"
        )
    return found


def samples_in_blocks(
    count: int, n: int, rng: np.random.Generator, draw: Callable[[Floats], HeadsArray]
) -> HeadsArray:
    """Rows of heads from a kernel that takes random numbers, in blocks, which bounds these."""
    samples = np.empty((count, n + 1), np.int64)
    for start in range(0, count, SAMPLES_AT_A_TIME):
        block = samples[start : start + SAMPLES_AT_A_TIME]
        block[:] = draw(rng.random((len(block), 8 * n + 16)))
    return samples


def check_scores(scores: object, kind: type) -> None:
    """Raise unless a decoder was given scores of its kind: arrays know no constraints."""
    if not isinstance(scores, kind):
        raise UsageError(
            f"a decoder takes {kind.__name__}, as {kind.__name__}(array), not "
            f"{type(scores).__name__}"
        )


def ranked(trees: list[ScoredTree]) -> list[ScoredTree]:
    """Trees by score, best first: rounding may have swapped nearly equal ones."""
    return sorted(trees, key=attrgetter("score"), reverse=True)


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """The distribution over trees in which a tree's probability is exp(score) / Z.

    `arc[h, m]` is the probability that h is the head of m. `higher` has the probability of each
    scored higher-order part, in the order of the scores. These are at the same time the expected
    counts of the parts, and the gradient of `log_partition`.
    """

    log_partition: float
    entropy: float  # in nats; for users of the library
    arc: NDArray[np.float64]
    higher: Mapping[Part, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Decoder(ABC):
    """Answers questions about the trees over a sentence.

    All trees respect the brackets of the scores. With `single_root`, exactly one word is attached
    to the root; otherwise one or more. Every method raises `ConstraintError` if no tree has a
    finite score.
    """

    single_root: bool = True

    is_projective: ClassVar[bool] = False

    @abstractmethod
    def best(self, scores: Scores) -> ScoredTree:
        """The highest-scoring tree; among equals, always the same one."""

    @abstractmethod
    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""

    @abstractmethod
    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities of all parts, log-partition and entropy."""

    @abstractmethod
    def sample(self, scores: Scores, count: int, rng: np.random.Generator | int) -> HeadsArray:
        """Independent samples from the distribution over trees: `count` rows of heads.

        `rng` is a generator or a seed.
        """

    def constrain(self, scores: Scores, constraints: Constraints) -> Scores:
        """Scores under which every tree satisfies the constraints (`constraints.constrain`)."""
        return constrain(
            scores, constraints, single_root=self.single_root, projective=self.is_projective
        )

    def no_tree(self, scores: Scores) -> ConstraintError:
        """The error that no tree has a finite score, and why."""
        return ConstraintError(
            why_no_tree(
                scores.arc > -np.inf,
                scores.brackets,
                single_root=self.single_root,
                projective=self.is_projective,
            )
        )


@dataclass(frozen=True, slots=True)
class ArcDecoder(Decoder):
    """A decoder whose kernel finds the best first-order trees of many sentences in one call."""

    def best_trees(self, arcs: Floats, sizes: NDArray[np.int64]) -> tuple[HeadsArray, Floats]:
        """The heads of all tokens and the scores of the trees, -inf where there is none.

        `arcs` has the scores of sentences of `sizes` tokens, concatenated; values are not checked.
        """
        if sizes.min(initial=2) < 2:
            raise UsageError("a sentence must have at least 1 word")
        wanted = int((sizes**2).sum())
        if arcs.shape != (wanted,):  # the kernel would read what is beside them
            raise UsageError(f"{arcs.shape} scores for {wanted} arcs")
        return self.found_trees(arcs, sizes)

    @abstractmethod
    def found_trees(self, arcs: Floats, sizes: NDArray[np.int64]) -> tuple[HeadsArray, Floats]:
        """What `best_trees` gives, by the kernel: arrays must fit."""

    @abstractmethod
    def arcs_alone(self, scores: Scores) -> Floats | None:
        """The scores of arcs, if a tree depends on nothing else; raises if there is no search."""

    def best_many(self, many: Iterable[Scores]) -> list[ScoredTree]:
        """The best trees of many sentences; those that depend on arcs alone in one kernel call.

        For users of the library: its own parsers pass arrays of arcs to `best_trees`.
        """
        many = list(many)
        found: dict[int, ScoredTree] = {}
        tables = {number: self.arcs_alone(scores) for number, scores in enumerate(many)}
        arcs = {number: arc for number, arc in tables.items() if arc is not None}
        if arcs:
            sizes = np.array(list(map(len, arcs.values())))
            heads, totals = self.best_trees(
                np.concatenate(list(map(np.ravel, arcs.values()))), sizes
            )
            pieces = np.split(heads, np.cumsum(sizes)[:-1])
            trees = zip(arcs, map(ScoredTree, pieces, totals.tolist()), strict=True)
            found = {number: tree for number, tree in trees if tree.score > -np.inf}
        return [found.get(number) or self._best_of(many, number) for number in tables]

    def _best_of(self, many: Sequence[Scores], number: int) -> ScoredTree:
        """The best tree of one of many sentences; errors name its index."""
        try:
            return self.best(many[number])
        except ConstraintError as error:
            where = f"sentence {number} of {len(many)}, counted from 0"
            raise ConstraintError(f"{where}: {error}") from None
