"""The protocol of decoders, and the types of their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.errors import LimitError, UsageError
from headwise.parameters import whole_number
from headwise.search.constraints import Constraints
from headwise.search.parts import Part
from headwise.search.scores import Scores

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


class Decoder(Protocol):
    """Answers questions about the trees over a sentence.

    All trees respect the brackets of the scores. Every method raises `ConstraintError` if no tree
    has a finite score.
    """

    def constrain(self, scores: Scores, constraints: Constraints) -> Scores:
        """Scores under which every tree satisfies the constraints (`constraints.constrain`)."""
        ...

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
