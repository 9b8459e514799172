"""What scripts share that need more than an experiment file: treebanks by name, and results."""

from pathlib import Path

from headwise.corpus.sentence import Sentence
from headwise.experiments.plan import Catalogue
from headwise.experiments.treebanks import Treebank
from headwise.settings import read_settings

HERE = Path(__file__).parent
RESULTS = HERE / "results"
TREEBANKS = HERE / "../../shared/treebanks"


def sentences_of(treebanks: Path, name: str, split: str) -> list[Sentence]:
    """The sentences of one split of a treebank of the catalogue."""
    files = read_settings(HERE / "treebanks.toml", Catalogue).treebanks[name]
    return Treebank(name, files, (treebanks,)).sentences(split)
