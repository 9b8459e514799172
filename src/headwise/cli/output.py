"""How commands speak: tables and JSON on standard output, complaints on standard error."""

import json
import os
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.console import RenderableType


def complain(message: str, kind: str = "error") -> None:
    """One line on standard error, with nothing raw from the data in it."""
    print(f"headwise: {kind}: {safe_text(message)}", file=sys.stderr)


WITHOUT_CODES = ("dumb", "unknown")
"""Values of `TERM` that stand for terminals without colours and cursors."""


def obeys_codes(stream: TextIO) -> bool:
    """Whether this is a terminal that can show colours and move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in WITHOUT_CODES


def shows_colours() -> bool:
    """Whether standard output is a terminal with colours, of someone who wants them."""
    return obeys_codes(sys.stdout) and not os.environ.get("NO_COLOR")


def speaks_unicode() -> bool:
    """Whether standard output can show characters beyond ASCII."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


IN_ASCII = str.maketrans({"−": "-", "…": "~"})
"""What stands for the signs of our tables where there is only ASCII; columns keep their width."""

WIDEST = 1000
"""The widest table, where there is no terminal to fit."""


def print_tables(*tables: "RenderableType") -> None:
    """Show tables as wide as the terminal, but never so narrow that figures are lost."""
    from rich.console import Console

    colours: Any = "auto" if shows_colours() else None  # None: no bold type either
    for table in tables:
        wanted = Console(width=WIDEST).measure(table)
        room = get_terminal_size().columns if sys.stdout.isatty() else wanted.maximum
        width = max(room, wanted.minimum)
        console = Console(highlight=False, color_system=colours, width=width)
        with console.capture() as drawn:
            console.print(table)
        text = drawn.get()
        print(text if speaks_unicode() else text.translate(IN_ASCII), end="")


def print_json(data: Any) -> None:
    """Print data as JSON. In ASCII, so that a terminal gets nothing raw either."""
    print(json.dumps(data, indent=2, allow_nan=False))
