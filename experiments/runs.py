"""What scripts share that need more than an experiment file: treebanks by name, and results."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from headwise.constituency.files import read_trees
from headwise.corpus.constituents import Tree
from headwise.corpus.sentence import Sentence
from headwise.experiments.plan import Catalogue
from headwise.experiments.treebanks import Treebank
from headwise.storage.settings import read_settings

HERE = Path(__file__).parent
RESULTS = HERE / "results"
TREEBANKS = HERE / "../../shared/treebanks"


CATALOGUE = read_settings(HERE / "treebanks.toml", Catalogue).treebanks
LIKE = {"English": "en_ewt", "Chinese": "zh_gsd"}
"""Of each language the treebank whose settings and printed figures others have, too."""


def sentences_of(treebanks: Path, name: str, split: str) -> list[Sentence]:
    """The sentences of one split of a treebank of the catalogue."""
    return Treebank(name, CATALOGUE[name], (treebanks,)).sentences(split)


def trees_of(treebanks: Path, name: str, split: str) -> list[Tree]:
    """The constituent trees of one split; those of NAME may be a treebank of their own."""
    own = f"{name}-trees" if f"{name}-trees" in CATALOGUE else name
    return list(read_trees(*Treebank(own, CATALOGUE[own], (treebanks,)).bracket_paths(split)))


def like(name: str) -> str:
    """The treebank of the same language that we have."""
    return LIKE.get(CATALOGUE[name].language, "zh_gsd")


def arguments_of(description: str, names: Sequence[str]) -> argparse.ArgumentParser:
    """The command line of a script: where treebanks are, and which of them it is about.

    Any treebank of the catalogue will do: put your own copy of a licensed one where it says.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS, help="the folder of them all")
    parser.add_argument("--on", nargs="*", choices=list(CATALOGUE), default=names, metavar="NAME")
    return parser


def with_others(names: Sequence[str], file_of: Callable[[str], Path]) -> tuple[str, ...]:
    """The treebanks of a table: those that are always in it, and others that have results."""
    return (*names, *(one for one in CATALOGUE if one not in names and file_of(one).exists()))
