"""CoNLL-U at the speed of compiled code: sentences are parsed as the bytes of their file.

A plain sentence (words and multiword tokens in order, nothing unusual) is only scanned. Words and
tags are known by their hashes, and trees are written straight into its bytes. Its columns are
decoded when one of them is asked for, which need not happen.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.conllu import parse_again, read_conllu
from headwise.corpus.relations import Relations
from headwise.corpus.rows import Block, Stretch
from headwise.corpus.sentence import COLUMNS, CONTENT, MISSING, STANDARD_LAYOUT, Sentence
from headwise.kernels.text.treebank_rows import Scan, scan_rows, splice_trees

SCANNED = COLUMNS[:5]
"""Columns that the scan of a file finds and hashes, in its order."""

SHORTEST_ROW = 20
"""The bytes of a row of ten columns and its line end, at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some bytes of a file, and what the scan found in them."""

    data: NDArray[np.uint8]
    scan: Scan

    def sentence(self, number: int) -> str:
        """The text of one of the sentences."""
        return self.data[self.scan.starts[number] : self.scan.ends[number]].tobytes().decode()


@dataclass(slots=True, eq=False)
class ScannedRows:
    """The rows of a plain sentence within a piece: its number there, and its words."""

    piece: Piece
    number: int
    first: int
    count: int

    def hashes(self, column: int) -> NDArray[np.uint64]:
        """The hashes of a column."""
        return self.piece.scan.hashes[column, self.first : self.first + self.count]

    def count_missing(self, column: int) -> int:
        """The number of words that have `_` in a column, which is counted from 0."""
        fields = self.piece.scan.fields[self.first : self.first + self.count]
        starts = fields[:, column]
        is_short = fields[:, column + 1] - starts == len("_\t")
        return int(np.count_nonzero(is_short & (self.piece.data[starts] == ord(MISSING))))

    def source(self) -> str:
        """The text of the sentence."""
        return self.piece.sentence(self.number)

    def text(self, column: int, word: int) -> str:
        """What a word has in a column, both counted from 0."""
        fields = self.piece.scan.fields[self.first + word]
        return self.piece.data[fields[column] : fields[column + 1] - 1].tobytes().decode()


class ScannedSentence(Sentence):
    """A sentence that is known by its CoNLL-U text: its columns are decoded when asked for.

    A changed copy of it is an ordinary sentence, and so is what a pickle of it holds.
    """

    __slots__ = ("_count", "_decoded", "_text", "rows")
    _count: int
    _decoded: Sentence | None
    _text: str | None  # None if it is still in the piece only
    rows: ScannedRows | None  # None if it was given a tree, which the piece does not hold

    def __new__(cls, *columns: Any, **named: Any) -> Any:
        """Columns, as `dataclasses.replace` gives them, make an ordinary sentence."""
        return Sentence(*columns, **named)

    @classmethod
    def of_rows(cls, rows: ScannedRows, path: str | None, line: int) -> "ScannedSentence":
        """A sentence of a file that was scanned."""
        return cls._of(rows, None, rows.count, path, line)

    @classmethod
    def _of(
        cls, rows: ScannedRows | None, text: str | None, count: int, path: str | None, line: int
    ) -> "ScannedSentence":
        sentence: ScannedSentence = object.__new__(cls)
        fill = object.__setattr__  # sentences are read-only
        fill(sentence, "rows", rows)
        fill(sentence, "_text", text)
        fill(sentence, "_count", count)
        fill(sentence, "_decoded", None)
        fill(sentence, "path", path)
        fill(sentence, "line", line)
        fill(sentence, "layout", STANDARD_LAYOUT)
        fill(sentence, "start", 0)
        fill(sentence, "checked", True)
        return sentence

    def with_text(self, text: str) -> "ScannedSentence":
        """The same sentence under another tree, which is already in its text."""
        return self._of(None, text, self._count, self.path, self.line or 1)

    @property
    def source(self) -> str:
        """Its CoNLL-U text."""
        if self._text is None:
            assert self.rows is not None
            object.__setattr__(self, "_text", self.rows.source())
        return cast(str, self._text)

    @property
    def extent(self) -> int:
        """The number of bytes of its CoNLL-U text."""
        if self.rows is None:
            return len(self.source)
        scan, number = self.rows.piece.scan, self.rows.number
        return int(scan.ends[number] - scan.starts[number])

    @property
    def decoded(self) -> Sentence:
        """The same sentence with its columns, which are decoded once."""
        if self._decoded is None:
            decoded = parse_again(self.source, self.path, self.line or 1)
            object.__setattr__(self, "_decoded", decoded)
        return cast(Sentence, self._decoded)

    def __len__(self) -> int:
        return self._count

    def count_missing(self, column: str) -> int:
        """The number of words that have nothing in a text column, without decoding it."""
        if self.rows is None or column not in SCANNED:
            return super().count_missing(column)
        return self.rows.count_missing(SCANNED.index(column))

    def lacks(self, column: str) -> bool:
        """Whether no word has anything in a text column; a look at the first is mostly enough."""
        if self.rows is None or column not in SCANNED or not len(self):
            return super().lacks(column)
        first = self.rows.text(SCANNED.index(column), 0)
        return first == MISSING and super().lacks(column)

    def __reduce__(self) -> tuple[Any, ...]:
        """The text is pickled, and not the piece of a file that it is in."""
        return parse_again, (self.source, self.path, self.line)


for _name in CONTENT:  # a column is decoded, with all others, when it is asked for
    setattr(ScannedSentence, _name, property(attrgetter(f"decoded.{_name}")))


def joined(sentences: Iterable[ScannedRows]) -> list[ScannedRows]:
    """The rows of sentences, those that follow each other in a piece as if they were of one."""
    found: list[ScannedRows] = []
    for one in sentences:
        last = found[-1] if found else None
        if last is not None and last.piece is one.piece and last.first + last.count == one.first:
            last.count += one.count
        else:
            found.append(ScannedRows(one.piece, one.number, one.first, one.count))
    return found


def read_scanned(path: str | Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file; plain ones are only scanned."""
    return read_conllu(path, scan=scan_stretch)


def scan_stretch(stretch: Stretch, name: str) -> list[Sentence | Block] | None:
    """The sentences of a stretch of a file of this name; None if anything is unusual about it."""
    if not stretch.is_regular or not is_utf8(stretch.text):
        return None
    data = np.frombuffer(stretch.text, np.uint8)
    max_rows = 1 + len(data) // SHORTEST_ROW  # and one for what turns out not to be a row
    piece = Piece(data, scan_rows(data, max_rows))
    words, lines = piece.scan.words.tolist(), (piece.scan.lines + stretch.line).tolist()
    return [
        ScannedSentence.of_rows(
            ScannedRows(piece, s, words[s], words[s + 1] - words[s]), name, lines[s]
        )
        if is_plain
        else Block(piece.sentence(s), lines[s], STANDARD_LAYOUT)
        for s, is_plain in enumerate(piece.scan.plain.tolist())
    ]


def is_utf8(text: bytes) -> bool:
    """Whether bytes can be decoded."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def under_trees(
    sentences: Sequence[Sentence],
    starts: Sequence[int],
    heads: NDArray[np.int64],
    relations: Relations,
) -> list[Sentence]:
    """Sentences under found trees; `starts` says where their tokens start, roots first."""
    spelling: Spelling | None = None
    found: list[Sentence] = []
    end = 0
    for piece, group in groupby(sentences, piece_of):
        own = list(group)
        start, end = end, end + len(own)
        if piece is None:
            for one, (a, b) in zip(own, pairwise(starts[start : end + 1]), strict=True):
                tree = tuple(heads[a + 1 : b].tolist())
                found.append(one.with_found_tree(tree, tuple(relations[a + 1 : b])))
        else:
            scanned = cast(list[ScannedSentence], own)
            spelling = spelling or Spelling(relations)
            texts = spelling.splice(piece, scanned, np.array(starts[start:end]), heads)
            found += map(ScannedSentence.with_text, scanned, texts)
    return found


def piece_of(sentence: Sentence) -> Piece | None:
    """The piece of a file that a sentence is still in; None if it was decoded, or changed."""
    rows = sentence.rows if isinstance(sentence, ScannedSentence) else None
    return None if rows is None else rows.piece


class Spelling:
    """The relations of tokens, and how they are spelt."""

    def __init__(self, relations: Relations) -> None:
        spelt = [name.encode() for name in relations.names]
        self.numbers = relations.numbers
        self.letters = np.frombuffer(b"".join(spelt), np.uint8)
        self.bounds = np.cumsum([0, *map(len, spelt)])

    def splice(
        self,
        piece: Piece,
        sentences: Sequence[ScannedSentence],
        starts: NDArray[np.int64],
        heads: NDArray[np.int64],
    ) -> list[str]:
        """The texts of sentences of a piece under trees."""
        which = np.array([one.rows.number for one in sentences if one.rows is not None])
        spelt = self.numbers, self.letters, self.bounds
        text, ends = splice_trees(piece.data, piece.scan, which, starts, heads, *spelt)
        written = text.tobytes()
        return [written[a:b].decode() for a, b in pairwise([0, *ends.tolist()])]
