"""Texts by name: those that come with the package, or a user's own files."""

from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from headwise.corpus.files import read_lines
from headwise.errors import UsageError


def named_lines(
    name: str | Path, known: Sequence[str], folder: str, what: str
) -> tuple[Iterable[str], str]:
    """The lines of a text, and what it is called in messages.

    known: names of texts in a folder of the package's data; others are files.
    what: what these texts are, for messages.
    """
    if name in known:
        text = resources.files("headwise").joinpath("data", folder, f"{name}.txt")
        return text.read_text(encoding="utf-8").splitlines(), f"{name}.txt"
    if not Path(name).is_file():
        named = ", ".join(known)
        raise UsageError(f"no {what} {str(name)!r}: neither a file nor one of {named}")
    return read_lines(name), str(name)
