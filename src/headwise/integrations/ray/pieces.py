"""Big files of raw text, cut where one process would cut them into blocks.

The text of each piece waits in a file until it is parsed, so that compressed files are read once,
and a lost machine takes nothing with it. Sentences are counted beforehand: a piece is parsed as if
all pieces before it had been.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from headwise.corpus.files import source_name
from headwise.corpus.output import open_output
from headwise.corpus.sentence import Sentence
from headwise.errors import SourceLocation
from headwise.pipeline.inputs import document_id, naming_document
from headwise.text.cutting import CutNotice
from headwise.text.reading import read_blocks
from headwise.text.tokeniser import Tokeniser

INDEX = "pieces.json"


@dataclass(slots=True)
class Piece:
    """A piece of a text: its blocks, and how much comes before it."""

    index: int
    offset: int  # characters …
    line: int
    sentences: int  # … and sentences before it
    blocks: list[int] = field(default_factory=list)  # characters of each

    def text_path(self, folder: Path) -> Path:
        """Where its text waits."""
        return folder / f"{self.index:06}.txt"

    def result_path(self, folder: Path) -> Path:
        """Where its parsed sentences are."""
        return folder / f"{self.index:06}.out"

    def done_path(self, folder: Path) -> Path:
        """Where the number of its words is, once it is parsed."""
        return folder / f"{self.index:06}.json"


def cut_file(
    source: Path, folder: Path, tokeniser: Tokeniser, errors: str, piece_bytes: int
) -> list[Piece]:
    """Cut a file into pieces, unless that was done before and the file is the same."""
    about = source.stat()
    state = [about.st_size, about.st_mtime_ns, piece_bytes, errors]
    index = folder / INDEX
    stored = stored_pieces(index, state)
    if stored is not None:
        return stored
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():  # of the file as it was, or as far as it came
        old.unlink()
    pieces = list(written_pieces(source, folder, tokeniser, errors, piece_bytes))
    rows = {"state": state, "pieces": [asdict(one) for one in pieces]}
    write_whole(index, json.dumps(rows).encode())
    return pieces


def stored_pieces(index: Path, state: list[Any]) -> list[Piece] | None:
    """The pieces of a file that was cut before in this state; what is damaged was not."""
    try:
        stored = json.loads(index.read_bytes())
        pieces = [Piece(**one) for one in stored["pieces"]]
        numbers = [[one.index, one.offset, one.line, one.sentences, *one.blocks] for one in pieces]
        is_whole = stored["state"] == state and all(type(n) is int for own in numbers for n in own)
    except (FileNotFoundError, ValueError, RecursionError, LookupError, TypeError):
        return None
    return pieces if is_whole else None


def written_pieces(
    source: Path, folder: Path, tokeniser: Tokeniser, errors: str, piece_bytes: int
) -> Iterator[Piece]:
    """The pieces of a file, whose texts are written."""
    notice = CutNotice(source_name(source))
    piece, texts = Piece(0, 0, 1, 0), list[str]()
    offset, line, sentences = 0, 1, 0
    for block in read_blocks(source, errors=errors, notice=notice):
        if sum(piece.blocks) >= piece_bytes:
            write_whole(piece.text_path(folder), "".join(texts).encode())
            yield piece
            piece, texts = Piece(piece.index + 1, offset, line, sentences), []
        tokenised = tokeniser.tokenise(block)
        notice.tell_of_tokens(tokenised, offset=offset, line=line)
        piece.blocks.append(len(block))
        texts.append(block)
        offset, line = offset + len(block), line + block.count("\n")
        sentences += len(tokenised)
    write_whole(piece.text_path(folder), "".join(texts).encode())
    yield piece


def piece_sentences(
    piece: Piece, source: Path, folder: Path, tokeniser: Tokeniser
) -> Iterator[Sentence]:
    """The sentences of a piece, named and numbered as within the whole file."""
    sentences = numbered_sentences(piece, source, folder, tokeniser)
    return sentences if piece.sentences else naming_document(source.name, sentences)


def numbered_sentences(
    piece: Piece, source: Path, folder: Path, tokeniser: Tokeniser
) -> Iterator[Sentence]:
    """The sentences of a piece."""
    text = piece.text_path(folder).read_bytes().decode()
    numbers, place, line = count(piece.sentences + 1), 0, piece.line
    for size in piece.blocks:
        block = text[place : place + size]
        yield from tokeniser.sentences(
            tokeniser.tokenise(block),
            offset=piece.offset + place,
            numbers=numbers,
            location=SourceLocation(source_name(source), line),
        )
        place, line = place + size, line + block.count("\n")


def document_of(piece: Piece, source: Path) -> str | None:
    """The document that the first sentence of a piece belongs to, if it does not say so itself."""
    return document_id(source.name) if piece.sentences else None


def write_whole(path: Path, data: Any) -> None:
    """Write a file that appears whole or not at all."""
    with open_output(path) as stream:
        stream.write(data)
