"""Tokenised text: one sentence a line, tokens separated by spaces or tabs.

Lines with no token hold no sentence. A token cannot hold a space here, so a form that does
(`10 000`) is written with no-break spaces.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwise.corpus.files import DEFAULT_LIMITS, Limits, read_lines, refuse_many_words, source_name
from headwise.corpus.sentence import Sentence
from headwise.errors import SourceLocation

_SPACES = str.maketrans(dict.fromkeys(" \t\n\r", "\xa0"))


def read_tokens(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Sentence]:
    """The sentences of a tokenised text, one at a time."""
    name = source_name(path)
    for number, line in enumerate(read_lines(path, limits), 1):
        tokens = tokens_of(line)
        if tokens:
            location = SourceLocation(name, number)
            refuse_many_words(len(tokens), location, limits)
            yield Sentence.from_words(tokens, location=location)


def tokens_of(line: str) -> list[str]:
    """The tokens of a line."""
    return [token for token in line.replace("\t", " ").split(" ") if token]


def format_tokens(sentences: Iterable[Sentence]) -> Iterator[str]:
    """One line of tokens for each sentence."""
    for sentence in sentences:
        yield " ".join(form.translate(_SPACES) for form in sentence.forms) + "\n"
