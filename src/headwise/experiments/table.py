"""The table of an experiment, with our and the published figures."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

import numpy as np

from headwise.evaluate.comparison import mcnemar_of_heads
from headwise.evaluate.intervals import Interval, percentile_interval
from headwise.evaluate.measures import NAMES
from headwise.evaluate.ratios import RatioCounts, bootstrap_sums, table_ratios
from headwise.evaluate.significance import randomisation_test
from headwise.experiments.plan import Column, System
from headwise.experiments.results import Result
from headwise.experiments.runs import RowOfRuns
from headwise.experiments.work import Work

ROUNDS = 2000
"""Rounds of the randomisation test, and of the bootstrap."""

OF_MEMBERS: dict[str, Callable[[Sequence[float]], float]] = {
    "best_member": max,
    "worst_member": min,
    "mean_member": fmean,
}


@dataclass(frozen=True, slots=True)
class ResultCell:
    """The values of the runs of a row, one per seed; empty if a run is missing."""

    values: tuple[float, ...] = ()
    interval: Interval | None = None

    @property
    def mean(self) -> float | None:
        """The mean over seeds."""
        return fmean(self.values) if self.values else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation over seeds, if there are several."""
        return stdev(self.values) if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Row:
    """A system on a treebank: a cell and the published figure for every column."""

    treebank: str
    system: str
    size: int | None
    seeds: int
    cells: tuple[ResultCell, ...]
    paper: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A table of results."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def printed(self) -> list[bool]:
        """For every column whether it has published figures."""
        return [
            any(row.paper[number] is not None for row in self.rows)
            for number in range(len(self.columns))
        ]

    @property
    def has_sizes(self) -> bool:
        """Whether rows have training sizes."""
        return any(row.size is not None for row in self.rows)


def table_of(work: Work) -> ResultTable:
    """The table of an experiment, from the stored results."""
    experiment = work.experiment
    systems = {system.name: system for system in experiment.systems}
    of_runs = work.rows()
    rows = []
    for row in of_runs:
        bases = {
            other.system: other
            for other in of_runs
            if (other.treebank, other.size) == (row.treebank, row.size)
        }
        language = work.languages[row.treebank]
        cells = tuple(cell_of(work, column, row, bases) for column in experiment.columns)
        paper = tuple(
            printed(column, experiment.columns, systems, row, language)
            for column in experiment.columns
        )
        rows.append(Row(row.treebank, row.system, row.size, len(row.runs), cells, paper))
    return ResultTable(experiment.title, experiment.columns, tuple(rows))


def cell_of(work: Work, column: Column, row: RowOfRuns, bases: dict[str, RowOfRuns]) -> ResultCell:
    """The cell of a column in a row."""
    own = results_of(work, row)
    if column.show == "score":
        return ResultCell(figures(column, own))
    if column.show == "interval":
        return ResultCell(interval=interval_of(column, own))
    base = results_of(work, bases[column.base]) if column.base in bases else []
    if not own or not base or row.system == column.base:
        return ResultCell()
    if column.show in ("p", "mcnemar"):
        return (tested if column.show == "p" else tested_by_mcnemar)(column, own, base)
    before = ResultCell(figures(column, base)).mean
    after = figures(column, own)
    if before is None or (column.show == "ratio" and before == 0):
        return ResultCell()
    if column.show == "difference":
        return ResultCell(tuple(value - before for value in after))
    return ResultCell(tuple(value / before for value in after))


def results_of(work: Work, row: RowOfRuns) -> list[Result]:
    """The results of a row; empty unless all of its runs are done."""
    found = [work.results.find(run) for run in row.runs]
    done = [one for one in found if one is not None]
    return done if len(done) == len(found) else []


def figures(column: Column, results: Sequence[Result]) -> tuple[float, ...]:
    """A measure of each result; empty if one of them does not have it."""
    found = [stored_figure(column, one) for one in results]
    there = tuple(value for value in found if value is not None)
    return there if len(there) == len(found) else ()


def stored_figure(column: Column, result: Result) -> float | None:
    """A measure of a result, or None; an error if its file was altered so that it has no scores."""
    with suppress(KeyError, TypeError, ValueError, AttributeError, OverflowError):
        found = figure(column, result.data)
        if found is None or math.isfinite(found):
            return found
    raise result.damaged(result.path)


def figure(column: Column, data: Any) -> float | None:
    """A measure of a result, or None."""
    if column.measure in NAMES:
        scores = data["scores"]
        value = (scores if column.punctuation else scores["without_punctuation"])[column.measure]
    elif column.measure in OF_MEMBERS:
        members = data.get("members")
        value = OF_MEMBERS[column.measure](members) if members else None
    elif column.measure in ("heads_a_word", "oracle_uas"):
        value = data.get("pruner", {}).get(column.measure)
    else:
        value = data.get(column.measure)
    return None if value is None else float(value)


def tested(column: Column, own: Sequence[Result], base: Sequence[Result]) -> ResultCell:
    """The p-value of the difference of two systems, with counts per sentence summed over seeds.

    Where the numbers of seeds differ (a grammar has one), the sums are scaled to match.
    """
    pair = [summed(column, one, len(other)) for one, other in ((base, own), (own, base))]
    if pair[0] is None or pair[1] is None:
        return ResultCell()
    p = randomisation_test(pair[0], pair[1], rounds=ROUNDS)[0]
    return ResultCell((float(p),))


def tested_by_mcnemar(column: Column, own: Sequence[Result], base: Sequence[Result]) -> ResultCell:
    """The same by McNemar's test over the words of all seeds, which both systems must have."""
    of_base, of_own = ([one.verdicts() for one in side] for side in (base, own))
    a, b = ([one for one in side if one is not None] for side in (of_base, of_own))
    if len(own) != len(base) or len(a) < len(of_base) or len(b) < len(of_own):
        return ResultCell()
    if list(map(len, a)) != list(map(len, b)):
        raise own[0].damaged(own[0].counts_path)
    both = np.concatenate(a), np.concatenate(b)
    return ResultCell((mcnemar_of_heads(*both, punctuation=column.punctuation).p,))


def interval_of(column: Column, own: Sequence[Result]) -> Interval | None:
    """The 95 % interval of a score, by a bootstrap over sentences, each with all its seeds."""
    counts = summed(column, own, 1) if own else None
    if counts is None:
        return None
    samples = table_ratios(bootstrap_sums(counts.table(), ROUNDS, 0))[:, 0]
    low, high = percentile_interval(100.0 * samples, 0.95)
    return low, high


def summed(column: Column, results: Sequence[Result], times: int) -> RatioCounts | None:
    """The counts of a measure summed over results; None if some are not stored."""
    views = [one.counts() for one in results]
    own = [view[0 if column.punctuation else 1] for view in views if view is not None]
    if len(own) < len(views):
        return None
    if len(set(map(len, own))) > 1:  # one of them is not of the same sentences
        raise results[0].damaged(results[0].counts_path)
    columns = slice(NAMES.index(column.measure), NAMES.index(column.measure) + 1)
    return RatioCounts(
        times * np.sum([one.top[:, columns] for one in own], axis=0),
        times * np.sum([one.bottom[:, columns] for one in own], axis=0),
    )


def printed(
    column: Column,
    columns: Sequence[Column],
    systems: dict[str, System],
    row: RowOfRuns,
    language: str,
) -> float | None:
    """The published figure; differences and ratios are computed from those of the measure."""

    def printed_of(system: str, title: str) -> float | None:
        paper = systems[system].paper
        return paper.get(row.treebank, paper.get(language, {})).get(title)

    given = printed_of(row.system, column.title)
    computed = column.show in ("difference", "ratio")
    if given is not None or not computed or row.system == column.base:
        return given
    for other in columns:
        same = (other.measure, other.punctuation) == (column.measure, column.punctuation)
        if other.show == "score" and same:
            own, base = (printed_of(name, other.title) for name in (row.system, column.base))
            if own is not None and base is not None:
                value = own - base if column.show == "difference" else own / base
                return round(value, column.digits)
    return None
