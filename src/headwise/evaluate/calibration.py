"""Whether probabilities can be trusted: of what was said to be 80 % sure, 80 % must be right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise.errors import UsageError

BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of about the same probability: how many, how likely on average, how often right."""

    count: int
    probability: float
    right: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The reliability curve of some answers, from the least to the most likely ones.

    error: the expected calibration error, from 0 to 1: how far apart probability and truth are,
        averaged over all answers (Naeini et al. 2015).
    """

    curve: tuple[ReliabilityBin, ...]  # without bins that have no answers
    error: float

    def to_json(self) -> dict[str, object]:
        """As plain data: each point of the curve is a count, a probability and a share right."""
        curve = [[one.count, round(one.probability, 4), round(one.right, 4)] for one in self.curve]
        return {"error": round(self.error, 4), "curve": curve}


def calibration(probabilities: ArrayLike, right: ArrayLike, bins: int = BINS) -> Calibration:
    """How well the probabilities of answers agree with which of them are right.

    Answers fall into bins of equal width: with ten, those from 0 to 0.1, and so on.
    """
    chances = np.asarray(probabilities, np.float64)
    truth: NDArray[np.float64] = np.asarray(right, np.bool_).astype(np.float64)
    if chances.ndim != 1 or chances.shape != truth.shape:
        raise UsageError(f"{chances.shape} probabilities for {truth.shape} answers")
    if not ((chances >= 0) & (chances <= 1)).all():
        raise UsageError("probabilities are from 0 to 1")
    if bins < 1:
        raise UsageError(f"there must be 1 bin or more, not {bins}")
    place = np.minimum((chances * bins).astype(np.int64), bins - 1)
    counts = np.bincount(place, minlength=bins)
    likely = np.bincount(place, chances, bins)
    hits = np.bincount(place, truth, bins)
    curve = tuple(
        ReliabilityBin(int(counts[b]), float(likely[b] / counts[b]), float(hits[b] / counts[b]))
        for b in np.flatnonzero(counts).tolist()
    )
    total = max(len(chances), 1)
    return Calibration(curve, float(np.abs(likely - hits).sum()) / total)
