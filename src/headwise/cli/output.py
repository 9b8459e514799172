"""Output of commands: tables and JSON on standard output, messages on standard error."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.console import RenderableType


WRONG_CALL = 2
"""The exit code of a call that is wrong."""


_is_quiet = ContextVar("is_quiet", default=False)


@contextmanager
def quietly(wanted: bool = True) -> Iterator[None]:
    """Print errors only within the block, if this is wanted: no notes, warnings or progress."""
    before = _is_quiet.set(wanted)
    try:
        yield
    finally:
        _is_quiet.reset(before)


def is_quiet() -> bool:
    """Whether only errors are printed."""
    return _is_quiet.get()


def complain(message: str, kind: str = "error") -> None:
    """Print one line on standard error, with control characters escaped.

    Where it cannot be written, as on a full disk, the work goes on without it.
    """
    if is_quiet() and kind != "error":
        return
    with suppress(OSError):
        print(f"headwise: {kind}: {safe_text(message)}", file=sys.stderr, flush=True)


def silence_standard_output() -> None:
    """Discard what is printed from now on, and what could not be printed before."""
    with suppress(OSError):  # of one that was closed by the caller, which discards it anyway
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


WITHOUT_CODES = ("dumb", "unknown")
"""Values of `TERM` for terminals without colours and cursor movement."""


def obeys_codes(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours and cursor movement."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in WITHOUT_CODES


def shows_colours() -> bool:
    """Whether standard output is a terminal with colours, and NO_COLOR is not set."""
    return obeys_codes(sys.stdout) and not os.environ.get("NO_COLOR")


def speaks_unicode() -> bool:
    """Whether standard output can show characters beyond ASCII."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


IN_ASCII = str.maketrans({"−": "-", "…": "~"})
"""ASCII replacements of the same width for the symbols in our tables."""


WIDEST = 1000
"""Widest table where there is no terminal, in columns."""


def print_tables(*tables: "RenderableType") -> None:
    """Print tables at the width of the terminal; wider ones are split into groups of columns."""
    from rich.console import Console, Group
    from rich.table import Table

    from headwise.draw.tables import fitting

    pieces: list[RenderableType] = []
    for one in tables:
        pieces += one.renderables if isinstance(one, Group) else [one]
    for piece in pieces:
        wanted = Console(width=WIDEST, force_terminal=False).measure(piece).maximum
        available = get_terminal_size().columns if sys.stdout.isatty() else wanted
        if isinstance(piece, Table) and wanted > available:
            for part in fitting(piece, available):
                print_renderable(part, available)
        else:
            print_renderable(piece, available)


def print_renderable(shown: "RenderableType", available: int) -> None:
    """Print at a width of `available` columns, or wider if it does not fit."""
    from rich.console import Console

    colours: Any = "auto" if shows_colours() else None  # None: no bold type either
    minimum = Console(width=WIDEST, force_terminal=False).measure(shown).minimum
    width = max(available, minimum)
    console = Console(highlight=False, color_system=colours, width=width)
    with console.capture() as drawn:
        console.print(shown, width=width)  # rich takes a dumb terminal to have 80 columns
    text = drawn.get()
    print(text if speaks_unicode() else text.translate(IN_ASCII), end="")


def print_json(data: Any) -> None:
    """Print data as JSON, in ASCII, so that nothing in it can control a terminal."""
    print(json.dumps(data, indent=2, allow_nan=False))
