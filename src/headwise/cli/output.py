"""How commands speak: tables and JSON on standard output, complaints on standard error."""

import json
import os
import sys
from typing import Any

from rich.console import Console, RenderableType

from headwise.safe import safe_text


def complain(message: str, kind: str = "error") -> None:
    """One line on standard error, with nothing raw from the data in it."""
    print(f"headwise: {kind}: {safe_text(message)}", file=sys.stderr)


def print_tables(*tables: RenderableType) -> None:
    """Show tables on standard output, as wide as the terminal, and wide where there is none."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 140
    console = Console(highlight=False, width=width)
    for table in tables:
        console.print(table)


def print_json(data: Any) -> None:
    """Print data as JSON. In ASCII, so that a terminal gets nothing raw either."""
    print(json.dumps(data, indent=2, allow_nan=False))
