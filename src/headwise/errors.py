"""Everything Headwise raises on purpose.

    HeadwiseError
    ├── InputError        the data is bad (exit code 1); knows file, line and sentence
    │   ├── FormatError   a file does not follow its format
    │   ├── LimitError    a line, a sentence or a compressed file is beyond a stated limit
    │   ├── TreeError     the heads of a sentence are not a tree
    │   ├── MismatchError two files that should hold the same sentences do not
    │   └── ModelError    a model is damaged, foreign, too new or not of the kind that is needed
    ├── ConstraintError   no tree fulfils what was asked of it (exit code 1)
    └── UsageError        the call is wrong (exit code 2)

What can be tolerated is a `HeadwiseWarning` instead, issued through `warnings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MOST_QUOTED = 40
"""Characters of a value that a message shows: it must not be as long as the data."""

MOST_LISTED = 10
"""The number of values that a message lists."""


def quoted(value: object) -> str:
    """A value from the data as shown in a message: text in quotes, and cut if it is long."""
    return repr(cut(value)) if isinstance(value, str) else cut(repr(value))


def cut(text: str) -> str:
    """Text from the data as shown in a message, cut if it is long."""
    return text if len(text) <= MOST_QUOTED else text[:MOST_QUOTED] + "…"


def listed(values: Sequence[object], separator: str = ", ") -> str:
    """Values as shown in a message: the first of them, and how many more there are."""
    shown = separator.join(map(str, values[:MOST_LISTED]))
    more = len(values) - MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where in the data something is: any part of it may be unknown."""

    path: str | None = None
    line: int | None = None
    sentence_id: str | None = None

    def __str__(self) -> str:
        """`file.conllu:12 (sentence s3)`, leaving out what is not known."""
        where = self.path or ""
        if self.line is not None:
            where = f"{where}:{self.line}" if where else f"line {self.line}"
        if self.sentence_id is not None:
            where = f"{where} (sentence {cut(self.sentence_id)})".lstrip()
        return where


NOWHERE = SourceLocation()


class HeadwiseError(Exception):
    """The root of all errors that Headwise raises on purpose."""


class UsageError(HeadwiseError):
    """The call is wrong: an unknown option or format, a file or a model that is not there."""


class ConstraintError(HeadwiseError):
    """No tree fulfils what was asked of it."""


class InputError(HeadwiseError):
    """The data is bad."""

    def __init__(self, message: str, location: SourceLocation | None = None) -> None:
        """Say what is wrong and, where known, where."""
        self.message = message
        self.location = location or NOWHERE
        where = str(self.location)
        super().__init__(f"{where}: {message}" if where else message)


class FormatError(InputError):
    """A file does not follow its format."""


class LimitError(InputError):
    """A line, a sentence or a compressed file is beyond a stated limit."""


class TreeError(InputError):
    """The heads of a sentence are not a tree."""


class MismatchError(InputError):
    """Two files that should hold the same sentences do not."""


class ModelError(InputError):
    """A model is damaged, foreign, too new or not of the kind that is needed."""


class HeadwiseWarning(UserWarning):
    """Something in the data was tolerated that should be put right."""
