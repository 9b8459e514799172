"""Benchmark of plausible arcs: `python benchmarks/margins.py FOLDER NAME … [--features SET]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. On
each one a first-order parser is trained with default settings. Prints a Markdown table of its
scores on dev (all tokens, gold tags) with fractions of the margin it was trained with.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

from headwise.corpus.sentence import Sentence
from headwise.evaluate.attachment import evaluate
from headwise.inference.treesearch import TreeSearch
from headwise.learners import plausiblearcs
from headwise.learners.plausiblearcs import narrowed
from headwise.parsers.graph.parser import DependencyParser
from pages import head
from parse import plausible_arcs
from treebankfolders import sentences_of

SHARES = (1.0, 0.9, 0.85, 0.8, 0.7, 0.6)


def trained(sentences: list[Sentence], features: str) -> DependencyParser:
    """A parser that scores all plausible arcs of its training."""
    with mock.patch.object(plausiblearcs, "narrowed", lambda plausible: plausible):
        return DependencyParser(features=features).fit(sentences)


def searches(parser: DependencyParser) -> Iterator[TreeSearch]:
    """The search of a parser with each margin."""
    tables = parser.tables_
    for share in SHARES:
        own = narrowed(tables.plausible, share)
        yield parser.search_with(replace(tables, plausible=own))


def row(name: str, search: TreeSearch, dev: list[Sentence]) -> str:
    """The scores of a parser, and the number of arcs it scores."""
    found = evaluate(dev, search.parse_many(dev), confidence=None).all_tokens
    arcs = plausible_arcs(search, dev)
    kept = "all | 100" if arcs is None else f"{arcs.kept:.1f} of {arcs.all:.1f} | {arcs.gold:.2f}"
    return f"| {name} | {found.uas:.2f} | {found.las:.2f} | {kept} |"


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("names", nargs="+")
    options.add_argument("--features", default="default")
    chosen = options.parse_args()
    print(head("treebank", "margin", "UAS", "LAS", "arcs per word", "correct arcs kept, %"))
    for name in chosen.names:
        train, dev = sentences_of(chosen.folder / name)
        parser = trained(train, chosen.features)
        for share, search in zip(SHARES, searches(parser), strict=True):
            print(row(f"{name} | {share}", search, dev), flush=True)


if __name__ == "__main__":
    main()
