"""Plots of result tables. Require matplotlib."""

import textwrap
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from headwise.corpus.output import open_output
from headwise.draw.curves import figure_bytes, new_figure, plain_text
from headwise.experiments.plan import Plot
from headwise.experiments.table import ResultCell, ResultTable, Row

OURS, PAPER = "#0072b2", "#d55e00"


def draw_table(path: str | Path, table: ResultTable, plot: Plot) -> bool:
    """Plot a column of a table; False if there are no results yet."""
    titles = [column.title for column in table.columns]
    rows = [row for row in table.rows if row.cells[titles.index(plot.column)].values]
    if not rows:
        return False
    number = titles.index(plot.column)
    curves = plot.kind == "curves"
    height = 3.6 if curves else 1.2 + 0.28 * len(rows)
    figure = new_figure(6.4, height)
    axes = figure.subplots()
    (_curves if curves else _dots)(axes, rows, number)
    title = "\n".join(textwrap.wrap(plain_text(table.title), 80))
    figure.suptitle(title, fontsize="medium", x=0.01, ha="left")
    (axes.set_ylabel if curves else axes.set_xlabel)(plain_text(plot.column))
    axes.spines[["top", "right"]].set_visible(False)
    with open_output(path) as stream:
        stream.write(figure_bytes(figure, ".svg"))
    return True


def _dots(axes: Any, rows: list[Row], number: int) -> None:
    """A line per row: our mean with its standard deviation, and the published figure."""
    names = [plain_text(f"{row.treebank}: {row.system}") for row in rows]
    heights = list(range(len(rows)))
    axes.errorbar(
        [row.cells[number].mean for row in rows],
        heights,
        xerr=[row.cells[number].deviation or 0 for row in rows],
        fmt="o",
        color=OURS,
        label="ours",
    )
    printed = [(row.paper[number], height) for row, height in zip(rows, heights, strict=True)]
    there = [(value, height) for value, height in printed if value is not None]
    if there:
        axes.plot(*zip(*there, strict=True), "D", color=PAPER, fillstyle="none", label="paper")
    axes.set_yticks(heights, names)
    axes.invert_yaxis()
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)


def _curves(axes: Any, rows: list[Row], number: int) -> None:
    """A curve over training sizes for each system on each treebank."""
    for name, own in _by_name(rows):
        points = sorted(((row.size or 0, row.cells[number]) for row in own), key=itemgetter(0))
        cells: list[ResultCell] = [cell for _, cell in points]
        axes.errorbar(
            [size for size, _ in points],
            [cell.mean for cell in cells],
            yerr=[cell.deviation or 0 for cell in cells],
            marker="o",
            markersize=3,
            capsize=2,
            label=plain_text(name),
        )
    axes.set_xlabel("training sentences")
    axes.legend(frameon=False)


def _by_name(rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    systems = {row.system for row in rows}
    found: dict[str, list[Row]] = {}
    for row in rows:
        name = row.treebank if len(systems) == 1 else f"{row.treebank}: {row.system}"
        found.setdefault(name, []).append(row)
    yield from found.items()
