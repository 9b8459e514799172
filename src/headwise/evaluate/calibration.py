"""Calibration: do answers given a probability of 80 % turn out right 80 % of the time?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise.errors import UsageError
from headwise.parameters import whole_number

BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of similar probability: number, mean probability, and share of correct ones."""

    count: int
    probability: float
    right: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The reliability curve, from the least to the most probable answers.

    error: the expected calibration error (Naeini et al. 2015), from 0 to 1: the difference between
        probability and accuracy, averaged over all answers.
    """

    curve: tuple[ReliabilityBin, ...]  # without empty bins
    error: float

    def to_json(self) -> dict[str, object]:
        """The curve as JSON data: a count, a probability and a share of correct answers per bin."""
        curve = [[one.count, round(one.probability, 4), round(one.right, 4)] for one in self.curve]
        return {"error": round(self.error, 4), "curve": curve}


def calibration(probabilities: ArrayLike, right: ArrayLike, bins: int = BINS) -> Calibration:
    """The calibration of the probabilities of answers, given which of them are correct.

    Answers are sorted into bins of equal width: with ten, from 0 to 0.1, and so on.
    """
    chances = np.asarray(probabilities, np.float64)
    truth: NDArray[np.float64] = np.asarray(right, np.bool_).astype(np.float64)
    if chances.ndim != 1 or chances.shape != truth.shape:
        raise UsageError(
            f"probabilities of shape {chances.shape} for answers of shape {truth.shape}"
        )
    if not ((chances >= 0) & (chances <= 1)).all():
        raise UsageError("probabilities must be from 0 to 1")
    bins = whole_number("bins", bins)
    bin_of = np.minimum((chances * bins).astype(np.int64), bins - 1)
    counts = np.bincount(bin_of, minlength=bins)
    likely = np.bincount(bin_of, chances, bins)
    hits = np.bincount(bin_of, truth, bins)
    curve = tuple(
        ReliabilityBin(int(counts[b]), float(likely[b] / counts[b]), float(hits[b] / counts[b]))
        for b in np.flatnonzero(counts).tolist()
    )
    total = max(len(chances), 1)
    return Calibration(curve, float(np.abs(likely - hits).sum()) / total)
