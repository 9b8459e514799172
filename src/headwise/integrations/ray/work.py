"""What a worker does: parse a file, or cut one into pieces, parse a piece, join the pieces.

Results say what came of it; errors in the data are results, too, so that they stop nothing.
"""

import errno
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from headwise.corpus.files import read_chunks
from headwise.corpus.output import open_output, write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, HeadwiseWarning
from headwise.integrations.parquet import read_tables, write_parquet, write_tables
from headwise.integrations.ray.job import PARQUET, TSV, FilePair, Recipe
from headwise.integrations.ray.pieces import (
    Piece,
    cut_file,
    document_of,
    piece_sentences,
    write_whole,
)
from headwise.pipeline.inputs import read_inputs
from headwise.pipeline.pipeline import Pipeline

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors of the output that no other file would be spared."""


@dataclass(slots=True)
class Result:
    """What came of some work.

    error: why it failed. stops: whether all other work would fail in the same way.
    """

    words: int = 0
    pieces: list[Piece] | None = None
    error: str | None = None
    stops: bool = False
    warnings: list[str] = field(default_factory=list)


Work = Callable[[Pipeline], Result]


@dataclass(frozen=True, slots=True)
class ParseFile:
    """Parse a whole file."""

    recipe: Recipe
    pair: FilePair

    def __call__(self, pipeline: Pipeline) -> Result:
        """Parse it as one process would."""
        recipe = self.recipe
        sentences = read_inputs(
            [recipe.input_of(self.pair.source)], pipeline.need_tokeniser, recipe.errors
        )
        counter = WordCounter(
            pipeline.annotate(sentences, recipe.options, own_tags=recipe.own_tags)
        )
        write_sentences(self.pair.target, recipe, counter)
        return Result(counter.words)


@dataclass(frozen=True, slots=True)
class CutFile:
    """Cut a file into pieces."""

    recipe: Recipe
    pair: FilePair
    folder: Path
    piece_bytes: int

    def __call__(self, pipeline: Pipeline) -> Result:
        """Cut it where one process would cut it."""
        tokeniser = pipeline.need_tokeniser()
        pieces = cut_file(
            self.pair.source, self.folder, tokeniser, self.recipe.errors, self.piece_bytes
        )
        return Result(pieces=pieces)


@dataclass(frozen=True, slots=True)
class ParsePiece:
    """Parse a piece of a file."""

    recipe: Recipe
    pair: FilePair
    folder: Path
    piece: Piece

    def __call__(self, pipeline: Pipeline) -> Result:
        """Parse it, unless that was done before."""
        done, piece, recipe = self.piece.done_path(self.folder), self.piece, self.recipe
        if done.exists():
            return Result(json.loads(done.read_bytes())["words"])
        sentences = piece_sentences(piece, self.pair.source, self.folder, pipeline.need_tokeniser())
        counter = WordCounter(
            pipeline.annotate(sentences, recipe.options, own_tags=recipe.own_tags)
        )
        document = document_of(piece, self.pair.source)
        target = piece.result_path(self.folder)
        write_sentences(target, recipe, counter, document, is_first=piece.index == 0)
        write_whole(done, json.dumps({"words": counter.words}).encode())
        piece.text_path(self.folder).unlink(missing_ok=True)
        return Result(counter.words)


@dataclass(frozen=True, slots=True)
class JoinPieces:
    """Put the parsed pieces of a file together."""

    recipe: Recipe
    pair: FilePair
    folder: Path
    pieces: Sequence[Piece]

    def __call__(self, pipeline: Pipeline) -> Result:  # noqa: ARG002, RUF100
        """Write the file; the pieces stay until the manifest has it."""
        parts = [piece.result_path(self.folder) for piece in self.pieces]
        self.pair.target.parent.mkdir(parents=True, exist_ok=True)
        if self.recipe.to_format == PARQUET:
            write_tables(self.pair.target, (table for part in parts for table in read_tables(part)))
        else:
            with open_output(self.pair.target) as stream:
                for part in parts:
                    stream.writelines(read_chunks(part))
        return Result()


class WordCounter:
    """Sentences as they are, counted as they pass."""

    def __init__(self, sentences: Iterator[Sentence]) -> None:
        """Nothing has passed yet."""
        self.stream = sentences
        self.words = 0

    def __iter__(self) -> Iterator[Sentence]:
        """Each sentence."""
        for sentence in self.stream:
            self.words += len(sentence)
            yield sentence


def write_sentences(
    target: Path,
    recipe: Recipe,
    sentences: Iterable[Sentence],
    document: str | None = None,
    *,
    is_first: bool = True,
) -> None:
    """Write sentences as a recipe says; only the first piece of a table has headings."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if recipe.to_format == PARQUET:
        write_parquet(target, sentences, document=document)
        return
    text = recipe.formatter()(sentences)
    headings = 1 if recipe.to_format == TSV and not is_first else 0
    write_text(target, islice(text, headings, None))


def outcome(work: Work, pipeline: Pipeline) -> Result:
    """The result of some work; an error is one, too."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", HeadwiseWarning)
        try:
            result = work(pipeline)
        except HeadwiseError as error:
            result = Result(error=str(error), stops=has_no_room(error))
        except OSError as error:
            result = Result(error=str(error), stops=error.errno in NO_ROOM)
        except Exception as error:  # a bug must not stop a job of days
            result = Result(error=f"{type(error).__name__}: {error}")
    ours = [one for one in caught if issubclass(one.category, HeadwiseWarning)]
    result.warnings += [str(one.message) for one in ours]
    return result


def has_no_room(error: BaseException) -> bool:
    """Whether an error comes from an output that is full or read-only."""
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno in NO_ROOM
