"""`headwise stats`: what treebanks hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwise.cli.options import From, Json

if TYPE_CHECKING:
    from rich.table import Table

SUMMARY = {
    "sentences": "sentences",
    "words": "words",
    "forms": "different forms",
    "mean_length": "words a sentence, mean",
    "median_length": "words a sentence, median",
    "longest": "longest sentence",
    "over_100_words": "sentences over 100 words",
    "multiword_tokens": "multiword tokens",
    "empty_nodes": "empty nodes",
    "trees": "trees",
    "without_heads": "sentences without all heads",
    "not_trees": "sentences that are no trees",
    "several_roots": "trees with several roots",
    "non_projective_sentences": "non-projective trees, %",
    "non_projective_arcs": "non-projective arcs, %",
}


def stats(
    files: Annotated[list[Path], typer.Argument(help="Treebanks; - is standard input.")],
    format_name: From = None,
    top: Annotated[
        int, typer.Option(min=1, help="How many tags and relations to list of each kind.")
    ] = 20,
    as_json: Json = False,
) -> None:
    """Sizes, lengths, non-projectivity, tags and relations.

    Example: `headwise stats train.conllu dev.conllu`
    """
    from headwise.cli.output import print_json, print_tables
    from headwise.corpus.formats import read_sentences
    from headwise.corpus.statistics import Statistics

    found = {
        str(file): Statistics.of(read_sentences(file, format_name)).to_json() for file in files
    }
    if as_json:
        print_json(found)
        return
    kinds = {"upos": "UPOS", "xpos": "XPOS", "relations": "Relations"}
    tables = [_count_table(title, key, found, top) for key, title in kinds.items()]
    print_tables(_summary_table(found), *(table for table in tables if table.row_count))


def _new_table(title: str, found: dict[str, dict[str, Any]]) -> "Table":
    from rich.table import Table
    from rich.text import Text

    from headwise.draw.safe import safe_text

    table = Table("", title=title, title_justify="left")
    for name in found:
        table.add_column(Text(safe_text(Path(name).name)), justify="right")
    return table


def _summary_table(found: dict[str, dict[str, Any]]) -> "Table":
    table = _new_table("Treebanks", found)
    for key, label in SUMMARY.items():
        values = [counts[key] for counts in found.values()]
        table.add_row(label, *(f"{v:,.2f}" if isinstance(v, float) else f"{v:,}" for v in values))
    return table


def _count_table(title: str, key: str, found: dict[str, dict[str, Any]], top: int) -> "Table":
    """Counts of the names most frequent over all files."""
    from rich.text import Text

    from headwise.draw.safe import safe_text

    totals: dict[str, int] = {}
    for counts in found.values():
        for name, count in counts[key].items():
            totals[name] = totals.get(name, 0) + count
    ranked = sorted(totals, key=lambda name: (-totals[name], name))
    shown = f" ({top} most frequent of {len(ranked)})" if len(ranked) > top else ""
    table = _new_table(title + shown, found)
    for name in ranked[:top]:
        cells = [f"{counts[key].get(name, 0):,}" for counts in found.values()]
        table.add_row(Text(safe_text(name)), *cells)
    return table
