"""How often keys occur, counted in blocks so that memory is bounded by the distinct ones."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]

MOST_WAITING = 1 << 24
"""The number of distinct keys of blocks that wait before they are merged."""


@dataclass(slots=True)
class KeyCounts:
    """Counts of keys."""

    keys: list[Keys] = field(default_factory=list)
    counts: list[Keys] = field(default_factory=list)
    waiting: int = 0

    def add(self, keys: Keys) -> None:
        """Count the keys of a block."""
        distinct, counts = np.unique(keys, return_counts=True)
        self.keys.append(distinct)
        self.counts.append(counts)
        self.waiting += len(distinct)
        if self.waiting > MOST_WAITING:
            self.merge()

    def merge(self) -> None:
        """Make one block of all."""
        keys, counts = summed(np.concatenate(self.keys), np.concatenate(self.counts))
        self.keys, self.counts, self.waiting = [keys], [counts], 0

    def total(self) -> tuple[Keys, Keys]:
        """The distinct keys in order, and how often each occurred."""
        if not self.keys:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        self.merge()
        return self.keys[0], self.counts[0]


def summed(keys: Keys, counts: Keys) -> tuple[Keys, Keys]:
    """The distinct keys in order, and the sums of their counts."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    return ordered[first], np.add.reduceat(counts[order], first) if len(first) else counts[:0]
