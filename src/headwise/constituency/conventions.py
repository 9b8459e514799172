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
        reader = _Reader(path)
        for reader.line, line in enumerate(lines, 1):
            words = line.split()
            if words and words[0].strip("#"):
                reader.read(words)
        return cls(
            frozenset(reader.deleted),
            frozenset(reader.deleted_for_length),
            reader.same.names(),
            reader.same_words.names(),
            reader.cut_off,
            reader.labelled,
        )

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


class _Reader:
    """The conventions read so far."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.line = 0
        self.deleted: list[str] = []
        self.deleted_for_length: list[str] = []
        self.same = _Classes()
        self.same_words = _Classes()
        self.cut_off: int | None = None
        self.labelled = True

    def error(self, message: str) -> FormatError:
        return FormatError(message, SourceLocation(self.path, self.line))

    def read(self, words: list[str]) -> None:
        key, values = words[0], words[1:]
        if key.startswith("#"):
            return
        if key == "unlabelled":
            self.labelled = False
        elif not values:
            raise self.error(f"a value is missing after {quoted(key)}")
        elif key in ("delete", "DELETE_LABEL"):
            self.deleted += values
        elif key in ("delete-for-length", "DELETE_LABEL_FOR_LENGTH"):
            self.deleted_for_length += values
        elif key in ("same", "EQ_LABEL", "same-words", "EQ_WORD"):
            if len(values) < 2:
                raise self.error(f"{key} requires at least two names")
            (self.same if key in ("same", "EQ_LABEL") else self.same_words).join(values)
        elif key in ("cut-off", "CUTOFF_LEN"):
            self.cut_off = self.number(values)
        elif key == "LABELED":
            self.labelled = self.number(values) != 0
        elif key not in ("DEBUG", "MAX_ERROR", "QUOTE_LABEL"):  # settings of EVALB itself
            raise self.error(f"unknown convention {quoted(key)}; docs/evaluation.md lists them")

    def number(self, values: list[str]) -> int:
        if len(values) != 1 or not values[0].isdecimal() or len(values[0]) > 9:
            raise self.error("expected one number of up to nine digits")
        return int(values[0])
