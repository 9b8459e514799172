"""The protocol of decoders, and the types of their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.search.parts import Part
from headwise.search.scores import Scores

HeadsArray = NDArray[np.int64]
"""Heads of all tokens: entry m is the head of word m, entry 0 is -1."""


class ScoredTree(NamedTuple):
    """A tree and its score."""

    heads: HeadsArray
    score: float


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


class Decoder(Protocol):
    """Answers questions about the trees over a sentence.

    All trees respect the brackets of the scores. Every method raises `ConstraintError` if no tree
    has a finite score.
    """

    def best(self, scores: Scores) -> ScoredTree:
        """The highest-scoring tree."""
        ...

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        ...

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities of all parts, log-partition and entropy."""
        ...

    def sample(self, scores: Scores, count: int, rng: np.random.Generator | int) -> HeadsArray:
        """Independent samples from the distribution over trees: `count` rows of heads."""
        ...
