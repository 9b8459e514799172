"""The sample treebank that comes with the package: something to look at before anything else."""

from collections.abc import Iterator
from importlib.resources import as_file, files

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import Sentence


def read_sample() -> Iterator[Sentence]:
    """Six sentences with multiword tokens, an empty node and a non-projective tree."""
    with as_file(files("headwise") / "data" / "sample.conllu") as path:
        yield from read_conllu(path)
