"""Runs: one training and its scores, identified by everything they depend on."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from headwise.experiments.plan import Experiment, Guide, Split, SystemParser, Tagging
from headwise.learners.settings import TrainingSettings
from headwise.storage.settings import from_mapping, to_mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRun:
    """One training run.

    settings: the explicit settings; all others have their defaults.
    sentences: number of training sentences; None for all.
    """

    treebank: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    sentences: int | None = None
    parser: SystemParser = "dependency"
    guide: Guide = "none"
    tagging: Tagging = "gold"
    scored_on: Split = "dev"

    def training_settings(self) -> TrainingSettings:
        """The settings, with defaults."""
        return TrainingSettings(**self.settings)

    def given(self) -> dict[str, Any]:
        """The explicit settings as JSON data."""
        complete = to_mapping(self.training_settings())
        return {name: complete[name] for name in self.settings}

    def extras(self) -> dict[str, Any]:
        """What differs from a training on the whole treebank, scored on dev."""
        own = {name: getattr(self, name) for name in PLAIN}
        return {name: value for name, value in own.items() if value != PLAIN[name]}

    @property
    def file_name(self) -> str:
        """The file name of its result."""
        parts = [self.treebank, self.given(), *([self.extras()] if self.extras() else [])]
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
        return f"{self.treebank}-{digest}.json"

    @property
    def key(self) -> str:
        """An identifier that is the same for equal runs, whether settings are explicit or
        defaults."""
        return key_of(self.treebank, self.training_settings().complete(), self.extras())


PLAIN = {
    one.name: one.default
    for one in fields(ExperimentRun)
    if one.name not in ("treebank", "settings")
}
"""What runs are besides their settings, unless they say otherwise."""


def key_of(treebank: str, complete: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """A run as text."""
    return json.dumps([treebank, complete, extras], sort_keys=True)


def key_of_result(result: Mapping[str, Any]) -> str:
    """The key of the run of a stored result; newer settings have their defaults."""
    extras = {name: result[name] for name in PLAIN if name in result}
    settings = from_mapping(TrainingSettings, result["settings"])
    return key_of(result["treebank"], settings.complete(), extras)


@dataclass(frozen=True, slots=True)
class RowOfRuns:
    """A row of the table: a system on a treebank at a training size, one run per seed."""

    treebank: str
    system: str
    size: int | None
    runs: tuple[ExperimentRun, ...]


def rows_of(experiment: Experiment, treebanks: Iterable[str]) -> Iterator[RowOfRuns]:
    """The rows of an experiment, treebank by treebank."""
    for treebank in treebanks:
        for system in experiment.systems_on(treebank):
            # A grammar does not depend on the seed.
            seeds = experiment.seeds[: 1 if system.parser == "grammar" else None]
            for size in experiment.sizes or (None,):
                runs = tuple(
                    ExperimentRun(
                        treebank=treebank,
                        settings=experiment.given(system, seed, treebank),
                        sentences=size,
                        parser=system.parser,
                        guide=system.guide,
                        tagging=system.tagging,
                        scored_on=experiment.scored_on,
                    )
                    for seed in seeds
                )
                yield RowOfRuns(treebank, system.name, size, runs)
