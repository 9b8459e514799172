"""Candidates and their probabilities (paper 004, section 5), for trees of any kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.errors import UsageError

Floats = npt.NDArray[np.float64]

SCALES = tuple(2.0**exponent for exponent in np.arange(-6.0, 4.0, 0.5))
"""The scales that are tried: from 1/64, nearly even probabilities, to 11, nearly one candidate."""


def candidate_probabilities(scores: npt.ArrayLike, scale: float = 1.0) -> Floats:
    """exp(scale · score), normalised over the candidates; no constant in all scores matters."""
    values = np.asarray(scores, np.float64)
    if values.ndim != 1 or not len(values):
        raise UsageError("probabilities are of one row of scores, and not of none")
    if not np.isfinite(values).all() or not np.isfinite(scale) or scale < 0:
        raise UsageError("scores must be finite numbers, and the scale finite and not negative")
    powers = np.exp(scale * (values - values.max()))
    return np.asarray(powers / powers.sum())


@dataclass(frozen=True, slots=True)
class TunedScale:
    """The best scale, what it gains, and all that was tried."""

    scale: float
    gain: float
    tried: tuple[tuple[float, float], ...]  # scale and gain


def tune_scale(gain: Callable[[float], float], scales: Sequence[float] = SCALES) -> TunedScale:
    """The scale of the largest gain, such as the F1 on development data; of equals the smallest."""
    if not scales:
        raise UsageError("there is no scale to try")
    tried = tuple((float(scale), float(gain(scale))) for scale in sorted(scales))
    best = max(tried, key=lambda pair: pair[1])
    return TunedScale(*best, tried)
