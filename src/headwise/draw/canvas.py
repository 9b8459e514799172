"""A grid of terminal cells for lines and text."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntFlag
from itertools import groupby
from operator import itemgetter

from headwise.draw.arcs import Mark
from headwise.draw.width import ELLIPSIS, display_width


class Direction(IntFlag):
    """The directions in which a line leaves a cell."""

    UP = 1
    DOWN = 2
    LEFT = 4
    RIGHT = 8


ALL_DIRECTIONS = Direction.UP | Direction.DOWN | Direction.LEFT | Direction.RIGHT
ACROSS = Direction.LEFT | Direction.RIGHT
ALONG = Direction.UP | Direction.DOWN


class Style(Enum):
    """The style of a cell, as an ANSI code; arcs of only one of two trees are dashed as well."""

    PLAIN = ""
    FAINT = "2"
    LABEL = "36"  # cyan
    ROOT = "1"  # bold
    FIRST = "31"  # red: removed, as in a diff
    SECOND = "32"  # green: added
    CHANGED = "33"  # yellow


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters for lines and marks."""

    lines: str  # one per combination of directions, by its value
    junction: str  # where lines from all directions join; where they cross, one passes over
    dashed: str
    row_arrows: Mapping[Mark, str]  # of arcs above and below words in a row
    line_arrows: Mapping[Mark, str]  # of arcs beside words in lines
    marks: Mapping[Mark, str]  # before a label
    root: str
    ellipsis: str
    head: str  # before the number of a head
    only_ascii: bool = False

    def text(self, text: str) -> str:
        """A text, already safe, in the available characters."""
        if not self.only_ascii or text.isascii():
            return text
        text = text.replace("≠", "!=").replace("←", self.head)
        return text.encode("ascii", "backslashreplace").decode("ascii")


BOX = Glyphs(
    lines=" ╵╷│╴┘┐┤╶└┌├─┴┬│",
    junction="┼",
    dashed="╌",
    row_arrows={Mark.BOTH: "▼", Mark.FIRST: "▽", Mark.SECOND: "△"},
    line_arrows={Mark.BOTH: "►", Mark.FIRST: "▷", Mark.SECOND: "◁"},
    marks={Mark.BOTH: "", Mark.FIRST: "▷", Mark.SECOND: "◁"},
    root="●",
    ellipsis=ELLIPSIS,
    head="←",
)

ASCII = Glyphs(
    lines=" '.|-'.+-'.+-++|",
    junction="+",
    dashed="~",
    row_arrows={Mark.BOTH: "v", Mark.FIRST: "1", Mark.SECOND: "2"},
    line_arrows={Mark.BOTH: ">", Mark.FIRST: "1", Mark.SECOND: "2"},
    marks={Mark.BOTH: "", Mark.FIRST: "1:", Mark.SECOND: "2:"},
    root="*",
    ellipsis="~",
    head="<-",
    only_ascii=True,
)


class Canvas:
    """Rows of cells: lines that join automatically, and text over them."""

    def __init__(self, rows: int, width: int, glyphs: Glyphs) -> None:
        self.width = width
        self.glyphs = glyphs
        self._directions = [[0] * width for _ in range(rows)]
        self._texts: list[list[str | None]] = [[None] * width for _ in range(rows)]
        self._styles = [[Style.PLAIN] * width for _ in range(rows)]
        self._junctions: set[tuple[int, int]] = set()

    def line(self, row: int, column: int, directions: int, style: Style = Style.FAINT) -> None:
        """Add line ends to a cell."""
        self._directions[row][column] |= directions
        self._styles[row][column] = style

    def horizontal(self, row: int, left: int, right: int, style: Style = Style.FAINT) -> None:
        """Draw a line from the middle of cell `left` to the middle of cell `right`."""
        if left >= right:
            return
        self.line(row, left, Direction.RIGHT, style)
        for column in range(left + 1, right):
            self.line(row, column, ACROSS, style)
        self.line(row, right, Direction.LEFT, style)

    def vertical(self, column: int, top: int, bottom: int, style: Style = Style.FAINT) -> None:
        """Draw a line from the middle of row `top` to the middle of row `bottom`."""
        self.line(top, column, Direction.DOWN, style)
        for row in range(top + 1, bottom):
            self.line(row, column, ALONG, style)
        self.line(bottom, column, Direction.UP, style)

    def junction(self, row: int, column: int) -> None:
        """Join lines from all four directions here; otherwise they would cross."""
        self._junctions.add((row, column))

    def write(self, row: int, column: int, text: str, style: Style = Style.PLAIN) -> None:
        """Write a text, which must fit, over anything there."""
        width = display_width(text)
        if width == 0:
            return
        self._texts[row][column : column + width] = [text, *[""] * (width - 1)]
        self._styles[row][column : column + width] = [style] * width

    def render(self, colour: bool) -> str:
        """The drawing, one line per row, without trailing spaces."""
        return "\n".join(self._row(row, colour) for row in range(len(self._directions)))

    def _row(self, row: int, colour: bool) -> str:
        cells = [self._cell(row, column) for column in range(self.width)]
        while cells and cells[-1] == " ":
            cells.pop()
        if not colour:
            return "".join(cells).rstrip(" ")
        styled = zip(cells, self._styles[row], strict=False)
        return "".join(
            painted("".join(cell for cell, _ in run), style)
            for style, run in groupby(styled, key=itemgetter(1))
        )

    def _cell(self, row: int, column: int) -> str:
        text = self._texts[row][column]
        if text is not None:
            return text
        directions = self._directions[row][column]
        if directions == ALL_DIRECTIONS and (row, column) in self._junctions:
            return self.glyphs.junction
        if directions == ACROSS and self._styles[row][column] in (Style.FIRST, Style.SECOND):
            return self.glyphs.dashed
        return self.glyphs.lines[directions]


def painted(text: str, style: Style) -> str:
    """A text in the colour of a style."""
    return f"\x1b[{style.value}m{text}\x1b[0m" if style.value else text
