"""Small treebanks and a model that several commands read."""

from pathlib import Path

import pytest

from headwise.cli.app import run
from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from toytreebank import toy_treebank


@pytest.fixture
def sample(tmp_path) -> Path:
    path = tmp_path / "sample.conllu"
    write_sentences(path, read_sample())
    return path


@pytest.fixture
def other(tmp_path) -> Path:
    """The sample with the last word's head wrong in every sentence."""
    path = tmp_path / "other.conllu"
    write_sentences(
        path,
        (
            s.with_tree([*s.heads[:-1], 1 if s.heads[-1] != 1 else 2], s.relations)
            for s in read_sample()
        ),
    )
    return path


@pytest.fixture(scope="session")
def trained(tmp_path_factory) -> Path:
    """A folder with a small parser, `m`, and what it was trained with."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "few.txt").write_text("distance h.tag m.tag\nplain h.word m.word\n")
    write_sentences(folder / "train.conllu", toy_treebank(60, 1))
    sizes = ["tables.wide=10", "tables.narrow=10", "tables.filters=8"]
    settings = [part for size in sizes for part in ("--set", size)]
    settings += ["--set", f"features={folder / 'few.txt'}", "--epochs", "2"]
    settings += ["--only", "parser", "--fast"]
    assert run(["train", str(folder / "train.conllu"), "-o", str(folder / "m"), *settings]) == 0
    return folder
