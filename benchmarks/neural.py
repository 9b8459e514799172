"""Accuracy of trained neural models, and what whole numbers of 8 bits cost.

    python benchmarks/neural.py MODEL... --dev DEV [--text TEXT]

Prints a table row for each model (gold tags, own tags, raw text; F1 in per cent as in the CoNLL
2018 shared task), their mean, and with --text the words per second of the whole command, raw text
in, CoNLL-U out, on one thread (shortest of three).
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from headwise.corpus.formats import read_sentences
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.training.pipelinescores import pipeline_scores
from pages import figures, head, row
from wholecommand import cost_of

COLUMNS = (
    ("gold tags", "uas"), ("gold tags", "las"), ("own tags", "upos"), ("own tags", "uas"),
    ("own tags", "las"), ("raw text", "las"),
)  # fmt: skip
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
ROUNDS = 3


def row_of(model: Path, dev: Path) -> list[float]:
    """The scores of a model, and how much LAS its 8 bits cost (NaN if it does not say)."""
    pipeline = as_pipeline(model)
    scores = pipeline_scores(pipeline, list(read_sentences(dev)))
    found = [scores.get(condition, {}).get(name) for condition, name in COLUMNS]
    lost = float("nan")
    if isinstance(pipeline.parser, NeuralParser):
        report = pipeline.parser.report_
        lost = report.get("dev_las_floats", lost) - report.get("dev_las", lost)
    return [float("nan") if value is None else value for value in found] + [lost]


def words_per_second(model: Path, text: Path) -> float:
    """The speed of the whole command on one thread: the shortest of three, start included.

    Words are those of the trees.
    """
    with tempfile.TemporaryDirectory() as folder:
        call = ("parse", text, "--model", model, "-o", f"{folder}/out.conllu")
        seconds = min(cost_of(*call, env=ONE_THREAD).wall for _ in range(ROUNDS))
        return sum(map(len, read_sentences(f"{folder}/out.conllu"))) / seconds


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--dev", required=True, type=Path)
    parser.add_argument("--text", type=Path)
    options = parser.parse_args(arguments)
    names = [f"{condition}, {name.upper()}" for condition, name in COLUMNS]
    print(head("model", *names, "LAS lost to 8 bits"))
    rows = [row_of(model, options.dev) for model in options.models]
    means = np.mean(np.array(rows), axis=0).tolist()
    shown = [*zip([one.name for one in options.models], rows, strict=True), ("mean", means)]
    for name, values in shown:
        print(row(name, *figures(values)))
    if options.text is not None:
        for model in options.models[:1]:
            print(f"\n{model.name}: {words_per_second(model, options.text):,.0f} words per second")


if __name__ == "__main__":
    main()
