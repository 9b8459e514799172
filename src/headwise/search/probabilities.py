"""Probabilities of candidate trees, for trees of any kind (Titov & Henderson 2006, § 5).

A probability model has one method, `probabilities`: scores as they are (`ScaledScores`), the votes
of a voted perceptron, a log-linear reranker. Decoders work with any of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from headwise.errors import FormatError, SourceLocation, UsageError

Floats = npt.NDArray[np.float64]

SCALES = tuple(2.0**exponent for exponent in np.arange(-6.0, 4.0, 0.5))
"""The scales to try: from 1/64 (nearly uniform) to 11 (nearly one candidate)."""


DIGITS = 9
"""Decimals of score differences."""

LARGEST_SCORE = 1e12
"""The largest score in size; differences of much larger ones would be infinite when rounded."""


class HasScores(Protocol):
    """A candidate list with scores."""

    @property
    def scores(self) -> Floats:
        """A score for each candidate."""
        ...


def check_score(score: float, location: SourceLocation) -> None:
    """Raise unless a score is the logarithm of a positive probability."""
    if score == -np.inf:
        raise FormatError("the score is -inf: the probability of this tree is zero", location)
    if not abs(score) <= LARGEST_SCORE:
        raise FormatError(f"the score is {score}, not the logarithm of a probability", location)


Candidates_contra = TypeVar("Candidates_contra", contravariant=True)


class ProbabilityModel(Protocol[Candidates_contra]):
    """Gives the probabilities of the candidates of a list."""

    def probabilities(self, candidates: Candidates_contra) -> Floats:
        """A probability for each candidate; they sum to 1."""
        ...


@dataclass(frozen=True, slots=True)
class ScaledScores:
    """The probabilities of the candidates' own scores: exp(scale · score), normalised."""

    scale: float = 1.0

    def probabilities(self, candidates: HasScores) -> Floats:
        """A probability for each candidate; they sum to 1."""
        return candidate_probabilities(candidates.scores, self.scale)


def candidate_probabilities(scores: npt.ArrayLike, scale: float = 1.0) -> Floats:
    """The softmax of scale · score over the candidates.

    Differences are rounded, so that rounding errors of a constant in all scores do not break ties.
    """
    values = np.asarray(scores, np.float64)
    if values.ndim != 1 or not len(values):
        raise UsageError("scores must be a non-empty one-dimensional array")
    if not np.isfinite(values).all() or not np.isfinite(scale) or scale < 0:
        raise UsageError("scores must be finite, and the scale finite and not negative")
    powers = np.exp(scale * np.round(values - values.max(), DIGITS))
    return np.asarray(powers / powers.sum())


def checked_probabilities(probabilities: npt.ArrayLike, count: int) -> Floats:
    """Probabilities of `count` candidates, normalised to sum to 1."""
    values = np.asarray(probabilities, np.float64)
    if values.shape != (count,):
        raise UsageError(f"{values.size} probabilities for {count} candidates")
    total = float(values.sum())
    if not (values >= 0).all() or not 0 < total < np.inf:
        raise UsageError("probabilities must not be negative or NaN, and not all zero")
    return np.asarray(values / total)


@dataclass(frozen=True, slots=True)
class TunedScale:
    """The best scale, and its gain."""

    scale: float
    gain: float


def tune_scale(gain: Callable[[float], float], scales: Sequence[float] = SCALES) -> TunedScale:
    """The scale of the largest gain, such as the F1 on development data; the smallest of equals."""
    if not scales:
        raise UsageError("there are no scales to try")
    tried = (TunedScale(float(scale), float(gain(scale))) for scale in sorted(scales))
    return max(tried, key=lambda one: one.gain)
