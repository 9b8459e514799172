"""Measures as ratios of sums over sentences, and resampling of sentences.

Every score of Headwise is such a ratio (a micro-average): UAS is correct heads over words, F1 is
twice the shared over gold plus predicted. Intervals and tests are therefore written once.
All sums are of integers below 2⁵³, exact in floating point in any order: results do not depend
on machine or threads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.evaluate.words import Ints
from headwise.parameters import whole_number

Floats = npt.NDArray[np.float64]

BLOCK_ENTRIES = 1 << 21
"""Number of (round, sentence) pairs held in memory at once: some 50 MB."""

MAX_ROUNDS = 1_000_000
"""Their sums are held in memory, half a kilobyte for each round."""


@dataclass(frozen=True, slots=True, eq=False)
class RatioCounts:
    """What each sentence (row) adds to numerator and denominator of each measure (column)."""

    top: Ints
    bottom: Ints

    def __len__(self) -> int:
        return len(self.top)

    @property
    def measures(self) -> int:
        """The number of measures."""
        return int(self.top.shape[1])

    def ratios(self) -> Floats:
        """The measures over all sentences; NaN where nothing was counted."""
        return ratio(self.top.sum(axis=0), self.bottom.sum(axis=0))

    def table(self) -> Floats:
        """Numerators and denominators side by side."""
        return np.hstack([self.top, self.bottom]).astype(np.float64)


def stacked(parts: Sequence[RatioCounts]) -> RatioCounts:
    """Counts of the same measures for more sentences."""
    return RatioCounts(
        np.concatenate([part.top for part in parts]),
        np.concatenate([part.bottom for part in parts]),
    )


def side_by_side(parts: Sequence[RatioCounts]) -> RatioCounts:
    """Counts of more measures for the same sentences."""
    return RatioCounts(
        np.hstack([part.top for part in parts]), np.hstack([part.bottom for part in parts])
    )


def ratio(top: npt.NDArray[np.generic], bottom: npt.NDArray[np.generic]) -> Floats:
    """Divide; 0 / 0 is NaN."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.true_divide(top, bottom), dtype=np.float64)


def table_ratios(table: Floats) -> Floats:
    """The ratios of rows with numerators and denominators side by side."""
    measures = table.shape[-1] // 2
    return ratio(table[..., :measures], table[..., measures:])


def check_resampling(rounds: int, seed: int) -> None:
    """Raise unless there is at least one round and the seed is not negative."""
    whole_number("rounds", rounds, 1, MAX_ROUNDS)
    whole_number("seed", seed, 0)


def blocks(rounds: int, sentences: int) -> Iterator[slice]:
    """Split the rounds into blocks that fit into memory."""
    size = max(1, BLOCK_ENTRIES // max(1, sentences))
    for start in range(0, rounds, size):
        yield slice(start, min(start + size, rounds))


def bootstrap_sums(values: Floats, rounds: int, seed: int) -> Floats:
    """Column sums of `values` over sentences drawn with replacement, one row per round."""
    check_resampling(rounds, seed)
    sentences = len(values)
    random = np.random.default_rng([seed, 0])
    sums = np.empty((rounds, values.shape[1]))
    for block in blocks(rounds, sentences):
        size = block.stop - block.start
        drawn = random.integers(0, sentences, size=(size, sentences))
        drawn += np.arange(size)[:, None] * sentences
        times = np.bincount(drawn.ravel(), minlength=size * sentences)
        sums[block] = times.reshape(size, sentences).astype(np.float64) @ values
    return sums


def swap_sums(values: Floats, rounds: int, seed: int) -> Floats:
    """Column sums of `values` over sentences included with probability ½, one row per round."""
    check_resampling(rounds, seed)
    # Sentences that add nothing need no random bit.
    values = values[values.any(axis=1)]
    sentences = len(values)
    random = np.random.default_rng([seed, 1])
    sums = np.empty((rounds, values.shape[1]))
    for block in blocks(rounds, sentences):
        size = block.stop - block.start
        packed = random.integers(0, 256, size=(size, -(-sentences // 8)), dtype=np.uint8)
        taken = np.unpackbits(packed, axis=1, count=sentences)
        sums[block] = taken.astype(np.float64) @ values
    return sums
