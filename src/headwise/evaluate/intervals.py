"""Confidence intervals of scores."""

from math import nan, sqrt
from statistics import NormalDist

import numpy as np

from headwise.errors import UsageError
from headwise.evaluate.measures import MEASURES
from headwise.evaluate.ratios import Floats, RatioCounts, bootstrap_sums, table_ratios
from headwise.parameters import python_number

Interval = tuple[float, float]
"""The lower and the upper bound."""


def check_confidence(confidence: float) -> None:
    """Raise unless the confidence is between 0 and 1."""
    number = python_number(confidence)
    if type(number) is not float or not 0 < number < 1:
        raise UsageError(f"confidence must be between 0 and 1, not {number!r}")


def percentile_interval(samples: Floats, confidence: float) -> Interval:
    """The interval between two symmetric quantiles of the samples, ignoring NaN."""
    samples = samples[~np.isnan(samples)]
    if not len(samples):
        return nan, nan
    tail = (1 - confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)


def wilson_interval(successes: int, trials: int, confidence: float) -> Interval:
    """Wilson's (1927) interval of a proportion, valid for few trials and near 0 and 1 as well.

    `scipy.stats` has it too, but every `headwise evaluate` would wait for its import.
    """
    if not trials:
        return nan, nan
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, squared = successes / trials, z * z / trials
    centre = (share + squared / 2) / (1 + squared)
    half = z * sqrt(share * (1 - share) / trials + squared / (4 * trials)) / (1 + squared)
    return max(0.0, centre - half), min(1.0, centre + half)


def measure_intervals(
    counts: RatioCounts, *, confidence: float, rounds: int, seed: int
) -> list[Interval]:
    """The intervals, as fractions, of `MEASURES` or of several runs of them side by side.

    Sentences are the independent trials: shares of sentences get Wilson's interval; the others,
    whose words are dependent within a sentence, a percentile bootstrap over sentences.
    """
    check_confidence(confidence)
    samples = table_ratios(bootstrap_sums(counts.table(), rounds, seed))
    tops, bottoms = counts.top.sum(axis=0), counts.bottom.sum(axis=0)
    return [
        wilson_interval(int(tops[i]), int(bottoms[i]), confidence)
        if MEASURES[i % len(MEASURES)].of_sentences
        else percentile_interval(samples[:, i], confidence)
        for i in range(counts.measures)
    ]
