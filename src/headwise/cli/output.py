"""How commands speak: tables and JSON on standard output, complaints on standard error."""

import json
import os
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.console import RenderableType


WRONG_CALL = 2
"""The exit code of a call that is wrong."""


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
    """Show tables as wide as the terminal; where one does not fit, columns below each other."""
    from rich.console import Console, Group
    from rich.table import Table

    from headwise.draw.tables import fitting

    pieces: list[RenderableType] = []
    for one in tables:
        pieces += one.renderables if isinstance(one, Group) else [one]
    for piece in pieces:
        wanted = Console(width=WIDEST, force_terminal=False).measure(piece).maximum
        room = get_terminal_size().columns if sys.stdout.isatty() else wanted
        if isinstance(piece, Table) and wanted > room:
            for part in fitting(piece, room):
                print_renderable(part, room)
        else:
            print_renderable(piece, room)


def print_renderable(shown: "RenderableType", room: int) -> None:
    """Show something in so many columns, or more if it takes more."""
    from rich.console import Console

    colours: Any = "auto" if shows_colours() else None  # None: no bold type either
    least = Console(width=WIDEST, force_terminal=False).measure(shown).minimum
    width = max(room, least)
    console = Console(highlight=False, color_system=colours, width=width)
    with console.capture() as drawn:
        console.print(shown, width=width)  # a dumb terminal would be taken for one of 80 columns
    text = drawn.get()
    print(text if speaks_unicode() else text.translate(IN_ASCII), end="")


def print_json(data: Any) -> None:
    """Print data as JSON. In ASCII, so that a terminal gets nothing raw either."""
    print(json.dumps(data, indent=2, allow_nan=False))
