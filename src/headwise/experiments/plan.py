"""Experiment files: treebanks, systems, seeds, sizes, columns and published figures."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from headwise.errors import FormatError, SourceLocation, UsageError
from headwise.evaluate.measures import NAMES
from headwise.experiments.treebanks import TreebankFiles
from headwise.learners.settings import TrainingSettings
from headwise.storage.settings import Changes, check_counts, read_settings

COSTS = (
    "seconds",
    "processor_seconds",
    "parse_seconds",
    "epoch",
    "features",
    "best_member",
    "worst_member",
    "mean_member",
    "heads_a_word",
    "oracle_uas",
)
"""Measures of a result besides scores, some only of a Bayes point machine or of a pruner."""

MOST_DIGITS = 15
"""Decimals that a float can show."""

SystemParser = Literal["dependency", "grammar"]
Guide = Literal["none", "grammar"]
Show = Literal["score", "interval", "difference", "ratio", "p", "mcnemar"]
Split = Literal["dev", "test"]
Tagging = Literal["gold", "predicted", "jackknifed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A parser to train: one row of the table per treebank.

    settings: those that differ from the experiment's, as in `headwise train --config`.
    treebanks: the treebanks to train on; by default all.
    parser: `grammar` is a PCFG whose trees are converted into dependencies by head rules.
    guide: the parser whose trees guide a dependency parser.
    tagging: whose UPOS and XPOS the parser sees: `gold` ones; on dev and test those `predicted` by
        a tagger of the training data; or in training, too, those of taggers of the other nine
        tenths (`jackknifed`).
    paper: published figures by treebank, or by language, and by column title.
    """

    name: str
    settings: Changes[TrainingSettings] = field(default_factory=Changes)
    treebanks: tuple[str, ...] = ()
    parser: SystemParser = "dependency"
    guide: Guide = "none"
    tagging: Tagging = "gold"
    paper: dict[str, dict[str, float]] = field(default_factory=dict)

    def check(self) -> None:
        """Raise if this system cannot be trained."""
        if not self.name.strip():
            raise UsageError('a system needs a name for its row of the table, e.g. name = "MIRA"')
        if self.parser == "grammar" and (self.guide != "none" or self.settings.values):
            raise UsageError('parser = "grammar" takes neither settings nor a guide')
        if self.tagging != "gold" and "grammar" in (self.parser, self.guide):
            raise UsageError("a grammar has gold tags: leave tagging out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the table.

    measure: a score, as in `headwise evaluate --json`, or one of `COSTS`.
    punctuation: whether scores include it.
    show: the `score` itself or its 95 % `interval`, its `difference` from the system `base` on the
        same treebank, its `ratio` to it, or the p value of the difference: `p` of the randomisation
        test, or `mcnemar` of McNemar's test, which is of heads (uas).
    """

    measure: str
    title: str
    punctuation: bool = True
    show: Show = "score"
    base: str = ""
    digits: int = 2

    def check(self) -> None:
        """Raise if the column is inconsistent."""
        check_known("measure", self.measure, (*NAMES, *COSTS))
        check_counts(self, {"digits": (0, MOST_DIGITS)})
        if (self.show in ("score", "interval")) != (not self.base):
            raise UsageError(
                "show = difference, ratio, p or mcnemar requires a base; a score has none"
            )
        if self.show in ("p", "interval") and self.measure in COSTS:
            raise UsageError(f"{self.measure} cannot be tested: it is not counted per sentence")
        if self.show == "mcnemar" and self.measure != "uas":
            raise UsageError('McNemar\'s test is of words with the right head: measure = "uas"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot of one column: `dots`, one line per row, or `curves` over training sizes."""

    kind: Literal["dots", "curves"] = "dots"
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """The contents of an experiment file.

    about: notes on it, in Markdown.
    treebanks: names of tables `[treebank.NAME]` here or `[treebanks.NAME]` in the catalogue.
    catalogue: a file of treebanks; folder: where their paths start; results: where results are
        stored. All are relative to the experiment file.
    settings: of all systems; settings_on: of all systems on one treebank, by its name. Those of a
        system override both.
    seeds: random seeds; each system is trained once per seed.
    sizes: numbers of training sentences, sampled at random with the seed.
    scored_on: the split to score; dev chooses the epoch in any case.
    """

    title: str
    treebanks: tuple[str, ...]
    systems: tuple[System, ...]
    columns: tuple[Column, ...]
    about: str = ""
    treebank: dict[str, TreebankFiles] = field(default_factory=dict)
    catalogue: str | None = None
    folder: str = "."
    results: str = "results"
    settings: Changes[TrainingSettings] = field(default_factory=Changes)
    settings_on: dict[str, Changes[TrainingSettings]] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    sizes: tuple[int, ...] = ()
    scored_on: Split = "dev"
    plot: Plot | None = None

    def check(self) -> None:
        """Raise if the file is inconsistent."""
        for what, items in (
            ("treebanks", self.treebanks),
            ("systems", [one.name for one in self.systems]),
            ("columns", [one.title for one in self.columns]),
            ("seeds", self.seeds),
            ("sizes", self.sizes or (1,)),
        ):
            if not items or len(set(items)) < len(items):
                raise UsageError(f"{what} must not be empty or have duplicates")
        if min(self.seeds) < 0 or min(self.sizes, default=1) < 1:
            raise UsageError("seeds must be at least 0, sizes at least 1")
        systems = [one.name for one in self.systems]
        titles = [one.title for one in self.columns]
        for column in self.columns:
            if column.base:
                check_known("base", column.base, systems)
        if self.plot is not None:
            check_known("plot.column", self.plot.column, titles)
            if self.plot.kind == "curves" and not self.sizes:
                raise UsageError('plot.kind = "curves" requires sizes')
        if self.sizes and any("grammar" in (one.parser, one.guide) for one in self.systems):
            raise UsageError("grammars are trained on whole treebanks: remove sizes")
        for name in self.treebanks:
            if name in ("", ".", "..") or "/" in name or "\\" in name:
                raise UsageError(
                    f"treebank {name!r}: the name is used for files and cannot have slashes"
                )
        for name in self.settings_on:
            check_known("settings_on", name, self.treebanks)
        for system in self.systems:
            self.check_system(system, titles)

    def check_system(self, system: System, titles: list[str]) -> None:
        """Raise if a system refers to unknown names or cannot be trained."""
        common = (self.settings, *self.settings_on.values(), system.settings)
        if any("seed" in one.values for one in common):
            raise UsageError("settings cannot have a seed: list all seeds under `seeds`")
        for name in system.treebanks:
            check_known(f"treebanks of {system.name!r}", name, self.treebanks)
        for figures in system.paper.values():
            for title in figures:
                check_known(f"published figures of {system.name!r}", title, titles)
        for name in system.treebanks or self.treebanks:
            self.settings_of(system, 0, name).check()

    def given(self, system: System, seed: int, treebank: str) -> dict[str, object]:
        """The explicit settings of a system; a seed only if it is not the default."""
        if system.parser == "grammar":
            return {}
        here = self.settings_on.get(treebank)
        own = dict(self.settings.values) | (here.values if here else {}) | system.settings.values
        return own | {"seed": seed} if seed else own

    def settings_of(self, system: System, seed: int, treebank: str) -> TrainingSettings:
        """The settings of a system, with defaults."""
        return TrainingSettings(**self.given(system, seed, treebank))  # type: ignore[arg-type]

    def systems_on(self, treebank: str) -> list[System]:
        """The systems that are trained on a treebank."""
        return [one for one in self.systems if treebank in (one.treebanks or self.treebanks)]


def read_experiment(path: str | Path) -> tuple[Experiment, dict[str, TreebankFiles]]:
    """Read an experiment file, and the files of its treebanks."""
    experiment = read_settings(path, Experiment)
    known = dict(experiment.treebank)
    if experiment.catalogue is not None:
        beside = Path(path).parent / experiment.catalogue
        known = read_settings(beside, Catalogue).treebanks | known
    for name in experiment.treebanks:
        try:
            check_known("treebanks", name, known)
        except UsageError as error:
            raise FormatError(str(error), SourceLocation(str(path))) from None
    return experiment, {name: known[name] for name in experiment.treebanks}


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """A file of treebanks shared by experiments."""

    treebanks: dict[str, TreebankFiles]


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Raise unless a name is known, suggesting the most similar one."""
    names = list(known)
    if name not in names:
        nearest = difflib.get_close_matches(name, names, 1, cutoff=0)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise UsageError(f"{what}: {name!r} is unknown{hint} (known: {', '.join(names)})")
