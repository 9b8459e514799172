"""Caches of values computed from strings, for columns of strings or of their hashes.

Sentences that were parsed have strings. Those that were only scanned (`corpus/scanned.py`) have
hashes, and decode only strings that are not in the cache. Hashes of strings are the same on every
machine.
"""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.scanned import SCANNED, ScannedRows, ScannedSentence, joined
from headwise.corpus.sentence import MISSING, Sentence
from headwise.kernels.primitives.hashmap import ABSENT, add_all, look_up_all


def hash_text(text: str) -> int:
    """A 64-bit hash of a string."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


Hash = Callable[[str], int]


def hash_of(name: str, value: Callable[[str], str] = str) -> Hash:
    """A hash function of values of strings, distinct for each column name."""
    return lambda text: hash_text(f"{name}\0{value(text)}")


MOST_KEPT = 1 << 15
"""Largest number of strings in the cache, so that a stream of text cannot fill the memory."""

ROOT = "\0"
"""The root's entry in every column: not a word, and too short to back off."""


class TextTable(dict[str, int]):
    """Strings and the values computed from each: `table[text]` is its row.

    One lookup of a string finds its row, and rows index the arrays of values.
    """

    def __init__(self, *made: Hash) -> None:
        """Set the functions to compute: integers from 0 to 2^64 - 1."""
        super().__init__()
        self.made = made
        self.forget()

    def __missing__(self, text: str) -> int:
        """Add a new string."""
        for column, value in zip(self.columns, [make(text) for make in self.made], strict=True):
            column.append(value)
        row = self[text] = len(self)
        return row

    def forget(self) -> None:
        """Clear the cache."""
        self.clear()
        self.columns = [array("Q") for _ in self.made]
        self.scanned = RowsByHash()

    def look_up(self, column: "TextColumn", count: int) -> list[NDArray[np.uint64]]:
        """The values of the entries of a column; other tokens have the root's."""
        if len(self) > MOST_KEPT:
            self.forget()
        rows = np.full(count, self[ROOT])
        entries = map(self.__getitem__, chain.from_iterable(column.texts))
        rows[column.tokens] = np.fromiter(entries, np.int64, len(column.tokens))
        if len(column.scanned_tokens):
            rows[column.scanned_tokens] = self.scanned.look_up(column, self)
        return [np.frombuffer(column, np.uint64)[rows] for column in self.columns]


class RowsByHash:
    """Rows of a table of strings by their hashes, for scanned sentences."""

    def __init__(self) -> None:
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
        """Add entries; the hash map is at most half full."""
        self.known |= new
        if 2 * len(self.known) > len(self.keys):
            new = self.known
            size = 4 << len(new).bit_length()
            self.keys, self.values = np.zeros(size, np.uint64), np.full(size, ABSENT, np.int32)
        keys = np.fromiter(new, np.uint64, len(new))
        add_all(self.keys, self.values, keys, np.fromiter(new.values(), np.int32, len(new)))


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """A column of some sentences: strings of parsed ones, hashes of scanned ones."""

    number: int  # index among the columns of a scan
    texts: Sequence[Sequence[str]]
    tokens: NDArray[np.int64]  # the indices of the strings among all tokens
    scanned: Sequence[ScannedRows]
    scanned_tokens: NDArray[np.int64]

    def hashes(self) -> NDArray[np.uint64]:
        """The hashes of all scanned entries."""
        return np.concatenate([rows.hashes(self.number) for rows in self.scanned])

    def text(self, entry: int) -> str:
        """The string of a scanned entry."""
        for rows in self.scanned:
            if entry < rows.count:
                break
            entry -= rows.count
        return rows.text(self.number, entry)


class Columns:
    """The columns of some sentences."""

    def __init__(self, sentences: Sequence[Sentence], starts: NDArray[np.int64]) -> None:
        """Separate parsed from scanned sentences."""
        rows = [one.rows if isinstance(one, ScannedSentence) else None for one in sentences]
        self.open = [one for one, own in zip(sentences, rows, strict=True) if own is None]
        self.scanned = joined(own for own in rows if own is not None)
        is_word = np.ones(starts[-1], np.bool_)
        is_word[starts[:-1]] = False
        self.words = np.flatnonzero(is_word)
        was_read = np.array([own is None for own in rows], np.bool_)
        is_open = np.repeat(was_read, np.diff(starts) - 1)
        self.tokens, self.scanned_tokens = self.words[is_open], self.words[~is_open]

    def __getitem__(self, name: str) -> TextColumn:
        """A column by its name."""
        texts = [getattr(one, name) for one in self.open]
        number = SCANNED.index(name)
        return TextColumn(number, texts, self.tokens, self.scanned, self.scanned_tokens)

    def empty(self) -> TextColumn:
        """A column with all values missing."""
        texts = [(MISSING,) * len(self.words)]
        return TextColumn(0, texts, self.words, (), self.words[:0])
