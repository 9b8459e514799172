"""Why a sentence cannot be written in ten columns: a patient look, when a quick one has failed."""

from collections.abc import Sequence
from reprlib import repr as shortened

from headwise.corpus.sentence import Sentence

CHARACTERS = {"\t": "a tab", "\r": "a carriage return", "\n": "a line end"}
"""What breaks a row, and how it is called."""


def unwritable(sentence: Sentence) -> str:
    """The first reason why a sentence could not be read again."""
    if not sentence.forms:
        return "there are no words"
    columns = {
        "FORM": sentence.forms,
        "LEMMA": sentence.lemmas,
        "UPOS": sentence.upos,
        "XPOS": sentence.xpos,
        "FEATS": sentence.feats,
        "DEPREL": sentence.relations,
        "DEPS": sentence.deps,
        "MISC": sentence.misc,
    }
    for name, column in columns.items():
        if len(column) != len(sentence.forms):
            return f"{len(column)} values of {name} for {len(sentence.forms)} words"
        found = broken_value(column)
        if found is not None:
            return f"{name} of word {column.index(found) + 1} {trouble(found)}"
    for comment in sentence.comments:
        if not comment.startswith("#"):
            return f"the comment {shortened(comment)} does not start with #"
        if "\n" in comment or "\r" in comment:
            return f"a comment {trouble(comment.replace(chr(9), ' '))}"
    for extra in sentence.extras:
        found = broken_value(extra.columns)
        if found is not None:
            return f"a value of row {extra.id} {trouble(found)}"
    return "a multiword row or an empty node is out of place, or not of ten columns"


def broken_value(values: Sequence[str]) -> str | None:
    """The first value that would break its row."""
    return next((one for one in values if not one or any(ch in one for ch in CHARACTERS)), None)


def trouble(value: str) -> str:
    """What is wrong with a value."""
    if not value:
        return "is empty"
    character = next(ch for ch in value if ch in CHARACTERS)
    return f"({shortened(value)}) holds {CHARACTERS[character]}"
