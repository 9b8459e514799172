"""`headwise stats`: treebank statistics."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwise.cli.options import From, HeadRules, Json
from headwise.cli.output import print_json, print_tables
from headwise.cli.progressbar import progress
from headwise.corpus.formats import read_sentences

if TYPE_CHECKING:
    from rich.table import Table

SUMMARY = {
    "sentences": "sentences",
    "words": "words",
    "forms": "distinct forms",
    "mean_length": "words per sentence, mean",
    "median_length": "words per sentence, median",
    "longest": "longest sentence",
    "over_100_words": "sentences over 100 words",
    "multiword_tokens": "multiword tokens",
    "empty_nodes": "empty nodes",
    "trees": "trees",
    "without_heads": "sentences with missing heads",
    "not_trees": "sentences that are not trees",
    "several_roots": "trees with several roots",
    "non_projective_sentences": "non-projective trees, %",
    "non_projective_arcs": "non-projective arcs, %",
}


SIDE_BY_SIDE = 4
"""Largest number of files with a column each; more files get a shorter row each."""

MANY = {
    "sentences": "sentences",
    "words": "words",
    "mean_length": "mean",
    "longest": "longest",
    "non_projective_sentences": "non-proj. trees, %",
    "non_projective_arcs": "arcs, %",
}


def stats(
    files: Annotated[list[Path], typer.Argument(help="Treebanks (- for standard input).")],
    format_name: From = None,
    head_rules: HeadRules = None,
    top: Annotated[
        int, typer.Option(min=1, help="Number of tags and relations to list per kind.")
    ] = 20,
    as_json: Json = False,
) -> None:
    """Count sentences, words, non-projective trees, tags and relations.

    Example: `headwise stats train.conllu dev.conllu`
    """
    from headwise.corpus.statistics import Statistics

    with progress("counting", *files):
        found = {
            str(file): Statistics.of(
                read_sentences(file, format_name, head_rules=head_rules)
            ).to_json()
            for file in files
        }
    if as_json:
        print_json(found)
        return
    if len(found) > SIDE_BY_SIDE:
        print_tables(_table_of_many(found))
        return
    kinds = {"upos": "UPOS", "xpos": "XPOS", "relations": "Relations"}
    tables = [_count_table(title, key, found, top) for key, title in kinds.items()]
    print_tables(_summary_table(found), *(table for table in tables if table.row_count))


def _number(value: float) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"


def _table_of_many(found: dict[str, dict[str, Any]]) -> "Table":
    from headwise.draw.tables import new_table, shown

    table = new_table("Treebanks", "", MANY.values())
    for name, counts in found.items():
        table.add_row(shown(Path(name).name), *(_number(counts[key]) for key in MANY))
    return table


def _new_table(title: str, found: dict[str, dict[str, Any]]) -> "Table":
    from headwise.draw.tables import new_table

    return new_table(title, "", [Path(name).name for name in found])


def _summary_table(found: dict[str, dict[str, Any]]) -> "Table":
    table = _new_table("Treebanks", found)
    for key, label in SUMMARY.items():
        table.add_row(label, *(_number(counts[key]) for counts in found.values()))
    return table


def _count_table(title: str, key: str, found: dict[str, dict[str, Any]], top: int) -> "Table":
    """A table of the most frequent names over all files."""
    from headwise.draw.tables import shown

    totals: Counter[str] = Counter()
    for counts in found.values():
        totals.update(counts[key])
    ranked = sorted(totals, key=lambda name: (-totals[name], name))
    extent = f" ({top} most frequent of {len(ranked)})" if len(ranked) > top else ""
    table = _new_table(title + extent, found)
    for name in ranked[:top]:
        cells = [f"{counts[key].get(name, 0):,}" for counts in found.values()]
        table.add_row(shown(name), *cells)
    return table
