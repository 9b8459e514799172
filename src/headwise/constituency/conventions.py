"""Scoring conventions: which brackets and words count, and which labels are equal.

A file of conventions has one entry per line; entries with several names may be split:

    delete TOP -NONE- , : .        labels that are ignored, tags whose words are ignored
    delete-for-length -NONE-       tags of words that do not make a sentence longer
    same ADVP PRT                  labels or tags that count as equal
    same-words `` "                words that count as equal
    cut-off 40                     sentences up to this length are also scored separately
    unlabelled                     ignore labels

A line that begins with `# ` is a comment. Parameter files of EVALB (`.prm`) are read too. Function
tags are always removed, and brackets without a label are ignored.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from headwise.corpus.files import named_lines
from headwise.errors import FormatError, SourceLocation, quoted

CONVENTION_SETS = ("collins", "plain")
"""The conventions included in the package."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """How trees are compared."""

    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    same: dict[str, str] = field(default_factory=dict)  # a label or tag by the one it counts as
    same_words: dict[str, str] = field(default_factory=dict)
    cut_off: int | None = None
    labelled: bool = True

    @classmethod
    def load(cls, name: str | Path) -> "Conventions":
        """The named conventions of the package, or those of a file, ours or EVALB's."""
        return cls.parse(*named_lines(name, CONVENTION_SETS, "parseval", "conventions"))

    @classmethod
    def parse(cls, lines: Iterable[str], path: str | None = None) -> "Conventions":
        """Parse the lines of a file of conventions."""
        deleted, for_length = list[str](), list[str]()
        same, same_words = _Classes(), _Classes()
        cut_off: int | None = None
        labelled = True
        for line, text in enumerate(lines, 1):
            key, *values = text.split() or ["#"]
            location = SourceLocation(path, line)
            if key.startswith("#"):
                continue
            if key == "unlabelled":
                labelled = False
            elif not values:
                raise FormatError(f"a value is missing after {quoted(key)}", location)
            elif key in ("delete", "DELETE_LABEL"):
                deleted += values
            elif key in ("delete-for-length", "DELETE_LABEL_FOR_LENGTH"):
                for_length += values
            elif key in ("same", "EQ_LABEL", "same-words", "EQ_WORD"):
                if len(values) < 2:
                    raise FormatError(f"{key} requires at least two names", location)
                (same if key in ("same", "EQ_LABEL") else same_words).join(values)
            elif key in ("cut-off", "CUTOFF_LEN"):
                cut_off = _number(values, location)
            elif key == "LABELED":
                labelled = _number(values, location) != 0
            elif key not in ("DEBUG", "MAX_ERROR", "QUOTE_LABEL"):  # settings of EVALB itself
                message = f"unknown convention {quoted(key)}; docs/evaluation.md lists them"
                raise FormatError(message, location)
        names = same.names(), same_words.names()
        return cls(frozenset(deleted), frozenset(for_length), *names, cut_off, labelled)

    def label(self, label: str) -> str:
        """The label that a bracket is scored as; empty if it is ignored."""
        for mark in "-=":
            label = label.partition(mark)[0]
        label = self.same.get(label, label)
        return "" if label in self.deleted else label

    def tag(self, tag: str) -> str:
        """The tag that a tag is scored as."""
        return self.same.get(tag, tag)

    def word(self, form: str) -> str:
        """The word that a word is scored as."""
        return self.same_words.get(form, form)


@cache
def collins() -> Conventions:
    """The usual conventions, loaded once."""
    return Conventions.load("collins")


class _Classes:
    """Equivalence classes of names (union-find), represented by their first name."""

    def __init__(self) -> None:
        self.above: dict[str, str] = {}  # the parent of each name

    def first(self, name: str) -> str:
        found = name
        while (above := self.above.get(found, found)) != found:
            found = above
        while (above := self.above.get(name, name)) != found:  # path compression
            self.above[name], name = found, above
        return found

    def join(self, names: Sequence[str]) -> None:
        first = self.first(names[0])
        for name in names:
            self.above[self.first(name)] = first

    def names(self) -> dict[str, str]:
        firsts = {name: self.first(name) for name in list(self.above)}
        return {name: first for name, first in firsts.items() if name != first}


def _number(values: Sequence[str], location: SourceLocation) -> int:
    if len(values) != 1 or not values[0].isdecimal() or len(values[0]) > 9:
        raise FormatError("expected one number of up to nine digits", location)
    return int(values[0])
