"""Models that have learnt to look at tags, and sentences that have none."""

import warnings
from collections.abc import Iterable, Iterator

from headwise.corpus.sentence import Sentence, is_given
from headwise.errors import HeadwiseWarning
from headwise.inference.searcher import Searcher

TAG_COLUMNS = {"both": ("upos", "xpos"), "upos": ("upos",), "xpos": ("xpos",), "none": ()}
"""The columns that a choice of tags stands for."""


def given_columns(sentences: Iterable[Sentence], tags: str) -> list[str]:
    """The columns of a choice of tags that hold any."""
    many = list(sentences)
    return [name for name in TAG_COLUMNS[tags] if any(is_given(getattr(s, name)) for s in many)]


def noticing_tags(search: Searcher, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences; if the first one has no tags, and the model looks at some, there is a warning.

    Only the first one: the columns of sentences that are merely scanned are not taken apart.
    """
    stream = iter(sentences)
    first = next(stream, None)
    if first is None:
        return
    has_words = len(first) > 0 and bool(search.tag_columns)
    if has_words and not any(is_given(getattr(first, name)) for name in search.tag_columns):
        named = " or ".join(name.upper() for name in search.tag_columns)
        where = f"{first.location}: " if str(first.location) else ""
        message = (
            f"{where}the words have no {named} tags, but the parser was trained with tags: its "
            "trees will be worse; tag them first, or use a model with a tagger"
        )
        warnings.warn(message, HeadwiseWarning, stacklevel=3)
    yield first
    yield from stream
