"""Neural parsers of several treebanks: how accurate they are, and how far they can be trusted.

    python benchmarks/neural_treebanks.py FOLDER NAME… [--losses local crf hinge] [--seeds 2]
        [--epochs N] [--device cuda]

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. The
networks of one loss are trained at once (`neural_trials`), without vectors, and are measured on dev
after the last epoch, in 8 bits, under their own tags: means over seeds of F1 as in the CoNLL 2018
shared task, and expected calibration errors in per cent of the probabilities of heads (before and
after a temperature is fitted to the first half of dev) and of whole trees, on the second half.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.learners.neural.batches import NumberedSentences
from headwise.learners.neural.calibrating import encoded_without_tags, head_curves
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.scoring.neural.wordfeatures import WordFeatures
from neural_trials import networks

TITLES = ("treebank", "loss", "UPOS", "UAS", "LAS", "temperature",
          "heads, not fitted", "heads", "trees")  # fmt: skip


def part_of(folder: Path, name: str) -> list[Sentence]:
    """The sentences of a part of a treebank."""
    return list(read_sentences(next(folder.glob(f"*{name}.conllu.gz"))))


def trust(parser: NeuralParser, dev: Sequence[Sentence]) -> Iterator[float]:
    """The temperature fitted to half of dev; errors of heads without and with it, and of trees."""
    half = len(dev) // 2
    parser.calibrate(dev[:half])
    names = parser.vocabulary_
    data = NumberedSentences.of(dev[half:], names, WordFeatures(names))
    search = parser.search()
    encoded = encoded_without_tags(search, data, 0, len(data))
    problems = [
        (search.scores_of(encoded.sentence(n)), data.heads[start:end].astype(np.int64))
        for n, (start, end) in enumerate(zip(data.starts, data.starts[1:], strict=False))
    ]
    raw, fitted = (head_curves(search, problems, t) for t in (1.0, parser.temperature_))
    yield parser.temperature_
    for found, name in ((raw, "heads"), (fitted, "heads"), (fitted, "trees")):
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
    lines = [f"| {' | '.join(TITLES)} |", f"|---|---{'|--:' * (len(TITLES) - 2)}|"]
    for name in options.names:
        treebank = (part_of(options.folder / name, "train"), part_of(options.folder / name, "dev"))
        for loss in options.losses:
            base = NeuralParser(loss=loss, epochs=options.epochs, device=options.device)
            rows = []
            for one in networks(base, [base], treebank, None, options.seeds):
                own = pipeline_scores(Pipeline(parser=one), treebank[1])["own tags"]
                rows.append([own["upos"], own["uas"], own["las"], *trust(one, treebank[1])])
            cells = [f"{value:.2f}" for value in np.mean(np.array(rows, float), axis=0).tolist()]
            lines.append(f"| {name} | {loss} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    print("\n".join(["", *lines]))


if __name__ == "__main__":
    main()
