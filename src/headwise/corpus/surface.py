"""Surface tokens: how they join, and where they are found."""

from collections.abc import Sequence
from dataclasses import dataclass


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
