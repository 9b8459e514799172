"""Figures in the prose of the pages: cells of tables, differences of two cells, and their ranges.

    {TABLE / row / … / column}             a cell, as the table shows it
    {by 1: A; B}                           A - B without its sign, to one decimal place
    {signed 1: A; B}                       the same with its sign
    {range 2: A; B}                        the lowest and the highest A - B
    {span 2: A}                            the lowest and the highest A

A and B are cells. Rows are found by their first cells (an empty one is as in the row above).
Any of them, and the column, may be `*`, or several texts with ` or ` between them: then all those
cells are meant, row by row, the nth of A with the nth of B, or all of A with the only one of B.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

MARK = re.compile(
    r"\{(?:(by|signed|range|span)\s+(\d):\s*)?([\w-]+\s/\s[^{};]+)(?:;\s+([\w-]+\s/\s[^{}]+))?\}"
)
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Cells:
    """A table in Markdown as its cells."""

    header: list[str]
    rows: list[list[str]]

    @classmethod
    def of(cls, markdown: str) -> "Cells":
        """The cells of a table, empty first ones as in the row above."""
        lines = [line for line in markdown.splitlines() if line.startswith("|")]
        found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        header, _, *rows = found
        for above, row in pairwise(rows):
            row[0] = row[0] or above[0]
        return cls(header, rows)

    def find(self, where: list[str]) -> list[str]:
        """The cells of columns, in rows that begin in this way."""
        *starts, title = where
        columns = [
            number
            for number, name in enumerate(self.header)
            if number >= len(starts) and is_meant(name, title)
        ]
        if title != "*" and " or " not in title:
            columns = columns[:1]  # tables of a paper's figures beside ours repeat their headers
        return [
            row[column]
            for row in self.rows
            if all(map(is_meant, row, starts))
            for column in columns
        ]


def is_meant(cell: str, wanted: str) -> bool:
    """Whether a cell is one of those that a mark wants."""
    return wanted == "*" or cell in wanted.split(" or ")


def value_of(cell: str) -> float:
    """The first number of a cell."""
    found = re.search(r"[-+]?\d[\d,]*(?:\.\d+)?", cell.replace(MINUS, "-"))
    if found is None:
        raise ValueError(f"there is no number in {cell!r}")
    return float(found[0].replace(",", ""))


def signed(value: float, digits: int) -> str:
    """A number with its sign; one that rounds to 0 has none."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def unique(texts: Iterable[str]) -> list[str]:
    """Texts without repetitions."""
    return list(dict.fromkeys(texts))


@dataclass(frozen=True)
class Figures:
    """What stands in the place of marks; `table` gives the Markdown of a table by its name."""

    table: Callable[[str], str]

    def cells(self, mark: str) -> list[str]:
        """All cells that a mark names; it may be broken over two lines."""
        name, *where = (" ".join(one.split()) for one in re.split(r"\s/\s", mark))
        found = Cells.of(self.table(name)).find(where)
        if not found:
            raise ValueError(f"the table {name} has no row {' / '.join(where)}")
        return found

    def differences(self, one: str, other: str) -> list[float]:
        """Each cell less its counterpart; cells without a figure are left out."""
        first, second = self.cells(one), self.cells(other)
        if len(second) == 1:
            second *= len(first)
        pairs = zip(first, second, strict=True)
        return [value_of(a) - value_of(b) for a, b in pairs if "–" not in (a, b) and a and b]

    def text(self, mark: re.Match[str]) -> str:
        """What stands in the place of a mark."""
        way, places, one, other = mark.groups()
        if way is None:
            (cell,) = self.cells(one)
            return cell
        digits = int(places)
        if way == "span":
            values = [value_of(cell) for cell in self.cells(one)]
            return " to ".join(unique(f"{end(values):.{digits}f}" for end in (min, max)))
        values = self.differences(one, other)
        if way == "range":
            return " to ".join(unique(signed(end(values), digits) for end in (min, max)))
        if len(values) != 1:
            raise ValueError(f"{mark[0]} is {len(values)} differences, not one")
        (value,) = values
        return f"{abs(value):.{digits}f}" if way == "by" else signed(value, digits)

    def filled(self, prose: str) -> str:
        """Prose with its figures."""
        return MARK.sub(self.text, prose)
