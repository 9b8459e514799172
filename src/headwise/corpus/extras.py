"""Rows of a sentence that are not words (multiword tokens, empty nodes), and its surface tokens."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Multiword:
    """A surface token such as `don't`, spelled out as words `first` to `last`."""

    first: int
    last: int
    columns: tuple[str, ...]  # FORM to MISC, as in the file
    position: int  # how many words stand before this row

    @property
    def id(self) -> str:
        """The ID column: `3-4`."""
        return f"{self.first}-{self.last}"

    @property
    def form(self) -> str:
        """The surface form."""
        return self.columns[0]

    @property
    def misc(self) -> str:
        """The MISC column."""
        return self.columns[-1]


@dataclass(frozen=True, slots=True)
class EmptyNode:
    """A node of the enhanced graph that is not a word: `8.1` comes after word 8."""

    after: int
    index: int
    columns: tuple[str, ...]  # FORM to MISC, as in the file

    @property
    def id(self) -> str:
        """The ID column: `8.1`."""
        return f"{self.after}.{self.index}"

    @property
    def form(self) -> str:
        """The form, often `_`."""
        return self.columns[0]

    @property
    def position(self) -> int:
        """How many words stand before this row."""
        return self.after


@dataclass(frozen=True, slots=True)
class SurfaceToken:
    """A surface token: words `first` to `last`."""

    form: str
    first: int
    last: int
    space_after: bool


def has_no_space_after(misc: str) -> bool:
    """Whether MISC holds `SpaceAfter=No`."""
    return "SpaceAfter=No" in misc and "SpaceAfter=No" in misc.split("|")


def joined(tokens: Sequence[SurfaceToken]) -> str:
    """The text that surface tokens make."""
    pieces = [token.form + (" " if token.space_after else "") for token in tokens]
    return "".join(pieces).rstrip(" ")


def find_form(text: str, form: str, start: int) -> tuple[int, int] | None:
    """The span of `form` in `text` at `start`, after spaces; any space matches any other."""
    while start < len(text) and text[start].isspace() and not form.startswith(text[start]):
        start += 1
    end = start + len(form)
    if text.startswith(form, start):
        return start, end
    piece = text[start:end]
    alike = len(piece) == len(form) and all(
        a == b or (a.isspace() and b.isspace()) for a, b in zip(piece, form, strict=True)
    )
    return (start, end) if alike else None
