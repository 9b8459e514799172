"""How commands speak: tables and JSON on standard output, complaints on standard error."""

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.console import RenderableType


def complain(message: str, kind: str = "error") -> None:
    """One line on standard error, with nothing raw from the data in it."""
    print(f"headwise: {kind}: {safe_text(message)}", file=sys.stderr)


def shows_colours() -> bool:
    """Whether standard output is a terminal, of someone who has nothing against colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def speaks_unicode() -> bool:
    """Whether standard output can show characters beyond ASCII."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


WIDEST = 1000
"""The widest table, where there is no terminal to fit."""


def print_tables(*tables: "RenderableType") -> None:
    """Show tables as wide as the terminal, but never so narrow that figures are lost."""
    from rich.console import Console

    class _Console(Console):
        """A console that leaves it to the caller what a closed pipe means."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    terminal = _Console(highlight=False)
    for table in tables:
        wanted = _Console(width=WIDEST).measure(table)
        room = terminal.width if terminal.is_terminal else wanted.maximum
        _Console(highlight=False, width=max(room, wanted.minimum)).print(table)


def print_json(data: Any) -> None:
    """Print data as JSON. In ASCII, so that a terminal gets nothing raw either."""
    print(json.dumps(data, indent=2, allow_nan=False))
