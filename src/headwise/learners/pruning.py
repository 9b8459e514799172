"""Training the pruner that models above the first order stand on."""

from dataclasses import replace
from typing import Any

import numpy as np

from headwise.learners.data import TrainingData
from headwise.learners.development import Development
from headwise.learners.loop import training_steps
from headwise.learners.partial import completed, is_partial
from headwise.learners.settings import TrainingSettings
from headwise.learners.training import Training
from headwise.progress import Progress, silent
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.choice import decoder_of
from headwise.search.scores import Scores

CUT_OFF = 1e-4
"""The share of the pruner's weights, the largest, that 8 bits cut off."""


def train_pruner(
    settings: TrainingSettings,
    data: TrainingData,
    progress: Progress = silent,
) -> Pruner:
    """A first-order log-linear model of the same sentences. It depends on nothing but these.

    Its last weights are taken: their average is less sure of itself, and keeps more heads for the
    same oracle. `progress` is told of epochs done, and of all.
    """
    chosen = settings.pruner
    own = TrainingSettings(
        learner="log-linear",
        features=chosen.features,
        epochs=chosen.epochs,
        rate=chosen.rate,
        decay=chosen.decay,
        tables=chosen.tables,
        plausible=settings.plausible,
        seed=settings.seed,
        labels="none",
    )
    features = FeatureSet.load(chosen.features)
    training = Training(own, FeatureSpec(features), data)
    state = training.new_run().state
    scorer = training.spec.scorer(state.weights.tables)
    for report in training_steps(data, scorer, state, epochs=own.epochs, seed=own.seed):
        if report.ends_epoch:
            progress("pruner", report.epoch, own.epochs)
    small = state.weights.tables.quantised(8, CUT_OFF)
    return Pruner(ArcScorer(features, small), chosen, data.single_root)


def pruned(data: TrainingData, pruner: Pruner) -> TrainingData:
    """The same sentences over the arcs that a pruner keeps, and those of gold trees.

    Of trees of which some heads are not known, those of the pruner's best completion are kept.
    """
    decoder = decoder_of(projective=True, higher=False, single_root=data.single_root)
    golds = [
        completed(decoder, Scores(pruner.scorer.scores(data.encoded.sentence(number))), gold)
        if is_partial(gold)
        else gold
        for number, gold in enumerate(data.golds)
    ]
    return replace(data, unpruned=pruner.unpruned_with(data.encoded, golds))


def pruning_report(pruner: Pruner, compared: TrainingData | Development) -> dict[str, Any]:
    """How many heads a pruner keeps per word, and the UAS that could be reached over them."""
    kept = reached = words = known = 0
    for unpruned, gold in zip(pruner.unpruned_each(compared.encoded), compared.golds, strict=True):
        kept += int(np.count_nonzero(unpruned))
        given = 1 + np.flatnonzero(gold[1:] >= 0)
        reached += int(np.count_nonzero(unpruned[gold[given], given]))
        words, known = words + len(gold) - 1, known + len(given)
    return {"heads_a_word": kept / words, "oracle_uas": 100.0 * reached / max(known, 1)}
