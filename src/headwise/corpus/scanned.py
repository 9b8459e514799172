"""CoNLL-U at the speed of compiled code: sentences that are parsed as they stand in their file.

A plain sentence (words and multiword tokens in order, nothing unusual) is only scanned. Words and
tags are known by their hashes, and found trees are written straight into its bytes. It is taken
apart into columns when somebody looks at one (`Sentence.__getattr__`), which need not happen.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.conllu import read_conllu
from headwise.corpus.relations import Relations
from headwise.corpus.rows import Block, Stretch
from headwise.corpus.sentence import STANDARD_LAYOUT, Sentence, respelt, scanned_sentence
from headwise.kernels.text.treebank_rows import Scan, scan_rows, splice_trees

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


class ScannedRows:
    """The rows of a plain sentence within a piece."""

    __slots__ = ("count", "first", "number", "piece")

    def __init__(self, piece: Piece, number: int, first: int, count: int) -> None:
        """Say which sentence it is, and which words of the piece it has."""
        self.piece, self.number, self.first, self.count = piece, number, first, count

    def __reduce__(self) -> tuple[Any, ...]:
        """Stay behind when a sentence is sent to another process: its text goes there."""
        return type(None), ()

    def hashes(self, column: int) -> NDArray[np.uint64]:
        """The hashes of a column."""
        return self.piece.scan.hashes[column, self.first : self.first + self.count]

    def source(self) -> str:
        """The text of the sentence."""
        return self.piece.sentence(self.number)

    def text(self, column: int, word: int) -> str:
        """What a word has in a column, both counted from 0."""
        fields = self.piece.scan.fields[self.first + word]
        return self.piece.data[fields[column] : fields[column + 1] - 1].tobytes().decode()


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
    """The sentences of a CoNLL-U file, plain ones not taken apart."""
    return read_conllu(path, scan=scan_stretch)


def scan_stretch(stretch: Stretch, name: str) -> list[Sentence | Block] | None:
    """The sentences of a stretch of a file of this name; None if anything is unusual about it."""
    if not stretch.is_regular or not is_utf8(stretch.text):
        return None
    data = np.frombuffer(stretch.text, np.uint8)
    most = 1 + len(data) // SHORTEST_ROW  # and one that is found to be no row
    piece = Piece(data, scan_rows(data, most))
    words, lines = piece.scan.words.tolist(), (piece.scan.lines + stretch.line).tolist()
    return [
        scanned_sentence(name, lines[s], ScannedRows(piece, s, words[s], words[s + 1] - words[s]))
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
    """Sentences under found trees; their tokens start at these places, roots first."""
    spelling, all_heads = Spelling(relations), tuple(heads.tolist())
    found: list[Sentence] = []
    pieces = [None if one.rows is None else one.rows.piece for one in sentences]
    end = 0
    for piece, group in groupby(pieces):
        start, end = end, end + len(list(group))
        own, bounds = sentences[start:end], list(pairwise(starts[start : end + 1]))
        trees = [all_heads[a + 1 : b] for a, b in bounds]
        if piece is None:
            for one, tree, (a, b) in zip(own, trees, bounds, strict=True):
                found.append(one.with_found_tree(tree, tuple(relations[a + 1 : b])))
        else:
            texts = spelling.splice(piece, own, np.array([a for a, _ in bounds]), heads)
            found += map(respelt, own, texts, trees)
    return found


class Spelling:
    """The relations of tokens, and how they are spelt."""

    def __init__(self, relations: Relations) -> None:
        """Spell the names of relations."""
        spelt = [name.encode() for name in relations.names]
        self.numbers = relations.numbers
        self.letters = np.frombuffer(b"".join(spelt), np.uint8)
        self.bounds = np.cumsum([0, *map(len, spelt)])

    def splice(
        self,
        piece: Piece,
        sentences: Sequence[Sentence],
        starts: NDArray[np.int64],
        heads: NDArray[np.int64],
    ) -> list[str]:
        """The texts of sentences of a piece under trees."""
        which = np.array([one.rows.number for one in sentences])
        spelt = self.numbers, self.letters, self.bounds
        text, ends = splice_trees(piece.data, piece.scan, which, starts, heads, *spelt)
        written = text.tobytes()
        return [written[a:b].decode() for a, b in pairwise([0, *ends.tolist()])]
