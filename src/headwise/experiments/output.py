"""Writing a table to files, each completely or not at all."""

import json
from pathlib import Path

from headwise.corpus.output import write_text
from headwise.experiments.formats import to_csv, to_json, to_markdown
from headwise.experiments.plan import Plot
from headwise.experiments.plots import draw_table
from headwise.experiments.table import ResultTable


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
