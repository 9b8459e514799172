"""What an experiment file says: treebanks, systems, seeds, sizes, columns, the paper's figures."""

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

COSTS = {
    "seconds": "seconds",
    "processor_seconds": "seconds of the processor",
    "parse_seconds": "seconds to parse",
    "epoch": "epoch",
    "features": "features",
    "best_member": "best member",
    "worst_member": "worst member",
    "mean_member": "mean of members",
    "heads_a_word": "heads a word kept",
    "oracle_uas": "oracle UAS",
}
"""What a result holds besides scores; measures of a Bayes point machine and of a pruner too."""

MOST_DIGITS = 15
"""After the point: a float has no more to show."""

SystemParser = Literal["dependency", "grammar"]
Guide = Literal["none", "grammar"]
Show = Literal["score", "difference", "ratio", "p"]
Split = Literal["dev", "test"]


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """What is trained: a row of the table for each treebank.

    settings: those other than the experiment's, as in `headwise train --config`.
    treebanks: only on these; by default on all.
    parser: `grammar` is a treebank grammar whose trees head rules turn into dependencies.
    guide: whose trees a dependency parser is shown, to correct them.
    paper: printed figures, for a treebank or all of a language, under the titles of columns.
    """

    name: str
    settings: Changes[TrainingSettings] = field(default_factory=Changes)
    treebanks: tuple[str, ...] = ()
    parser: SystemParser = "dependency"
    guide: Guide = "none"
    paper: dict[str, dict[str, float]] = field(default_factory=dict)

    def check(self) -> None:
        """Raise if this cannot be trained."""
        if not self.name.strip():
            raise UsageError('a system has a name, for its row of the table: write name = "MIRA"')
        if self.parser == "grammar" and (self.guide != "none" or self.settings.values):
            raise UsageError("a grammar has neither settings nor a guide")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What is shown of each run.

    measure: a score, as in `headwise evaluate --json`, or one of `COSTS`.
    punctuation: whether scores count it.
    show: the `score` itself, its `difference` from that of the system `base` on the same treebank,
        its `ratio` to that, or the `p` of the randomised test of the difference.
    """

    measure: str
    title: str
    punctuation: bool = True
    show: Show = "score"
    base: str = ""
    digits: int = 2

    def check(self) -> None:
        """Raise if nothing can be shown."""
        check_known("measure", self.measure, (*NAMES, *COSTS))
        check_counts(self, {"digits": (0, MOST_DIGITS)})
        if (self.show == "score") != (not self.base):
            raise UsageError("difference, ratio and p have a base, a score has none")
        if self.show == "p" and self.measure in COSTS:
            raise UsageError(f"{self.measure} cannot be tested: it is not counted by sentences")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A picture of one column: `dots`, a line of them for each row, or `curves` over sizes."""

    kind: Literal["dots", "curves"] = "dots"
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What an experiment file says.

    about: what to know about it, in Markdown.
    treebanks: names, of tables `[treebank.NAME]` here or `[treebanks.NAME]` in the catalogue.
    catalogue: a file of treebanks; folder: where their paths start; results: where what came out
        is kept. All are relative to the experiment file.
    seeds: each system is trained once for each of them.
    sizes: it learns from random samples of so many sentences, drawn by the seed.
    scored_on: the part of treebanks that is scored; dev chooses the epoch in any case.
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
    seeds: tuple[int, ...] = (0,)
    sizes: tuple[int, ...] = ()
    scored_on: Split = "dev"
    plot: Plot | None = None

    def check(self) -> None:
        """Raise if names do not fit together."""
        for what, items in (
            ("treebanks", self.treebanks),
            ("systems", [one.name for one in self.systems]),
            ("columns", [one.title for one in self.columns]),
            ("seeds", self.seeds),
            ("sizes", self.sizes or (1,)),
        ):
            if not items or len(set(items)) < len(items):
                raise UsageError(f"{what}: there must be some, and no two the same")
        if min(self.seeds) < 0 or min(self.sizes, default=1) < 1:
            raise UsageError("seeds are 0 or more, sizes 1 or more")
        systems = [one.name for one in self.systems]
        titles = [one.title for one in self.columns]
        for column in self.columns:
            if column.base:
                check_known("base", column.base, systems)
        if self.plot is not None:
            check_known("plot.column", self.plot.column, titles)
            if self.plot.kind == "curves" and not self.sizes:
                raise UsageError("curves are over sizes: there are none")
        if self.sizes and any("grammar" in (one.parser, one.guide) for one in self.systems):
            raise UsageError("grammars learn from whole treebanks: leave out sizes")
        for name in self.treebanks:
            if name in ("", ".", "..") or "/" in name or "\\" in name:
                raise UsageError(f"treebank {name!r}: files are named by it, so it holds no slash")
        for system in self.systems:
            self.check_system(system, titles)

    def check_system(self, system: System, titles: list[str]) -> None:
        """Raise if a system speaks of what is not there, or cannot be trained."""
        if "seed" in {**self.settings.values, **system.settings.values}:
            raise UsageError("settings hold no seed: the key `seeds` lists those of all runs")
        for name in system.treebanks:
            check_known(f"treebanks of {system.name!r}", name, self.treebanks)
        for figures in system.paper.values():
            for title in figures:
                check_known(f"paper's figures of {system.name!r}", title, titles)
        self.settings_of(system, 0).check()

    def given(self, system: System, seed: int) -> dict[str, object]:
        """The settings of a system that were given; a seed only where it is not the default."""
        if system.parser == "grammar":
            return {}
        own = dict(self.settings.values) | system.settings.values
        return own | {"seed": seed} if seed else own

    def settings_of(self, system: System, seed: int) -> TrainingSettings:
        """All settings of a system."""
        return TrainingSettings(**self.given(system, seed))  # type: ignore[arg-type]

    def systems_on(self, treebank: str) -> list[System]:
        """The systems that are trained on a treebank."""
        return [one for one in self.systems if treebank in (one.treebanks or self.treebanks)]


def read_experiment(path: str | Path) -> tuple[Experiment, dict[str, TreebankFiles]]:
    """An experiment file, and the files of its treebanks."""
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
    """A file of treebanks, for several experiments."""

    treebanks: dict[str, TreebankFiles]


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Raise unless a name is known, and say which is the nearest."""
    names = list(known)
    if name not in names:
        nearest = difflib.get_close_matches(name, names, 1, cutoff=0)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise UsageError(f"{what}: {name!r} is unknown{hint} (known: {', '.join(names)})")
