"""Sentences as callers give them: one, many, a stream of them, their words, or documents."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Protocol

from headwise.corpus.sentence import Sentence, key_of
from headwise.errors import UsageError


class HasSentences(Protocol):
    """A document, or whatever else holds sentences."""

    @property
    def sentences(self) -> Iterable[Sentence]:
        """The sentences."""


Words = list[str] | tuple[str, ...]
Sentences = Sentence | HasSentences | Iterable[Sentence | HasSentences | Words]


def all_sentences(given: Any) -> Iterator[Sentence]:
    """The sentences of a sentence, a document, or many of them, one after the other."""
    for one in parts_of(given):
        if isinstance(one, Sentence):
            yield one
        else:
            yield from one.sentences


def parts_of(given: Any) -> Iterator[Any]:
    """The sentences and documents that were given, one or many; words become a sentence."""
    if isinstance(given, str | Path):
        raise UsageError(
            f"expected sentences or documents, not {type(given).__name__}: "
            f"read_sentences({shortened(str(given))}) has those of a file"
        )
    alone = isinstance(given, Sentence) or hasattr(given, "sentences")
    for one in given if isinstance(given, Iterable) and not alone else [given]:
        if isinstance(one, list | tuple) and one and all(isinstance(form, str) for form in one):
            yield Sentence.from_words(one)
        elif isinstance(one, Sentence) or hasattr(one, "sentences"):
            yield one
        else:
            raise UsageError(
                f"expected sentences or documents, not {type(one).__name__}; a sentence may also "
                "be a list of its words"
            )


def with_distinct_ids(given: Any) -> Iterator[Sentence]:
    """All sentences; those of several documents have ids that differ.

    A pipeline numbers the sentences of each text from 1. Sentence 1 of the second of several
    documents is called 2-1 instead, and the document begins with `# newdoc id = 2`, unless it has
    such a comment. Sentences whose ids are no numbers stay as they are.
    """
    parts = parts_of(given)
    first, second = next(parts, None), next(parts, None)
    several = second is not None
    number = 0
    for one in chain((part for part in (first, second) if part is not None), parts):
        if isinstance(one, Sentence):
            yield one
            continue
        number += 1
        for place, sentence in enumerate(one.sentences):
            yield of_document(sentence, number, begins=not place) if several else sentence


def of_document(sentence: Sentence, number: int, *, begins: bool) -> Sentence:
    """A sentence of a document of this number, with which the document `begins` or not."""
    if sentence.id is None or not sentence.id.isdecimal():
        return sentence
    own = f"# sent_id = {number}-{sentence.id}"
    comments = [own if key_of(line) == "sent_id" else line for line in sentence.comments]
    if begins and not any(line.startswith("# newdoc") for line in comments):
        comments.insert(0, f"# newdoc id = {number}")
    return replace(sentence, comments=tuple(comments))
