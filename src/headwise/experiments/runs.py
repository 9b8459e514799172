"""Runs: one training and its scores, known by everything that they depend on."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwise.experiments.plan import Experiment, Guide, Split, SystemParser
from headwise.learners.settings import TrainingSettings
from headwise.storage.settings import from_mapping, to_mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One training.

    settings: those that were given; the others have their defaults.
    sentences: how many of the training data it learns from; None for all.
    """

    treebank: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    sentences: int | None = None
    parser: SystemParser = "dependency"
    guide: Guide = "none"
    scored_on: Split = "dev"

    def training_settings(self) -> TrainingSettings:
        """All settings."""
        return TrainingSettings(**self.settings)

    def given(self) -> dict[str, Any]:
        """The settings that were given, as JSON holds them."""
        complete = to_mapping(self.training_settings())
        return {name: complete[name] for name in self.settings}

    def extras(self) -> dict[str, Any]:
        """What makes it other than a training on the whole treebank, scored on dev."""
        plain = {"sentences": None, "parser": "dependency", "guide": "none", "scored_on": "dev"}
        own = {name: getattr(self, name) for name in plain}
        return {name: value for name, value in own.items() if value != plain[name]}

    @property
    def file_name(self) -> str:
        """How its result is called."""
        parts = [self.treebank, self.given(), *([self.extras()] if self.extras() else [])]
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
        return f"{self.treebank}-{digest}.json"

    @property
    def key(self) -> str:
        """The same for runs that come to the same, whichever settings were given in so many
        words."""
        return key_of(self.treebank, self.training_settings().complete(), self.extras())


def key_of(treebank: str, complete: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """A run as text."""
    return json.dumps([treebank, complete, extras], sort_keys=True)


def key_of_result(result: Mapping[str, Any]) -> str:
    """The run that a result is of; settings that are newer than it have their defaults."""
    names = ("sentences", "parser", "guide", "scored_on")
    extras = {name: result[name] for name in names if name in result}
    settings = from_mapping(TrainingSettings, result["settings"])
    return key_of(result["treebank"], settings.complete(), extras)


@dataclass(frozen=True, slots=True)
class RowOfRuns:
    """A row of the table: a system on a treebank at a size, one run for each seed."""

    treebank: str
    system: str
    size: int | None
    runs: tuple[Run, ...]


def rows_of(experiment: Experiment, treebanks: Iterable[str]) -> Iterator[RowOfRuns]:
    """The rows of an experiment, treebank by treebank."""
    for treebank in treebanks:
        for system in experiment.systems_on(treebank):
            # A grammar learns the same whatever the seed.
            seeds = experiment.seeds[: 1 if system.parser == "grammar" else None]
            for size in experiment.sizes or (None,):
                runs = tuple(
                    Run(
                        treebank=treebank,
                        settings=experiment.given(system, seed),
                        sentences=size,
                        parser=system.parser,
                        guide=system.guide,
                        scored_on=experiment.scored_on,
                    )
                    for seed in seeds
                )
                yield RowOfRuns(treebank, system.name, size, runs)
