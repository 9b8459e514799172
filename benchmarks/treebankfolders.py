"""Folders of treebanks, each a folder with files ending in train.conllu.gz and dev.conllu.gz."""

import argparse
from collections.abc import Collection
from pathlib import Path

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence

SHARED = Path(__file__).parents[2] / "shared"
"""Data beside the repository."""


def arguments(about: str) -> argparse.ArgumentParser:
    """The options of a script about all treebanks of a folder, or some of them."""
    options = argparse.ArgumentParser(description=about.partition("\n")[0])
    options.add_argument("folder", type=Path, help="contains a folder for each treebank")
    options.add_argument("names", nargs="*", metavar="NAME", help="treebanks [default: all]")
    return options


def folders_in(folder: Path, names: Collection[str] = ()) -> list[Path]:
    """The folders of treebanks, or of those with some names."""
    found = sorted(one.parent for one in folder.glob("*/*train.conllu.gz"))
    return [one for one in found if not names or one.name in names]


def files_of(folder: Path) -> tuple[Path, Path]:
    """The files of a treebank: train and dev."""
    train, dev = (next(folder.glob(f"*{part}.conllu.gz")) for part in ("train", "dev"))
    return train, dev


def sentences_of(folder: Path) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences of a treebank: train and dev."""
    train, dev = (list(read_sentences(file)) for file in files_of(folder))
    return train, dev
