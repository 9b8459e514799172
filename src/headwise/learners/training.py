"""One training from data to weights: epochs scored on dev, the best kept, checkpoints written."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from headwise.features.scorer import ArcScorer
from headwise.features.tables import WeightTables
from headwise.features.templates import FeatureSet
from headwise.learners.checkpoint import Run, fingerprint, restore_checkpoint, save_checkpoint
from headwise.learners.data import TrainingData
from headwise.learners.interrupt import noted_interrupts
from headwise.learners.loop import Report, TrainingState, training_steps
from headwise.learners.settings import TrainingSettings
from headwise.learners.table import learner_of
from headwise.learners.weights import LearnedWeights
from headwise.settings import to_mapping

BETWEEN_CHECKPOINTS = 10.0
"""At the end of an epoch, a checkpoint is written if the last one is so many seconds old."""

MAY_CHANGE = ("epochs", "bits", "members")
"""Settings that a training may go on with a different value of."""

DevScore = Callable[[WeightTables], float]


class Watcher(Protocol):
    """Who wants to know how training goes."""

    def progress(self, report: Report) -> None:
        """Some sentences more were learnt from."""
        ...

    def epoch(self, record: dict[str, Any]) -> None:
        """An epoch has ended."""
        ...

    def saved(self, path: Path) -> None:
        """Training was interrupted, and can go on from a checkpoint."""
        ...


class Nobody:
    """A watcher that looks away."""

    def progress(self, report: Report) -> None:
        """Look away."""

    def epoch(self, record: dict[str, Any]) -> None:
        """Look away."""

    def saved(self, path: Path) -> None:
        """Look away."""


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What came out: the averaged weights of the best epoch, or of the last without dev data."""

    tables: WeightTables
    epoch: int
    history: list[dict[str, Any]]


@dataclass(eq=False)
class Training:
    """One training: what it learns from, and where its checkpoint goes (nowhere, if None)."""

    settings: TrainingSettings
    features: FeatureSet
    data: TrainingData
    dev_score: DevScore | None = None
    checkpoint: Path | None = None
    watcher: Watcher = field(default_factory=Nobody)

    def run(self, *, resume: bool = False) -> Trained:
        """Train to the end. Interrupted, it saves a checkpoint first."""
        run = self.new_run()
        if resume and self.checkpoint is not None and self.checkpoint.exists():
            restore_checkpoint(self.checkpoint, run, self.identity())
        scorer = ArcScorer(self.features, run.state.weights.tables)
        started = saved = time.monotonic()
        with noted_interrupts() as interrupt:
            for report in training_steps(
                self.data, scorer, run.state, epochs=self.settings.epochs, seed=self.settings.seed
            ):
                self.watcher.progress(report)
                if report.ends_epoch:
                    self.end_epoch(run, report, time.monotonic() - started)
                    started = time.monotonic()
                    if started - saved > BETWEEN_CHECKPOINTS:
                        self.save(run)
                        started = saved = time.monotonic()
                if interrupt.signal_number is not None:
                    self.save(run)
                    if self.checkpoint is not None:
                        self.watcher.saved(self.checkpoint)
                    interrupt.leave()
        return Trained(self.chosen(run), run.best_epoch or self.settings.epochs, run.history)

    def new_run(self) -> Run:
        """A training before its first step."""
        weights = LearnedWeights.empty(self.settings.tables)
        learner = learner_of(self.settings, self.data.single_root)
        return Run(TrainingState(weights, learner))

    def end_epoch(self, run: Run, report: Report, seconds: float) -> None:
        """Score the weights on dev, and keep them if they are the best so far."""
        record = {
            "epoch": report.epoch,
            "loss": report.loss,
            "seconds": round(seconds, 3),
            "words_per_second": round(report.words / max(seconds, 1e-9)),
        }
        if self.dev_score is not None:
            tables = run.state.weights.averaged()
            score = self.dev_score(tables)
            record["dev_uas"] = score
            if score > max((one["dev_uas"] for one in run.history), default=-1.0):
                run.best, run.best_epoch = tables, report.epoch
        run.history.append(record)
        self.watcher.epoch(record)

    def chosen(self, run: Run) -> WeightTables:
        """The weights to keep."""
        return run.best if run.best is not None else run.state.weights.averaged()

    def save(self, run: Run) -> None:
        """Write a checkpoint, if there is a place for it."""
        if self.checkpoint is not None:
            save_checkpoint(self.checkpoint, run, self.identity())

    def identity(self) -> dict[str, Any]:
        """What must be the same for a training to go on from a checkpoint."""
        settings = to_mapping(self.settings)
        return {
            "settings": {name: settings[name] for name in settings if name not in MAY_CHANGE},
            "templates": [str(template) for template in self.features.templates],
            "sentences": fingerprint(self.data),
        }
