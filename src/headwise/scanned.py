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
from headwise.corpus.sentence import Sentence, respelt
from headwise.kernels.treebank_rows import Scan, scan_rows, splice_trees


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some bytes of a file, and what the scan found in them."""

    data: NDArray[np.uint8]
    scan: Scan


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
    return read_conllu(path, scan=scan_piece)


def scan_piece(text: bytes, sentences: int) -> list[ScannedRows | None]:
    """The rows of each of so many sentences; None where a sentence is not plain."""
    data = np.frombuffer(text, np.uint8)
    scan = scan_rows(data, sentences, text.count(b"\n"))
    piece, words = Piece(data, scan), scan.words.tolist()
    return [
        ScannedRows(piece, number, words[number], words[number + 1] - words[number])
        if is_plain
        else None
        for number, is_plain in enumerate(scan.plain.tolist())
    ]


def under_trees(
    sentences: Sequence[Sentence],
    starts: Sequence[int],
    heads: NDArray[np.int64],
    relations: Sequence[str],
) -> list[Sentence]:
    """Sentences under found trees; their tokens start at these places, roots first."""
    names, all_heads = Names(relations), tuple(heads.tolist())
    found: list[Sentence] = []
    places = zip(sentences, pairwise(starts), strict=True)
    for piece, group in groupby(places, key=lambda place: piece_of(place[0])):
        own, bounds = zip(*group, strict=True)
        trees = [all_heads[a + 1 : b] for a, b in bounds]
        if piece is None:
            for one, tree, (a, b) in zip(own, trees, bounds, strict=True):
                found.append(one.with_found_tree(tree, tuple(relations[a + 1 : b])))
        else:
            texts = names.splice(piece, own, np.array([a for a, _ in bounds]), heads)
            found += map(respelt, own, texts, trees)
    return found


def piece_of(sentence: Sentence) -> Piece | None:
    """The piece that a sentence is scanned in, if it is."""
    return None if sentence.rows is None else sentence.rows.piece


class Names:
    """The relations of tokens as numbers, and how they are spelt."""

    def __init__(self, relations: Sequence[str]) -> None:
        """Number the relations."""
        numbers = {name: number for number, name in enumerate(dict.fromkeys(relations))}
        spelt = [name.encode() for name in numbers]
        self.numbers = np.fromiter(map(numbers.__getitem__, relations), np.int32, len(relations))
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
