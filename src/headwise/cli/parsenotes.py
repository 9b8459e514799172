"""Notes of `headwise parse` on standard error."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwise.cli.output import complain

if TYPE_CHECKING:
    from headwise.corpus.sentence import Sentence
    from headwise.pipeline.inputs import Input


def note_words(inputs: "list[Input]") -> None:
    """Note if single words were parsed as texts: they are usually one text, or missing files."""
    words = [one.text for one in inputs if one.path is None and len(one.text.split()) == 1]
    if len(inputs) < 2 or not words:
        return
    if len(words) == len(inputs):
        sentence = shlex.quote(" ".join(words))
        message = (
            f"each of the {len(words)} arguments was parsed as a separate text; "
            f"to parse one text, quote it: headwise parse {sentence}"
        )
    else:
        names = ", ".join(words)
        message = f"no such file: {names}; parsed as text (--text silences this note)"
    complain(message, "note")


def noting_short_lists(answers: Iterator["Sentence"], kbest: int | None) -> "Iterator[Sentence]":
    """The sentences; notes at the end how many have fewer than `kbest` trees."""
    if kbest is None:
        yield from answers
        return
    lists = full = 0
    for answer in answers:
        rank = int((answer.id or "/1").rpartition("/")[2])
        lists, full = lists + (rank == 1), full + (rank == kbest)
        yield answer
    if full < lists:
        complain(
            f"{lists - full:,} of {lists:,} sentences have fewer than {kbest} trees: there are no "
            "more over the unpruned arcs",
            "note",
        )
