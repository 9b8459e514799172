"""Tables of results as Markdown, JSON and CSV, and the files that hold them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from headwise.corpus.output import write_text
from headwise.experiments.plan import Column, Plot
from headwise.experiments.plots import draw_table
from headwise.experiments.table import ResultCell, ResultTable, Row

NOTHING = "–"
"""Shown where no run was done."""


def to_markdown(table: ResultTable) -> str:
    """A table as Markdown, with the published figures in columns after ours."""
    names = ["treebank", "system", *headings(table)]
    lines = [f"| {' | '.join(map(escaped, names))} |"]
    lines.append("|---|---|" + "--:|" * (len(names) - 2))
    before = ""
    for row in table.rows:
        name = "" if row.treebank == before else row.treebank
        before = row.treebank
        cells = [name, row.system, *texts(table, row)]
        lines.append(f"| {' | '.join(map(escaped, cells))} |")
    return "\n".join(lines) + "\n"


def headings(table: ResultTable) -> list[str]:
    """What stands above figures: sizes, our columns, and those that a paper has too."""
    ours = [column.title for column in table.columns]
    paper = [f"paper: {title}" for title, own in zip(ours, table.printed, strict=True) if own]
    return [*(["sentences"] if table.has_sizes else []), *ours, *paper]


def texts(table: ResultTable, row: Row) -> list[str]:
    """What stands under the headings."""
    size = [f"{row.size:,}"] if row.size is not None else []
    return [*size, *our_texts(table, row), *paper_texts(table, row)]


def escaped(text: str) -> str:
    """Text for a cell of a Markdown table."""
    return " ".join(text.replace("|", r"\|").split())


def our_texts(table: ResultTable, row: Row) -> list[str]:
    """Our figures of a row; empty where a column compares a system with itself."""
    return [
        "" if column.base == row.system else cell_text(cell, column)
        for column, cell in zip(table.columns, row.cells, strict=True)
    ]


def paper_texts(table: ResultTable, row: Row) -> list[str]:
    """The published figures of a row."""
    return [
        "" if value is None else as_printed(value, column)
        for column, value, is_printed in zip(table.columns, row.paper, table.printed, strict=True)
        if is_printed
    ]


def as_printed(value: float, column: Column) -> str:
    """A figure with its own digits; 94 becomes 94.0 in a column of decimals."""
    text = f"{value:.10g}"
    return f"{text}.0" if column.digits and "." not in text else text


def cell_text(cell: ResultCell, column: Column) -> str:
    """The mean, with the standard deviation over seeds if there are several."""
    if cell.interval is not None:
        return "–".join(f"{end:.{column.digits}f}" for end in cell.interval)
    if cell.mean is None:
        return NOTHING
    if column.show in ("p", "mcnemar"):
        return "<0.001" if cell.mean < 0.001 else f"{cell.mean:.3f}"
    sign = "+" if column.show == "difference" else ""
    text = f"{cell.mean:{sign}.{column.digits}f}"
    return text if cell.deviation is None else f"{text} ± {cell.deviation:.{column.digits}f}"


def to_json(table: ResultTable) -> dict[str, Any]:
    """A table as JSON data, with the values of all seeds."""
    return {
        "title": table.title,
        "rows": [
            {
                "treebank": row.treebank,
                "system": row.system,
                "sentences": row.size,
                "seeds": row.seeds,
                "columns": {
                    column.title: {
                        "values": list(cell.values),
                        **({} if cell.interval is None else {"interval": list(cell.interval)}),
                        "mean": cell.mean,
                        "deviation": cell.deviation,
                        "paper": paper,
                    }
                    for column, cell, paper in zip(table.columns, row.cells, row.paper, strict=True)
                },
            }
            for row in table.rows
        ],
    }


def to_csv(table: ResultTable) -> str:
    """A table as CSV: our mean, its standard deviation and the published figure per column."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [
        name
        for column in table.columns
        for name in (column.title, f"{column.title}, deviation", f"{column.title}, paper")
    ]
    writer.writerow(["treebank", "system", "sentences", "seeds", *names])
    for row in table.rows:
        figures = [
            value
            for column, cell, paper in zip(table.columns, row.cells, row.paper, strict=True)
            for value in (
                cell_text(cell, column) if cell.interval else cell.mean,
                cell.deviation,
                paper,
            )
        ]
        writer.writerow([row.treebank, row.system, row.size, row.seeds, *figures])
    return stream.getvalue()


def write_table(folder: Path, name: str, table: ResultTable, about: str = "") -> list[Path]:
    """Write a table as Markdown, JSON and CSV and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = [
        f"# {table.title}\n",
        about.strip() + "\n" if about.strip() else "",
        to_markdown(table),
    ]
    texts = {
        ".md": "\n".join(piece for piece in pieces if piece),
        ".json": json.dumps(to_json(table), indent=1, ensure_ascii=False) + "\n",
        ".csv": to_csv(table),
    }
    for ending, text in texts.items():
        write_text(folder / f"{name}{ending}", iter([text]))
    return [folder / f"{name}{ending}" for ending in texts]


def write_plot(folder: Path, name: str, table: ResultTable, plot: Plot | None) -> list[Path]:
    """Plot a table, if the experiment has a plot, and return the paths."""
    path = folder / f"{name}.svg"
    return [path] if plot is not None and draw_table(path, table, plot) else []
