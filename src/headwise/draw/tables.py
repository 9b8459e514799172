"""Tables in one style. Everything that comes from data is passed through `shown`."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from headwise.safe import safe_text


def shown(text: str) -> Text:
    """Text from data, without control characters and markup."""
    return Text(safe_text(text))


def fitting(table: Table, available: int) -> list[Table]:
    """The table if no word in it has to be cut; otherwise several with some columns each.

    Each has the first column, which contains names. A part that is still too wide is shown as is.
    """
    pieces: list[list[int]] = [[]]
    for column in range(1, len(table.columns)):
        if not pieces[-1] or fits(part_of(table, [*pieces[-1], column]), available):
            pieces[-1].append(column)
        else:
            pieces.append([column])
    found = [part_of(table, columns) for columns in pieces]
    found[0].title = table.title
    return found


def fits(table: Table, available: int) -> bool:
    """Whether a table fits into `room` columns."""
    console = Console(width=available, force_terminal=False)
    lines = "".join(segment.text for segment in console.render(table)).split("\n")
    return max(map(cell_len, lines)) <= available


def part_of(table: Table, columns: Sequence[int]) -> Table:
    """The first column of a table and some others, without the title."""
    part = new_table("", "", [])
    part.columns.clear()
    chosen = [table.columns[number] for number in (0, *columns)]
    for column in chosen:
        texts = (column.header, *column.cells)
        words = [word for text in texts for word in str(text).split()]
        part.add_column(
            column.header,
            justify=column.justify,
            overflow=column.overflow,
            min_width=max(map(cell_len, words), default=0),  # so that no name is cut
        )
    rows = zip(*(column.cells for column in chosen), strict=True)
    for row, cells in zip(table.rows, rows, strict=True):
        part.add_row(*cells, end_section=row.end_section)
    return part


def new_table(title: str, first: str, others: Iterable[str]) -> Table:
    """A table with names in the first column and numbers in the others."""
    table = Table(
        title=shown(title),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
        min_width=min(len(title), 60),  # keep the title on one line
    )
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(shown(name), justify="right", overflow="fold")
    return table
