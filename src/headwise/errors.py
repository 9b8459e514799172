"""The errors that Headwise raises, and how data is quoted in their messages.

    HeadwiseError
    ├── InputError        the data is invalid (exit code 1); carries file, line and sentence
    │   ├── FormatError   a file does not follow its format
    │   ├── LimitError    a line, a sentence or a compressed file exceeds a stated limit
    │   ├── TreeError     the heads of a sentence do not form a tree
    │   ├── MismatchError two files that should contain the same sentences do not
    │   └── ModelError    a model is damaged, of an unknown version or of the wrong kind
    ├── ConstraintError   no tree satisfies the constraints (exit code 1)
    └── UsageError        the call is wrong (exit code 2)

Problems that can be tolerated are issued as a `HeadwiseWarning` through `warnings`.
"""

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType

MAX_QUOTED = 40
"""Longest value quoted in a message, in characters."""

MAX_LISTED = 10
"""Largest number of values listed in a message."""


def counted(count: int, noun: str) -> str:
    """A number of things: 1 word, 2 words."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def quoted(value: object) -> str:
    """A value quoted for a message; text is put in quotes, long values are truncated."""
    return repr(cut(value)) if isinstance(value, str) else cut(repr(value))


def cut(text: str) -> str:
    """Text for a message, truncated if it is long."""
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "…"


def listed(values: Sequence[object], separator: str = ", ") -> str:
    """The first values of a list for a message, and how many more there are."""
    shown = separator.join(map(str, values[:MAX_LISTED]))
    more = len(values) - MAX_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A location in the data; any part may be unknown."""

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
    """Base class of all errors that Headwise raises deliberately."""


class UsageError(HeadwiseError):
    """The call is wrong: an unknown option or format, or a missing file or model."""


class ConstraintError(HeadwiseError):
    """No tree satisfies the constraints; `constraints` are those that clash, if they are known."""

    def __init__(self, message: str, constraints: Sequence[object] = ()) -> None:
        """Create the error from a message and a minimal set of constraints that clash."""
        self.constraints = tuple(constraints)
        super().__init__(message)


class InputError(HeadwiseError):
    """The data is invalid."""

    def __init__(self, message: str, location: SourceLocation | None = None) -> None:
        """Create the error from a message and, if known, the location in the data."""
        self.message = message
        self.location = location or NOWHERE
        where = str(self.location)
        super().__init__(f"{where}: {message}" if where else message)


class FormatError(InputError):
    """A file does not follow its format."""


class LimitError(InputError):
    """A line, a sentence or a compressed file exceeds a stated limit."""


class TreeError(InputError):
    """The heads of a sentence do not form a tree."""


class MismatchError(InputError):
    """Two files that should contain the same sentences do not."""


class ModelError(InputError):
    """A model is damaged, of an unknown version or of the wrong kind."""


class HeadwiseWarning(UserWarning):
    """A tolerated problem in the data that should be fixed."""


def warn(message: str, location: SourceLocation = NOWHERE) -> None:
    """Issue a `HeadwiseWarning` at the line that called the package, however deep we are in it."""
    if str(location):
        message = f"{location}: {message}"
    frame: FrameType | None = sys._getframe(1)
    depth = 2
    while frame is not None and frame.f_globals.get("__name__", "").startswith("headwise."):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, HeadwiseWarning, stacklevel=depth)
