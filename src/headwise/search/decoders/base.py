"""The questions a decoder answers, and the shapes of the answers."""

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


class Scored(NamedTuple):
    """A tree and its score."""

    heads: HeadsArray
    score: float


def ranked(trees: list[Scored]) -> list[Scored]:
    """Trees by their scores, best first: rounding may have put nearly equal ones out of order."""
    return sorted(trees, key=attrgetter("score"), reverse=True)


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """The distribution over trees in which a tree's probability is exp(score) / Z.

    `arc[h, m]` is the probability that h is the head of m. `higher` holds, for every higher part
    type that was scored, the probability of each part, in the order of the scores. They are at the
    same time the expected counts of the parts, and the gradient of `log_partition`.
    """

    log_partition: float
    entropy: float  # in nats; for users of the library
    arc: NDArray[np.float64]
    higher: Mapping[Part, NDArray[np.float64]]


class Decoder(Protocol):
    """Answers exact questions about the trees over a sentence.

    All trees keep the brackets of the scores. Every method raises `ConstraintError` if no tree has
    a finite score.
    """

    def best(self, scores: Scores) -> Scored:
        """The tree of highest score."""
        ...

    def kbest(self, scores: Scores, k: int) -> list[Scored]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        ...

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities of all parts, log-partition and entropy."""
        ...

    def sample(self, scores: Scores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Independent trees drawn by their probability: an array of `count` rows of heads."""
        ...
