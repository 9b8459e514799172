"""One training from data to weights: epochs scored on dev, the best kept, checkpoints written."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from headwise.errors import UsageError, warn
from headwise.kernels.arcs.plausible import Plausible, everything
from headwise.learners.callbacks import Plan, Report, TrainingCallback
from headwise.learners.checkpoint import (
    LinearRun,
    best_score,
    check_checkpoint,
    check_identity,
    checkpoint_exists,
    checkpoints,
    fingerprint,
    member_paths,
    restored_checkpoint,
    save_checkpoint,
)
from headwise.learners.data import TrainingData
from headwise.learners.development import Development
from headwise.learners.loop import TrainingState, training_steps
from headwise.learners.memoryestimate import training_memory
from headwise.learners.plausiblearcs import learn_plausible
from headwise.learners.settings import TrainingSettings
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.scorer import ArcScorer, Scorer
from headwise.scoring.linear.tables import WeightTables
from headwise.search.decoders.choice import decoder_of
from headwise.storage.modelfile import describe_model

WIDEST_GAP = 0.01
"""A programme is solved that is known to be this near to its solution, as a share of it."""

RISE = 1e-4
"""An objective that rises by more than this share of it is worth a warning."""

MAY_CHANGE = ("epochs", "bits", "drop_up_to", "members", "features", "part_features", "labeller")
"""Settings that a training may go on with a different value of. (Templates are compared.)"""


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What came out: the averaged weights of the best epoch, or of the last without dev data."""

    tables: WeightTables
    epoch: int
    history: Sequence[dict[str, Any]]


@dataclass(eq=False)
class Training:
    """One training: what it learns from, and where its checkpoint goes (nowhere, if None)."""

    settings: TrainingSettings
    spec: FeatureSpec
    data: TrainingData
    development: Development | None = None
    checkpoint: Path | None = None
    callback: TrainingCallback = field(default_factory=TrainingCallback)

    def run(self, *, resume: bool = False) -> Trained:
        """Train to the end. Interrupted, it saves a checkpoint first."""
        run = self.new_run()
        if resume and self.checkpoint is not None and checkpoint_exists(self.checkpoint):
            run = restored_checkpoint(self.checkpoint, run.state, self.identity())
            check_epochs(self.checkpoint, run.epoch, run.position, self.settings.epochs)
        self.callback.begin(self.plan(self.settings.epochs, run.history))
        steps = training_steps(
            self.data,
            self.scorer(run),
            run.state,
            epochs=self.settings.epochs,
            seed=self.settings.seed,
        )
        # Kernels are compiled here and in the first block, when there is nothing to save yet: an
        # interrupt ends that, while later ones wait for the block.
        if self.development is not None:
            self.development.compile_kernels(run.state.weights.tables)
        tick = time.monotonic()
        first = list(islice(steps, 1))
        with checkpoints(lambda: self.save(run)) as save_after:
            for report in chain(first, steps):
                run.seconds += time.monotonic() - tick
                self.callback.progress(report)
                if report.ends_epoch:
                    self.end_epoch(run, report)
                save_after(f"epoch {run.state.epoch}")
                tick = time.monotonic()
        return Trained(self.chosen(run), run.best_epoch or self.settings.epochs, run.history)

    def new_run(self) -> LinearRun:
        """A training before its first step."""
        weights = LearnedWeights.empty(
            self.settings.tables,
            self.plausible_arcs(),
            with_parts=self.spec.parts is not None,
            with_labels=self.spec.labels is not None,
            late=self.settings.averaging == "late",
        )
        decoder = decoder_of(
            projective=self.settings.decoder == "projective",
            higher=self.settings.is_higher,
            single_root=self.data.single_root,
        )
        learner = self.settings.chosen_learner()
        if self.settings.labels == "joint":
            learner = learner.joint() or learner
        run = LinearRun.start()
        run.state = TrainingState(weights, learner.start(self.data, decoder), decoder)
        return run

    def scorer(self, run: LinearRun) -> Scorer:
        """The scorer of the weights of now, of features of gold trees alone if so chosen."""
        scorer = self.spec.scorer(run.state.weights.tables)
        if self.settings.features_of == "all":
            return scorer
        assert isinstance(scorer, ArcScorer)
        return scorer.limited_to(self.data.encoded, self.data.golds)

    def plausible_arcs(self) -> Plausible:
        """Learn which arcs are plausible; all of them are where an objective needs all."""
        if self.settings.needs_all_arcs:
            return everything()
        heads = np.concatenate(self.data.golds)
        return learn_plausible(self.data.encoded, heads, self.settings.plausible)

    def plan(self, rounds: int, history: Sequence[dict[str, Any]], jobs: int = 1) -> Plan:
        """What is going to be done."""
        sentences, words = len(self.data), self.data.words
        left_out = self.data.left_out + self.data.unlabelled_left_out
        if self.data.unlabelled is not None:
            more = self.data.unlabelled
            sentences, words = sentences + len(more), words + more.words
        held = words + (self.development.words if self.development else 0)
        variables = self.settings.chosen_learner().variables(self.data)
        memory = training_memory(self.settings, held, jobs, variables)
        return Plan(sentences, words, left_out, rounds, history, memory)

    def end_epoch(self, run: LinearRun, report: Report) -> None:
        """Note what an epoch came to; without dev, the last one is kept."""
        record = report.record(run.seconds)
        solved = self.solution(run, record)
        if self.development is not None:
            tables = run.state.weights.averaged() if solved is None else solved
            self.keep_better(run, tables, self.development, record)
        elif solved is not None:
            run.best, run.best_epoch = solved, report.epoch
        run.seconds = 0.0
        run.history += (record,)
        self.callback.epoch(record)

    def keep_better(
        self, run: LinearRun, tables: WeightTables, development: Development, record: dict[str, Any]
    ) -> None:
        """Score the weights of an epoch on dev, and keep them if they are the best, or latest."""
        record |= development.scores(tables)
        name = "dev_las" if self.spec.labels is not None and "dev_las" in record else "dev_uas"
        is_last = self.settings.kept_epoch == "last"
        if is_last or record[name] > best_score(run.history, name):
            run.best, run.best_epoch = tables, record["epoch"]

    def solution(self, run: LinearRun, record: dict[str, Any]) -> WeightTables | None:
        """The weights by a learner's objective, if it has one; what they come to is recorded."""
        solved = run.state.learner.solution(self.data, self.spec, run.state.weights)
        if solved is None:
            return None
        tables, measures = solved
        record |= measures
        warn_of_trouble(run.history, record, is_last=record["epoch"] == self.settings.epochs)
        return tables

    def chosen(self, run: LinearRun) -> WeightTables:
        """The weights to keep."""
        return run.best if run.best is not None else run.state.weights.averaged()

    def save(self, run: LinearRun) -> None:
        """Write a checkpoint, if there is a place for it."""
        if self.checkpoint is not None:
            run.identity = run.identity or self.identity()
            save_checkpoint(self.checkpoint, run)

    def identity(self) -> dict[str, Any]:
        """What must be the same for a training to go on from a checkpoint."""
        development = self.development.arrays() if self.development is not None else ()
        return {
            **identity_before_stages(self.settings, self.spec, self.data),
            "development sentences": fingerprint(development),
        }


def identity_before_stages(
    settings: TrainingSettings, spec: FeatureSpec, data: TrainingData
) -> dict[str, Any]:
    """What of a training's identity is known before a pruner and a labeller are trained."""
    values = settings.complete()
    return {
        "settings": {name: values[name] for name in values if name not in MAY_CHANGE},
        "templates": spec.rows(),
        "training sentences": fingerprint(data.arrays()),
    }


def check_resumable(
    checkpoint: Path, settings: TrainingSettings, spec: FeatureSpec, data: TrainingData
) -> None:
    """Raise if a training cannot go on from a checkpoint, before a stage of it is trained."""
    if checkpoint_exists(checkpoint):
        check_checkpoint(checkpoint, identity_before_stages(settings, spec, data))
    for path in member_paths(checkpoint):
        number = int(path.name.rpartition(".")[2])
        if number <= settings.chosen_learner().members_apart:
            identity = identity_before_stages(settings_of_member(settings, number), spec, data)
            identity["number of epochs"] = settings.epochs
            saved = describe_model(path).settings.get("identity")
            check_identity(path, saved if isinstance(saved, dict) else {}, identity)


def check_epochs(checkpoint: Path, epoch: int, position: int, epochs: int) -> None:
    """Raise if a checkpoint is further than a training shall go."""
    begun = epoch + (position > 0)
    if begun > epochs:
        raise UsageError(
            f"{checkpoint} is in epoch {begun} already: ask for at least as many epochs, or "
            "begin anew with --force instead of --resume"
        )


def settings_of_member(settings: TrainingSettings, number: int) -> TrainingSettings:
    """The settings of a member of a Bayes point machine, counted from 1: a seed of its own."""
    return replace(settings, seed=settings.seed * 1000 + number - 1)


def warn_of_trouble(
    history: Sequence[dict[str, Any]], record: dict[str, Any], *, is_last: bool
) -> None:
    """Warn if an objective has risen that should fall, or is far from solved at the end."""
    objective, gap = record["objective"], record.get("gap")
    message = ""
    if gap is None and history and objective > history[-1]["objective"] * (1.0 + RISE):
        message = (
            f"the objective rose from {history[-1]['objective']:.6g} to {objective:.6g} in epoch "
            f"{record['epoch']}: a smaller rate would let it fall"
        )
    elif gap is not None and is_last and gap > WIDEST_GAP:
        message = (
            f"the programme is not solved after {record['epoch']} epochs: its objective may be "
            f"{gap:.1%} too high; more epochs, or stronger regularisation, bring it nearer"
        )
    if message:
        warn(message)
