"""How far the probabilities of models can be trusted; fits them anew to development data.

    python benchmarks/calibration.py MODEL… --dev DEV [--others FILE…] [--fit] [--compare]
        [--into PAGE]

Prints a table of expected calibration errors in per cent, ten bins, of the probabilities of heads,
of relations of words with the right head, of tags that the model finds, and of whole trees (heads),
under its own tags and under those of the file: on every second sentence of DEV, none of which was
fitted to, and on all sentences of other files. In brackets: what the error would be on average if
the probabilities were exactly right, as the answers of a bin are few (means of 100 drawings).

With --fit, temperatures and curves of the models are first fitted to the other half of DEV, and
written into their folders with the reliability curves of their cards; nothing else changes, and the
files of weights stay the same to the byte. It takes seconds, and no training. With --compare, rows
follow of DEV with less than what was fitted.
"""

import argparse
import filecmp
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.evaluate.calibration import Calibration, calibration
from headwise.learners.calibrating import for_reliability
from headwise.pipeline.calibrating import calibrate, calibrated_parser, trust
from headwise.pipeline.models import as_pipeline, model_path
from headwise.pipeline.pipeline import Pipeline
from headwise.storage.modelfile import CARD, CONFIG, WEIGHTS, load_model
from pages import head, put, row

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


def rows(pipeline: Pipeline, title: str, gold: Sequence[Sentence]) -> Iterator[str]:
    """The rows of a model on some sentences."""
    for condition, found in trust(pipeline, gold).items():
        cells = (cell(found, kind) for kind in KINDS)
        yield row(pipeline.name, title, condition, *cells)


def with_less(pipeline: Pipeline) -> Iterator[tuple[str, Pipeline]]:
    """The model with less than what was fitted."""
    parser = calibrated_parser(pipeline)
    fitted = parser.temperatures_
    bare: dict[str, Any] = {"head_curve": (), "tree_curve": ()}
    given = fitted.given_tags
    no_curves = None if given is None else replace(given, **bare)
    of_heads = None if no_curves is None else replace(no_curves, trees=no_curves.heads)
    for title, chosen in (
        ("without curves", replace(fitted, **bare, given_tags=no_curves)),
        (
            "without curves, trees at the temperature of heads",
            replace(fitted, **bare, trees=fitted.heads, given_tags=of_heads),
        ),
        ("one set, that of own tags", replace(fitted, given_tags=None)),
    ):
        parser.temperatures_ = chosen
        yield title, pipeline
    parser.temperatures_ = fitted


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="+", help="names or folders")
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--others", type=Path, nargs="*", default=[], help="other treebanks")
    parser.add_argument("--fit", action="store_true", help="fit the models anew and store them")
    parser.add_argument("--compare", action="store_true", help="with less than what was fitted")
    parser.add_argument("--into", type=Path, help="a page that the table is put into")
    options = parser.parse_args(arguments)
    dev = list(read_sentences(options.dev))
    for model in options.models if options.fit else ():
        fit(model_path(model), dev)
    half = [dev[n] for n in for_reliability(len(dev))]
    sets = {f"half of {plain_name(options.dev)}": half}
    sets |= {plain_name(one): list(read_sentences(one)) for one in options.others}
    lines = [head("model", "sentences", "under", *KINDS.values(), texts=3)]
    for pipeline in map(as_pipeline, options.models):
        found = (rows(pipeline, name, gold) for name, gold in sets.items())
        more = with_less(pipeline) if options.compare else ()
        less = (rows(own, title, half) for title, own in more)
        for line in chain.from_iterable(chain(found, less)):
            lines.append(line)
            print(line, flush=True)
    print("\n".join(["", *lines]))
    if options.into is not None:
        put(lines, options.into, "calibration")


def plain_name(path: Path) -> str:
    """The name of a treebank file without its endings."""
    return path.name.partition(".")[0]


if __name__ == "__main__":
    main()
