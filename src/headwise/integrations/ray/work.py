"""What a worker does: parse a file, or cut one into pieces, parse a piece, join the pieces.

Work is one of these functions with all but the pipeline given (`partial`), so it can be sent.
Results say what came of it; errors in the data are results, too, so that they stop nothing.
"""

import errno
import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from headwise.corpus.files import read_chunks
from headwise.corpus.output import open_output, write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, HeadwiseWarning, UsageError
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


def parse_file(recipe: Recipe, pair: FilePair, pipeline: Pipeline) -> Result:
    """Parse a whole file as one process would."""
    inputs = [recipe.input_of(pair.source)]
    sentences = read_inputs(inputs, pipeline.need_tokeniser, recipe.errors)
    return Result(parse_into(pair.target, sentences, recipe, pipeline))


def cut(
    recipe: Recipe, pair: FilePair, folder: Path, piece_bytes: int, pipeline: Pipeline
) -> Result:
    """Cut a file into pieces where one process would cut it."""
    tokeniser = pipeline.need_tokeniser()
    return Result(pieces=cut_file(pair.source, folder, tokeniser, recipe.errors, piece_bytes))


def parse_piece(
    recipe: Recipe, pair: FilePair, folder: Path, piece: Piece, pipeline: Pipeline
) -> Result:
    """Parse a piece of a file, unless that was done before."""
    done, target = piece.done_path(folder), piece.result_path(folder)
    words = stored_words(done)
    if words is not None:
        return Result(words)
    sentences = piece_sentences(piece, pair.source, folder, pipeline.need_tokeniser())
    document, is_first = document_of(piece, pair.source), piece.index == 0
    words = parse_into(target, sentences, recipe, pipeline, document, is_first=is_first)
    write_whole(done, json.dumps({"words": words}).encode())
    piece.text_path(folder).unlink(missing_ok=True)
    return Result(words)


def stored_words(done: Path) -> int | None:
    """The number of words of a piece that was parsed before, or None if it was not."""
    try:
        words = json.loads(done.read_bytes())["words"]
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError, LookupError, TypeError):
        words = None
    if type(words) is not int:
        raise UsageError(f"{done} is damaged: remove {done.parent}, and the file is parsed anew")
    return words


def join_pieces(
    recipe: Recipe,
    pair: FilePair,
    folder: Path,
    pieces: Sequence[Piece],
    pipeline: Pipeline,  # noqa: ARG001, RUF100
) -> Result:
    """Put the parsed pieces of a file together; they stay until the manifest has it."""
    parts = [piece.result_path(folder) for piece in pieces]
    pair.target.parent.mkdir(parents=True, exist_ok=True)
    if recipe.to_format == PARQUET:
        write_tables(pair.target, (table for part in parts for table in read_tables(part)))
    else:
        with open_output(pair.target) as stream:
            for part in parts:
                stream.writelines(read_chunks(part))
    return Result()


def parse_into(
    target: Path,
    sentences: Iterator[Sentence],
    recipe: Recipe,
    pipeline: Pipeline,
    document: str | None = None,
    *,
    is_first: bool = True,
) -> int:
    """Parse and write sentences as a recipe says; the number of their words.

    Only the first piece of a table has headings.
    """
    words = 0

    def parsed() -> Iterator[Sentence]:
        nonlocal words
        for one in pipeline.annotate(sentences, recipe.options, own_tags=recipe.own_tags):
            words += len(one)
            yield one

    target.parent.mkdir(parents=True, exist_ok=True)
    if recipe.to_format == PARQUET:
        write_parquet(target, parsed(), document=document)
    else:
        headings = 1 if recipe.to_format == TSV and not is_first else 0
        write_text(target, islice(recipe.formatter()(parsed()), headings, None))
    return words


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
