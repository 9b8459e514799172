"""The words of text files, sentence by sentence, as often as they are asked for."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from headwise.corpus.files import STANDARD_STREAM, read_lines
from headwise.errors import UsageError
from headwise.pipeline.inputs import RAW, Input, kind_of, path_exists, read_inputs
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline

TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
"""A word with what is within it, or a sign: where there is no tokeniser."""


def word_lists(
    paths: Sequence[Path], model: str | None = None
) -> Callable[[], Iterator[Sequence[str]]]:
    """What reads the words of files, each time from the start.

    Raw text is split by the tokeniser of a model or, without one, line by line into words and
    signs.
    """
    for path in paths:
        if str(path) == STANDARD_STREAM:
            raise UsageError("text is read twice: give a file, not standard input")
        if not path_exists(path):
            raise UsageError(f"there is no file {path}")
    inputs = [Input(kind_of(path), path) for path in paths]
    pipeline = Pipeline() if model is None else as_pipeline(model)
    if model is not None and pipeline.tokeniser is None:
        raise UsageError(f"{model} has no tokeniser")
    return lambda: (words for one in inputs for words in words_of(one, pipeline))


def words_of(one: Input, pipeline: Pipeline) -> Iterator[Sequence[str]]:
    """The words of a file."""
    assert one.path is not None
    if one.kind == RAW and pipeline.tokeniser is None:
        return (TOKEN.findall(line) for line in read_lines(one.path))
    return (sentence.forms for sentence in read_inputs([one], pipeline.need_tokeniser))
