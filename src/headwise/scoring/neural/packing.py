"""Sentences packed into rows of a few lengths, so that accelerators compile few shapes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LENGTHS = (128, 512, 2048)
"""Tokens of a row: the shortest that holds the sentence is taken."""

MAX_TOKENS = 65_536
"""Of the rows that are computed together."""

MAX_ARCS = 2**24
"""Of the rows that are computed together: long ones are few."""


class Rows(NamedTuple):
    """Where sentences are in rows that are computed together.

    sentences: their numbers; `rows` and `offsets` say where each starts.
    tokens: the numbers of all their tokens; `places` says where each is, counting row by row
        within the first position, then within the second, and so on.
    """

    shape: tuple[int, int]
    sentences: NDArray[np.int64]
    rows: NDArray[np.int64]
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int64]
    places: NDArray[np.int64]

    def filled(self, values: NDArray[Any], empty: int = 0) -> NDArray[Any]:
        """Values of tokens in their places."""
        found = np.full((self.shape[0] * self.shape[1], *values.shape[1:]), empty, values.dtype)
        found[self.places] = values[self.tokens]
        return found.reshape(*self.shape, *values.shape[1:])


def packed(starts: NDArray[np.int64], most_tokens: int = MAX_TOKENS) -> Iterator[Rows]:
    """Sentences in rows: the next one begins a row if it is too long for the last."""
    sizes = np.diff(starts)
    previous = 0
    for length in LENGTHS:
        own = np.flatnonzero((sizes > previous) & (sizes <= length))
        previous = length
        numbers, offsets = next_fit(sizes[own].tolist(), length)
        count = max(1, min(most_tokens // length, MAX_ARCS // length**2))
        bounds = np.searchsorted(numbers, np.arange(0, numbers.max(initial=-1) + 1 + count, count))
        for first, last in zip(bounds.tolist(), bounds[1:].tolist(), strict=False):
            sentences, rows, begins = own[first:last], numbers[first:last], offsets[first:last]
            rows = rows % count
            lengths = sizes[sentences]
            within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            tokens = np.repeat(starts[sentences], lengths) + within
            places = (np.repeat(begins, lengths) + within) * count + np.repeat(rows, lengths)
            yield Rows((length, count), sentences, rows, begins, tokens, places)


def next_fit(sizes: list[int], length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of each sentence, and where it starts there."""
    row = place = 0
    rows, offsets = [], []
    for size in sizes:
        if place + size > length:
            row, place = row + 1, 0
        rows.append(row)
        offsets.append(place)
        place += size
    return np.array(rows, np.int64), np.array(offsets, np.int64)
