"""What the model counts in a treebank: links and ends of modifiers (section 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.text.lexical_chances import LinkTable
from headwise.kernels.text.lexical_counts import count_stops, link_events
from headwise.parsers.lexical.lexicon import UNKNOWN
from headwise.text.similarity.contexts import KeyCounts, Keys

SENTENCES_AT_A_TIME = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """All counts of a treebank.

    links: C(u, v, c, d) and K(u, v, c, d), by head, side and modifier.
    asked, ended: [word, side, c] how often a head with c modifiers on a side might have taken one
        more, and how often it did not: C(w, c, d) and its sum over all c' ≥ c.
    """

    links: LinkTable
    asked: NDArray[np.int32]
    ended: NDArray[np.int32]

    @property
    def stop_rate(self) -> NDArray[np.float64]:
        """The share of ends among all words: [side, c]."""
        real = np.arange(len(self.asked)) != UNKNOWN
        return shares(self.ended[real].sum(axis=0), self.asked[real].sum(axis=0))


def count_treebank(
    symbols: Sequence[NDArray[np.int32]],
    heads: Sequence[NDArray[np.int64]],
    size: int,
    counts: int,
) -> Counts:
    """The counts of sentences, given as numbers of words with the root first, and their heads.

    Words that occur once are counted a second time as unknown ones.
    """
    events = KeyCounts()
    asked = np.zeros((size, 2, counts), np.int32)
    ended = np.zeros((size, 2, counts), np.int32)
    once = np.bincount(np.concatenate(symbols), minlength=size) == 1
    rare_asked, rare_ended = np.zeros_like(asked), np.zeros_like(ended)
    for first in range(0, len(symbols), SENTENCES_AT_A_TIME):
        last = first + SENTENCES_AT_A_TIME
        words = np.concatenate(symbols[first:last])
        rare = np.where(once[words], np.int32(UNKNOWN), words).astype(np.int32)
        tree = np.concatenate(heads[first:last])
        starts = np.cumsum([0, *(len(one) for one in symbols[first:last])])
        events.add(link_events(words, tree, starts, counts, size))
        events.add(with_unknown(link_events(rare, tree, starts, counts, size), size, counts))
        count_stops(words, tree, starts, counts, ended, asked)
        count_stops(rare, tree, starts, counts, rare_ended, rare_asked)
    asked[UNKNOWN], ended[UNKNOWN] = rare_asked[UNKNOWN], rare_ended[UNKNOWN]
    return Counts(link_table(*events.total(), size, counts), asked, ended)


def with_unknown(events: Keys, size: int, counts: int) -> Keys:
    """The events of which unknown words are a part."""
    pair = events // (2 * counts)
    found: Keys = events[(pair // size // 2 == UNKNOWN) | (pair % size == UNKNOWN)]
    return found


def link_table(keys: Keys, times: Keys, size: int, counts: int) -> LinkTable:
    """Events that were counted, as a table: those with and without a link come together."""
    contexts, first = np.unique(keys // 2, return_index=True)
    seen = np.add.reduceat(times, first) if len(first) else times
    linked = np.add.reduceat(times * (keys % 2), first) if len(first) else times
    pair, before = contexts // counts, contexts % counts
    row, modifier = pair // size, pair % size
    return table_of(
        np.searchsorted(row, np.arange(2 * size + 1)),
        modifier.astype(np.int32),
        before.astype(np.int8),
        seen.astype(np.int32),
        linked.astype(np.int32),
        counts,
    )


def table_of(
    start: NDArray[np.int64],
    modifier: NDArray[np.int32],
    before: NDArray[np.int8],
    seen: NDArray[np.int32],
    linked: NDArray[np.int32],
    counts: int,
) -> LinkTable:
    """A table with all that follows from its counts."""
    rows = len(start) - 1
    row = np.repeat(np.arange(rows), np.diff(start))
    real = modifier != UNKNOWN
    totals = np.bincount((row * counts + before)[real], linked[real], rows * counts)
    real &= row // 2 != UNKNOWN
    place = ((row % 2) * counts + before)[real]
    every = np.bincount(place, seen[real], 2 * counts)
    rate = shares(np.bincount(place, linked[real], 2 * counts), every).reshape(2, counts)
    total = totals.astype(np.int64).reshape(rows, counts)
    return LinkTable(start.astype(np.int64), modifier, before, seen, linked, rate, total)


def shares(parts: NDArray[np.generic], wholes: NDArray[np.generic]) -> NDArray[np.float64]:
    """Shares; 0 of nothing."""
    whole = wholes.astype(np.float64)
    found: NDArray[np.float64] = parts.astype(np.float64) / np.where(whole > 0, whole, 1.0)
    return found
