"""Texts that were met, and what was worked out of each; columns of texts, or of hashes of them.

Sentences that were read have texts. Those that were only scanned (`corpus/scanned.py`) have hashes,
and are asked for the text of those alone that were never met.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.scanned import SCANNED, ScannedRows, ScannedSentence, joined
from headwise.corpus.sentence import MISSING, Sentence
from headwise.kernels.primitives.hashmap import ABSENT, add_all, look_up_all
from headwise.scoring.linear.texthash import Hash

MOST_KEPT = 1 << 17
"""Hashes of how many different texts are kept: a stream of text must not fill the memory."""

ROOT = "\0"
"""What stands for the root in every column: no word, and too short to back off."""


class TextTable(dict[str, int]):
    """Texts that were met, and what was worked out of each: `table[text]` is its row.

    One look at a text finds its row, and arrays of rows find everything else.
    """

    def __init__(self, *made: Hash) -> None:
        """Remember what to work out of texts: numbers from 0 to 2^64 - 1."""
        super().__init__()
        self.made = made
        self.forget()

    def __missing__(self, text: str) -> int:
        """Add a text that was not met before."""
        for column, value in zip(self.columns, [make(text) for make in self.made], strict=True):
            column.append(value)
        row = self[text] = len(self)
        return row

    def forget(self) -> None:
        """Forget all texts."""
        self.clear()
        self.columns = [array("Q") for _ in self.made]
        self.scanned = RowsByHash()

    def look_up(self, column: "TextColumn", count: int) -> list[NDArray[np.uint64]]:
        """What was worked out of the entries of a column; elsewhere stands what the root has."""
        if len(self) > MOST_KEPT:
            self.forget()
        rows = np.full(count, self[ROOT])
        entries = map(self.__getitem__, chain.from_iterable(column.texts))
        rows[column.places] = np.fromiter(entries, np.int64, len(column.places))
        if len(column.scanned_places):
            rows[column.scanned_places] = self.scanned.look_up(column, self)
        return [np.frombuffer(column, np.uint64)[rows] for column in self.columns]


class RowsByHash:
    """Rows of a table of texts by the hashes of texts, for those that were scanned."""

    def __init__(self) -> None:
        """Know none."""
        self.known: dict[int, int] = {}
        self.keys, self.values = np.zeros(1 << 10, np.uint64), np.full(1 << 10, ABSENT, np.int32)

    def look_up(self, column: "TextColumn", table: TextTable) -> NDArray[np.int32]:
        """The rows of the scanned entries of a column."""
        hashes = column.hashes()
        found: NDArray[np.int32] = look_up_all(self.keys, self.values, hashes)
        missing = np.flatnonzero(found == ABSENT)
        if not len(missing):
            return found
        new = {}
        for entry, key in zip(missing.tolist(), hashes[missing].tolist(), strict=True):
            if key not in new:
                new[key] = table[column.text(entry)]
        self.add(new)
        found[missing] = look_up_all(self.keys, self.values, hashes[missing])
        return found

    def add(self, new: dict[int, int]) -> None:
        """Know more of them; a map is at most half full."""
        self.known |= new
        if 2 * len(self.known) > len(self.keys):
            new = self.known
            size = 4 << len(new).bit_length()
            self.keys, self.values = np.zeros(size, np.uint64), np.full(size, ABSENT, np.int32)
        keys = np.fromiter(new, np.uint64, len(new))
        add_all(self.keys, self.values, keys, np.fromiter(new.values(), np.int32, len(new)))


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """A column of some sentences: of some the texts, of those that were scanned the hashes."""

    number: int  # among those of a scan
    texts: Sequence[Sequence[str]]
    places: NDArray[np.int64]  # where the texts stand among all tokens
    scanned: Sequence[ScannedRows]
    scanned_places: NDArray[np.int64]

    def hashes(self) -> NDArray[np.uint64]:
        """The hashes of all entries that were scanned."""
        return np.concatenate([rows.hashes(self.number) for rows in self.scanned])

    def text(self, entry: int) -> str:
        """One of these entries."""
        for rows in self.scanned:
            if entry < rows.count:
                break
            entry -= rows.count
        return rows.text(self.number, entry)


class Columns:
    """The columns of some sentences."""

    def __init__(self, sentences: Sequence[Sentence], starts: NDArray[np.int64]) -> None:
        """Tell apart those that were only scanned."""
        rows = [one.rows if isinstance(one, ScannedSentence) else None for one in sentences]
        self.open = [one for one, own in zip(sentences, rows, strict=True) if own is None]
        self.scanned = joined(own for own in rows if own is not None)
        is_word = np.ones(starts[-1], np.bool_)
        is_word[starts[:-1]] = False
        self.words = np.flatnonzero(is_word)
        was_read = np.array([own is None for own in rows], np.bool_)
        is_open = np.repeat(was_read, np.diff(starts) - 1)
        self.places, self.scanned_places = self.words[is_open], self.words[~is_open]

    def __getitem__(self, name: str) -> TextColumn:
        """A column by its name."""
        texts = [getattr(one, name) for one in self.open]
        number = SCANNED.index(name)
        return TextColumn(number, texts, self.places, self.scanned, self.scanned_places)

    def empty(self) -> TextColumn:
        """A column where nothing is given."""
        texts = [(MISSING,) * len(self.words)]
        return TextColumn(0, texts, self.words, (), self.words[:0])
