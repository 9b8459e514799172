"""A small experiment: a toy treebank, tiny tables, runs that take moments."""

from pathlib import Path

from headwise.corpus.formats import write_sentences
from headwise.experiments.work import Work, run_tasks
from toytreebank import toy_treebank

TEXT = """
title = "A toy"
about = "Two learners."
treebanks = ["toy", "licensed"]
seeds = [0, 1]

[settings]
features = "paper-000"
epochs = 1
labels = "none"
tables = { wide = 10, narrow = 10, filters = 8 }

[[systems]]
name = "perceptron"
settings = { learner = "perceptron" }
paper.Toy = { "UAS" = 90.6, "seconds" = 10 }

[[systems]]
name = "MIRA"
paper.Toy = { "UAS" = 91.1, "seconds" = 25 }

[[columns]]
measure = "uas"
title = "UAS"

[[columns]]
measure = "uas"
show = "difference"
base = "perceptron"
title = "gain"

[[columns]]
measure = "uas"
show = "p"
base = "perceptron"
title = "p"

[[columns]]
measure = "processor_seconds"
title = "seconds"
digits = 1

[[columns]]
measure = "processor_seconds"
show = "ratio"
base = "perceptron"
title = "times"
digits = 1

[plot]
column = "UAS"

[treebank.toy]
language = "Toy"
train = ["bank/train-*.conllu"]
dev = "bank/dev.conllu"

[treebank.licensed]
language = "Toy"
train = "licensed/train.mrg"
dev = "licensed/dev.mrg"
"""


def small_world(folder: Path, text: str = TEXT) -> Path:
    """An experiment file with the files of its treebank beside it."""
    sentences = toy_treebank(40, 1)
    (folder / "bank").mkdir()
    write_sentences(folder / "bank" / "train-1.conllu", sentences[:15])
    write_sentences(folder / "bank" / "train-2.conllu", sentences[15:])
    write_sentences(folder / "bank" / "dev.conllu", toy_treebank(12, 2))
    path = folder / "toy.toml"
    path.write_text(text, "utf-8")
    return path


def finished(path: Path, jobs: int = 1, **options) -> Work:
    """An experiment with all its runs done."""
    work = Work.of_file(path, **options)
    for _ in run_tasks(work.tasks(), jobs):
        pass
    return work.reread()
