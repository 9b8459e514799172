"""Significance tests of the difference between two systems, all paired and two-sided.

The two resampling tests apply to any ratio of sums over sentences; differences are B minus A.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from headwise.errors import UsageError
from headwise.evaluate.breakdown import number
from headwise.evaluate.intervals import Interval, check_confidence, percentile_interval
from headwise.evaluate.ratios import (
    Floats,
    RatioCounts,
    bootstrap_sums,
    swap_sums,
    table_ratios,
)

EXACT_UP_TO = 1000
"""McNemar's test is exact up to this many words on which only one system is right."""

TIE = 1e-12
"""Differences closer than this are equal up to rounding."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """The result of McNemar's test."""

    only_a: int  # words that only A got right
    only_b: int  # words that only B got right
    statistic: float  # chi-square, one degree of freedom, continuity corrected
    p: float
    exact: bool  # whether p is from the binomial distribution rather than chi-square

    def to_json(self) -> dict[str, object]:
        """The test as JSON data."""
        return asdict(self)


def mcnemar(only_a: int, only_b: int) -> McNemar:
    """McNemar's test: does each system alone get equally many words right?

    Up to `EXACT_UP_TO` discordant words, p is that of the binomial distribution; beyond them,
    that of chi-square with Edwards's continuity correction.
    """
    if only_a < 0 or only_b < 0:
        raise UsageError(f"counts of words cannot be negative: {only_a}, {only_b}")
    from scipy.stats import binomtest, chi2  # they take a second to import

    discordant = only_a + only_b
    if not discordant:
        return McNemar(0, 0, 0.0, 1.0, exact=True)
    gap = max(0, abs(only_a - only_b) - 1)
    statistic = gap * gap / discordant
    exact = discordant <= EXACT_UP_TO
    p = binomtest(only_a, discordant).pvalue if exact else chi2.sf(statistic, 1)
    return McNemar(only_a, only_b, statistic, float(p), exact)


@dataclass(frozen=True, slots=True, eq=False)
class PairedBootstrap:
    """The result of the paired bootstrap: an interval and p for every measure."""

    low: Floats
    high: Floats
    p: Floats


def paired_bootstrap(
    a: RatioCounts, b: RatioCounts, *, rounds: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> PairedBootstrap:
    """Resample sentences with replacement, the same ones for both systems.

    The interval is that of the resampled differences; p is twice (r + 1) / (rounds + 1), where r
    counts the rounds whose difference is zero or has the opposite sign.
    """
    check_pair(a, b)
    check_confidence(confidence)
    sums = bootstrap_sums(np.hstack([a.table(), b.table()]), rounds, seed)
    width = 2 * a.measures
    differences = table_ratios(sums[:, width:]) - table_ratios(sums[:, :width])
    at_most = ~(differences > TIE)
    at_least = ~(differences < -TIE)
    other_side = np.minimum(at_most.sum(axis=0), at_least.sum(axis=0))
    p = np.minimum(1.0, 2 * (other_side + 1) / (rounds + 1))
    ends = [percentile_interval(column, confidence) for column in differences.T]
    low, high = np.array(ends).reshape(-1, 2).T
    return PairedBootstrap(low, high, where_defined(p, a, b))


def randomisation_test(
    a: RatioCounts, b: RatioCounts, *, rounds: int = 10_000, seed: int = 0
) -> Floats:
    """Yeh's (2000) randomisation test, as in Titov & Henderson (2006): p for every measure.

    In each round the two outputs of every sentence are swapped with probability ½; p is
    (r + 1) / (rounds + 1), where r counts the rounds whose absolute difference is at least as large
    as the observed one.
    """
    check_pair(a, b)
    of_a, of_b = a.table(), b.table()
    moved = swap_sums(of_a - of_b, rounds, seed)
    ratios_a = table_ratios(of_a.sum(axis=0) - moved)
    ratios_b = table_ratios(of_b.sum(axis=0) + moved)
    observed = np.abs(b.ratios() - a.ratios())
    as_large = ~(np.abs(ratios_b - ratios_a) < observed - TIE)
    return where_defined((as_large.sum(axis=0) + 1) / (rounds + 1), a, b)


def where_defined(p: Floats, a: RatioCounts, b: RatioCounts) -> Floats:
    """`p`, but NaN for measures that are undefined for one of the systems."""
    return np.where(np.isnan(a.ratios() + b.ratios()), np.nan, p)


def check_pair(a: RatioCounts, b: RatioCounts) -> None:
    """Raise unless the counts are of the same sentences and measures."""
    if a.top.shape != b.top.shape:
        raise UsageError(
            f"{len(a)} sentences with {a.measures} measures cannot be paired with "
            f"{len(b)} sentences with {b.measures}"
        )
    if not len(a):
        raise UsageError("there are no sentences to compare")


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of both systems, and the tests of its difference."""

    measure: str
    a: float
    b: float
    interval: Interval  # of the difference, by the paired bootstrap
    bootstrap_p: float
    randomisation_p: float

    @property
    def difference(self) -> float:
        """B minus A."""
        return self.b - self.a

    def to_json(self) -> dict[str, object]:
        """The difference as JSON data."""
        return {
            "a": number(self.a),
            "b": number(self.b),
            "difference": number(self.difference),
            "interval": [number(end) for end in self.interval],
            "bootstrap_p": number(self.bootstrap_p),
            "randomisation_p": number(self.randomisation_p),
        }


def differences(
    names: Iterable[str],
    a: RatioCounts,
    b: RatioCounts,
    *,
    scale: Floats | float = 100.0,
    confidence: float = 0.95,
    rounds: int = 10_000,
    seed: int = 0,
) -> tuple[Difference, ...]:
    """The differences in all measures, which have these names, with both resampling tests.

    Measures are multiplied by the scale, by default to per cent.
    """
    bootstrap = paired_bootstrap(a, b, rounds=rounds, seed=seed, confidence=confidence)
    randomisation_p = randomisation_test(a, b, rounds=rounds, seed=seed)
    of_a, of_b = scale * a.ratios(), scale * b.ratios()
    ends = scale * bootstrap.low, scale * bootstrap.high
    columns = (column.tolist() for column in (of_a, of_b, *ends, bootstrap.p, randomisation_p))
    return tuple(
        Difference(name, x, y, (low, high), p, q)
        for name, x, y, low, high, p, q in zip(names, *columns, strict=True)
    )
