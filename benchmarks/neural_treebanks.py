"""Neural parsers of several treebanks: how accurate they are, and how far they can be trusted.

    python benchmarks/neural_treebanks.py FOLDER NAME… [--losses local crf hinge] [--seeds 2]
        [--epochs N] [--device cuda]

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. The
networks of one loss are trained at once (`neural_trials`), without vectors, and are measured on dev
after the last epoch, in 8 bits, under their own tags: means over seeds of F1 as in the CoNLL 2018
shared task, and expected calibration errors in per cent of the probabilities of heads (before and
after temperatures are fitted to half of dev) and of whole trees, on the other half.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.inference.temperatures import UNFITTED
from headwise.learners.calibrating import for_reliability, reliability
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.pipelinescores import pipeline_scores
from neural_trials import networks
from pages import figures, head, row
from treebankfolders import sentences_of

TITLES = ("treebank", "loss", "UPOS", "UAS", "LAS", "temperature",
          "heads, not fitted", "heads", "trees")  # fmt: skip


def trust(parser: NeuralParser, dev: Sequence[Sentence]) -> Iterator[float]:
    """The temperature fitted to half of dev; errors of heads without and with it, and of trees."""
    half = [dev[number] for number in for_reliability(len(dev))]
    given = [Sentence.from_words(one.forms) for one in half]
    parser.temperatures_ = UNFITTED
    raw = reliability(parser.search(), half, given)
    found = parser.calibrate(dev).report_["calibration"]
    yield parser.temperatures_.heads
    yield 100 * raw["heads"].error
    for name in ("heads", "trees"):
        yield 100 * found[name]["error"]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--losses", nargs="+", default=["local"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--epochs", type=int, help="by default those of `headwise train`")
    parser.add_argument("--device", default="auto")
    options = parser.parse_args(arguments)
    lines = [head(*TITLES, texts=2)]
    for name in options.names:
        treebank = sentences_of(options.folder / name)
        for loss in options.losses:
            base = NeuralParser(loss=loss, epochs=options.epochs, device=options.device)
            rows = []
            for one in networks(base, [base], treebank, None, options.seeds):
                own = pipeline_scores(Pipeline(parser=one), treebank[1])["own tags"]
                rows.append([own["upos"], own["uas"], own["las"], *trust(one, treebank[1])])
            means = np.mean(np.array(rows, float), axis=0).tolist()
            lines.append(row(name, loss, *figures(means)))
            print(lines[-1], flush=True)
    print("\n".join(["", *lines]))


if __name__ == "__main__":
    main()
