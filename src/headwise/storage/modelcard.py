"""Model cards, in Markdown."""

from collections.abc import Iterable

from headwise.safe import safe_text

Row = tuple[object, object]
"""The name and value of a row of the card."""


def card_of(title: str, rows: Iterable[Row], does: str = "") -> str:
    """A model card with a table; `does` is a sentence on what the model does."""
    made = f"Made by Headwise. {does}".rstrip()
    cells = [f"| {cell(str(name).replace('_', ' '))} | {cell(value)} |" for name, value in rows]
    return "\n".join([f"# {title}", "", made, "", "| | |", "|---|---|", *cells]) + "\n"


def cell(value: object) -> str:
    """A value escaped for a cell of a Markdown table."""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return safe_text(text).replace("|", "\\|")
