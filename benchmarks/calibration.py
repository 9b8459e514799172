"""How far the probabilities of models can be trusted; fits them anew to development data.

    python benchmarks/calibration.py MODEL… --dev DEV [--others FILE…] [--fit] [--into PAGE]

Prints a table of expected calibration errors in per cent, ten bins, of the probabilities of heads,
of relations of words with the right head, of tags that the model finds, and of whole trees (heads),
under its own tags and under those of the file: on every second sentence of DEV, none of which was
fitted to, and on all sentences of other files. In brackets: what the error would be on average if
the probabilities were exactly right, as the answers of a bin are few (means of 100 drawings).

With --fit, temperatures and curves of the models are first fitted to the other half of DEV, and
written into their folders with the reliability curves of their cards; nothing else changes, and the
files of weights stay the same to the byte. It takes seconds, and no training.
"""

import argparse
import filecmp
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.evaluate.calibration import Calibration, calibration
from headwise.learners.calibrating import for_reliability
from headwise.pipeline.calibrating import calibrate, trust
from headwise.pipeline.models import as_pipeline, model_path
from headwise.storage.modelfile import CARD, CONFIG, WEIGHTS, load_model
from pages import put

KINDS = {"heads": "heads", "labels": "relations", "tags": "UPOS", "trees": "trees"}
DRAWINGS = 100


def fit(path: Path, dev: Sequence[Sentence]) -> None:
    """Fit a stored model anew, whose weights must come out as they are."""
    settings, pipeline = load_model(path, "pipeline").settings, as_pipeline(path)
    calibrate(pipeline, dev)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / path.name
        pipeline.save(made, about=settings["about"], report=settings["report"])
        if not filecmp.cmp(made / WEIGHTS, path / WEIGHTS, shallow=False):
            raise SystemExit(f"{path}: its weights would change, so nothing was written")
        for name in (CONFIG, CARD):
            shutil.copyfile(made / name, path / name)


def by_chance(found: Calibration) -> float:
    """The error of probabilities that are exactly right, for as many answers as in each bin."""
    random = np.random.default_rng(0)
    chances = np.concatenate([np.full(one.count, one.probability) for one in found.curve])
    drawn = [calibration(chances, random.random(len(chances)) < chances) for _ in range(DRAWINGS)]
    return float(np.mean([one.error for one in drawn]))


def cell(found: Mapping[str, Calibration], kind: str) -> str:
    """An error, and what chance alone would make of it."""
    if kind not in found:
        return ""
    return f"{100 * found[kind].error:.2f} ({100 * by_chance(found[kind]):.2f})"


def rows(model: str, sets: Mapping[str, Sequence[Sentence]]) -> Iterator[str]:
    """The rows of a model."""
    pipeline = as_pipeline(model)
    for name, gold in sets.items():
        for condition, found in trust(pipeline, gold).items():
            cells = " | ".join(cell(found, kind) for kind in KINDS)
            yield f"| {Path(model).name} | {name} | {condition} | {cells} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="+", help="names or folders")
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--others", type=Path, nargs="*", default=[], help="other treebanks")
    parser.add_argument("--fit", action="store_true", help="fit the models anew and store them")
    parser.add_argument("--into", type=Path, help="a page that the table is put into")
    options = parser.parse_args(arguments)
    dev = list(read_sentences(options.dev))
    for model in options.models if options.fit else ():
        fit(model_path(model), dev)
    sets = {f"half of {plain_name(options.dev)}": [dev[n] for n in for_reliability(len(dev))]}
    sets |= {plain_name(one): list(read_sentences(one)) for one in options.others}
    lines = [
        f"| model | sentences | under | {' | '.join(KINDS.values())} |",
        "|---|---|---|" + "--:|" * len(KINDS),
    ]
    for model in options.models:
        for row in rows(model, sets):
            lines.append(row)
            print(row, flush=True)
    print("\n".join(["", *lines]))
    if options.into is not None:
        put(lines, options.into, "calibration")


def plain_name(path: Path) -> str:
    """The name of a treebank file without its endings."""
    return path.name.partition(".")[0]


if __name__ == "__main__":
    main()
