"""The one look of our tables. Everything that comes from data passes through `shown`."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from headwise.safe import safe_text


def shown(text: str) -> Text:
    """Text from data: no control characters, and no markup."""
    return Text(safe_text(text))


def fitting(table: Table, room: int) -> list[Table]:
    """The table, if no word in it has to be cut; or else several, of some columns each.

    Each has the first column, which holds names. One that is too wide even so is shown as it is.
    """
    pieces: list[list[int]] = [[]]
    for column in range(1, len(table.columns)):
        if not pieces[-1] or fits(part_of(table, [*pieces[-1], column]), room):
            pieces[-1].append(column)
        else:
            pieces.append([column])
    found = [part_of(table, columns) for columns in pieces]
    found[0].title = table.title
    return found


def fits(table: Table, room: int) -> bool:
    """Whether a table is no wider than there is room."""
    console = Console(width=room, force_terminal=False)
    lines = "".join(segment.text for segment in console.render(table)).split("\n")
    return max(map(cell_len, lines)) <= room


def part_of(table: Table, columns: Sequence[int]) -> Table:
    """The first column of a table and some others, without its title."""
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
            min_width=max(map(cell_len, words), default=0),  # no name is cut for another's sake
        )
    rows = zip(*(column.cells for column in chosen), strict=True)
    for row, cells in zip(table.rows, rows, strict=True):
        part.add_row(*cells, end_section=row.end_section)
    return part


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
