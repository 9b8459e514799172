"""What `headwise parse` says beside its trees, on standard error."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwise.cli.output import complain

if TYPE_CHECKING:
    from headwise.corpus.sentence import Sentence
    from headwise.pipeline.inputs import Input


def note_words(inputs: "list[Input]") -> None:
    """Say so if single words in the call were parsed as texts, which is hardly ever meant."""
    words = [one.text for one in inputs if one.path is None and len(one.text.split()) == 1]
    if len(inputs) < 2 or not words:
        return
    if len(words) == len(inputs):
        sentence = shlex.quote(" ".join(words))
        message = (
            f"each of the {len(words)} arguments was parsed as a text of its own; "
            f"to parse one text, quote it: headwise parse {sentence}"
        )
    else:
        names = ", ".join(words)
        message = f"there is no file {names}: parsed as text (--text says that this is meant)"
    complain(message, "note")


def noting_short_lists(answers: Iterator["Sentence"], kbest: int | None) -> "Iterator[Sentence]":
    """The answers; at the end, say how many sentences have fewer trees than were asked for."""
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
            "more over the candidate heads that the model considers",
            "note",
        )
