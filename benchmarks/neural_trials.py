"""Trials of settings of neural parsers: all networks of a trial are trained at once, on one device.

    python benchmarks/neural_trials.py TRAIN --dev DEV [--vectors FILE] [--seeds 2] [--epochs 40]
        [--models FOLDER] [--set sizes.units=200 …] [--trial "dropout.tags=0.3 smoothing=0" …]

One network is far too small for an accelerator: each step is one computation over the networks of
all trials and seeds, which see the same batches in the same order. So trials may differ in
`learning_rate`, `weight_decay`, `smoothing`, `averaging` and `dropout.…` only; what --set says
holds for all. Prints means over seeds of F1 on dev as in the CoNLL 2018 shared task, under own and
gold tags, of what `headwise train` would have made of the averaged weights after the last epoch:
models in whole numbers, which --models keeps. Settings that are chosen by this table were chosen on
dev.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.learners.neural.adam import new_weights
from headwise.learners.neural.batches import filled
from headwise.learners.neural.initialising import new_parameters
from headwise.learners.neural.settings import DropoutRates, NeuralSettings
from headwise.learners.neural.training import (
    NeuralRun,
    NeuralTraining,
    StepSettings,
    to_numpy,
    training_step,
)
from headwise.parsers.neural.parser import NeuralParser, learnt_from
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.scoring.neural.jaxdevice import on_device
from headwise.scoring.neural.vocabulary import Vocabulary
from pages import figures, head, row

TRACED = ("learning_rate", "weight_decay", "smoothing", "averaging")
RATES = tuple(one.name for one in fields(DropoutRates))
COLUMNS = (
    ("own tags", "upos"), ("own tags", "uas"), ("own tags", "las"),
    ("gold tags", "uas"), ("gold tags", "las"),
)  # fmt: skip


def with_settings(parser: NeuralParser, text: str) -> NeuralParser:
    """A parser with other settings, `name=value` with blanks between."""
    for setting in text.split():
        name, _, value = setting.partition("=")
        number = float(value) if "." in value or "e" in value else int(value)
        table, _, own = name.rpartition(".")
        changed: dict[str, Any] = {own: number}
        if table:
            changed = {table: replace(getattr(parser, table), **changed)}
        parser = replace(parser, **changed)
    parser.check()
    return parser


def traced(parser: NeuralSettings) -> dict[str, float]:
    """The settings in which networks of one computation may differ."""
    own = {name: float(getattr(parser, name)) for name in TRACED}
    return own | {f"dropout.{name}": float(getattr(parser.dropout, name)) for name in RATES}


def step_with(
    training: NeuralTraining, values: Mapping[str, jax.Array], *rest: Any
) -> tuple[Any, jax.Array]:
    """A step of one network, whose settings are values of the computation."""
    rates: dict[str, Any] = {name: values[f"dropout.{name}"] for name in RATES}
    own: dict[str, Any] = {name: values[name] for name in TRACED}
    settings = replace(training.settings, **own, dropout=DropoutRates(**rates))
    found: tuple[Any, jax.Array] = training_step(StepSettings.of(settings), training.decoder)(*rest)
    return found


def train(
    training: NeuralTraining, trials: Sequence[NeuralParser], vocabulary: Vocabulary, seeds: int
) -> list[dict[str, jax.Array]]:
    """Train all networks; the averaged weights of each, trial by trial, seed by seed."""
    values = [traced(trial) for trial in trials for _ in range(seeds)]
    stacked = {name: jnp.array([one[name] for one in values]) for name in values[0]}
    sizes, dimensions = trials[0].sizes, training.vectors.shape[1]
    initial = [new_parameters(sizes, vocabulary, dimensions, seed) for seed in range(seeds)]
    all_initial = initial * len(trials)
    weights = new_weights(
        {name: jnp.stack([jnp.asarray(one[name]) for one in all_initial]) for name in initial[0]}
    )
    keys = jax.vmap(jax.random.key)(jnp.tile(jnp.arange(seeds), len(trials)))

    def every(values: Any, weights: Any, vectors: Any, rows: Any, keys: Any, now: Any) -> Any:
        def one(values: Any, weights: Any, key: Any) -> Any:
            return step_with(training, values, weights, vectors, rows, key, now, training.steps)

        return jax.vmap(one)(values, weights, keys)

    step, now = jax.jit(every, donate_argnums=1), 0
    vectors, start = jnp.asarray(training.vectors), time.perf_counter()
    for epoch in range(training.epochs):
        batches, order = training.batches_in(epoch)
        for number in order:
            rows = filled(training.data, batches[number])
            weights, loss = step(stacked, weights, vectors, rows, keys, jnp.int32(now))
            now += 1
        losses = np.asarray(loss)
        spent = time.perf_counter() - start
        print(f"epoch {epoch + 1}, {spent:.0f} s, loss {losses.min():.3f} to {losses.max():.3f}",
              flush=True)  # fmt: skip
    return [{name: value[n] for name, value in weights.average.items()} for n in range(len(values))]


def networks(
    base: NeuralParser,
    trials: Sequence[NeuralParser],
    treebank: tuple[list[Sentence], list[Sentence]],
    vectors_file: Path | None,
    seeds: int,
) -> Iterator[NeuralParser]:
    """Parsers with the networks of all trials, trial by trial, seed by seed."""
    kept, dev = learnt_from(treebank[0]), treebank[1]
    base.single_root_, base.projective_ = True, base.is_projective(kept)
    vectors = base.vectors_for(kept, vectors_file)
    base.vocabulary_ = Vocabulary.of(
        kept, vectors.words, base.min_count, characters=base.sizes.characters > 0
    )
    with on_device(base.device):
        prepared = base.prepared(kept, dev, vectors)
        for weights in train(prepared[0], trials, base.vocabulary_, seeds):
            run, found = NeuralRun.start(), copy(base)
            run.epoch = prepared[0].epochs
            found.finish(to_numpy(weights), run, vectors, *prepared[1:])
            found.report_ |= {
                "sentences": len(kept), "words": sum(map(len, kept)), "left_out": 0,
                "epochs": run.epoch, "vectors": len(vectors.words),
            }  # fmt: skip
            yield found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("--dev", required=True, type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--epochs", type=int, help="by default those of `headwise train`")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--set", dest="common", nargs="+", default=[])
    parser.add_argument("--trial", dest="trials", action="append", default=[])
    parser.add_argument("--models", type=Path)
    options = parser.parse_args(arguments)
    base = with_settings(
        NeuralParser(epochs=options.epochs, device=options.device), " ".join(options.common)
    )
    trials = [with_settings(base, trial) for trial in options.trials or [""]]
    for trial in trials:
        common: dict[str, Any] = {name: getattr(base, name) for name in TRACED}
        if replace(trial, **common, dropout=base.dropout) != base:
            parser.error("trials may differ in rates only; give everything else with --set")
    dev, scores = list(read_sentences(options.dev)), []
    found = networks(base, trials, (list(read_sentences(options.train)), dev),
                     options.vectors, options.seeds)  # fmt: skip
    for number, one in enumerate(found):
        pipeline = Pipeline(parser=one)
        own = pipeline_scores(pipeline, dev)
        scores.append([own[condition][name] for condition, name in COLUMNS])
        print(number, json.dumps(own), flush=True)
        if options.models is not None:
            pipeline.save(options.models / str(number), report={"dev": own}, force=True)
    print(f"\n{head('trial', 'UPOS', 'UAS', 'LAS', 'gold tags: UAS', 'LAS')}")
    means = np.array(scores).reshape(len(trials), options.seeds, len(COLUMNS)).mean(axis=1)
    for name, values in zip(options.trials or ["defaults"], means.tolist(), strict=True):
        print(row(name, *figures(values)))


if __name__ == "__main__":
    main()
