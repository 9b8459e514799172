"""The one look of our tables. Everything that comes from data passes through `shown`."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from headwise.safe import safe_text


def shown(text: str) -> Text:
    """Text from data: no control characters, and no markup."""
    return Text(safe_text(text))


def new_table(title: str, first: str, others: Iterable[str]) -> Table:
    """A table whose first column holds names and whose others hold numbers."""
    table = Table(
        title=shown(title),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
        min_width=min(len(title), 60),  # room for the title in one line
    )
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(shown(name), justify="right", overflow="fold")
    return table
