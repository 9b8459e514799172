"""The runs of an experiment: find the missing ones and do them, in one or several processes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path

from headwise.errors import UsageError
from headwise.experiments.perform import Task, perform
from headwise.experiments.plan import Experiment, Split, check_known, read_experiment
from headwise.experiments.results import Result, Results
from headwise.experiments.runs import RowOfRuns, rows_of
from headwise.experiments.treebanks import Treebank
from headwise.learners.callbacks import TrainingCallback
from headwise.processes.pools import in_processes

KILLED = (
    "a process was killed: is there enough memory for this many jobs? Finished runs are stored; "
    "run the same command to continue"
)

WHERE_TO_LOOK = "set the folder with --treebanks, or tabulate stored results with --no-run"


@dataclass(frozen=True, slots=True)
class Work:
    """An experiment, its available treebanks, and the results so far.

    absent: why the other treebanks are skipped; their rows are too, whatever results exist.
    looked: whether treebanks were searched for; if not, the table shows stored results only.
    """

    experiment: Experiment
    languages: dict[str, str]
    treebanks: dict[str, Treebank]
    results: Results
    absent: tuple[str, ...] = ()
    looked: bool = True

    @classmethod
    def of_file(
        cls,
        path: Path,
        *,
        folders: Sequence[Path] = (),
        results: Path | None = None,
        only: Sequence[str] = (),
        scored_on: Split | None = None,
        look: bool = True,
    ) -> "Work":
        """Read an experiment file; options of the call override it.

        folders: treebank folders, replacing the file's.
        only: restrict to these treebanks, which must be found.
        look: whether to search for treebanks; without them, stored results can be tabulated.
            If so, the folders must exist, and at least one of the treebanks.
        """
        experiment, files = read_experiment(path)
        for name in only:
            check_known("treebanks", name, experiment.treebanks)
        experiment = replace(
            experiment,
            treebanks=tuple(one for one in experiment.treebanks if one in (only or files)),
            scored_on=scored_on or experiment.scored_on,
        )
        places = tuple(folders) or (path.parent / experiment.folder,)
        if look:
            check_folders(places)
        found = {name: Treebank(name, files[name], places) for name in experiment.treebanks}
        looked = found.items() if look else ()
        missing = {name: one.missing(experiment.scored_on) for name, one in looked}
        absent = tuple(reason for reason in missing.values() if reason is not None)
        if absent and (only or len(absent) == len(found)):
            first = next(one for name, one in found.items() if missing[name] is not None)
            advice = "" if first.lacks(experiment.scored_on) else f"; {WHERE_TO_LOOK}"
            raise UsageError(f"{absent[0]}{advice}")
        return cls(
            experiment,
            {name: files[name].language for name in found},
            {name: found[name] for name, reason in missing.items() if reason is None},
            Results(results or path.parent / experiment.results),
            absent,
            looked=look,
        )

    def rows(self) -> list[RowOfRuns]:
        """The rows of the table: of the treebanks found or, if not searched, of those with
        results."""
        found = list(rows_of(self.experiment, self.experiment.treebanks))
        done = [any(map(self.results.find, row.runs)) for row in found]
        known = set(self.treebanks)
        if not self.looked:
            known = {row.treebank for row, is_done in zip(found, done, strict=True) if is_done}
        return [
            row
            for row, is_done in zip(found, done, strict=True)
            if row.treebank in known and (is_done or self.is_large_enough(row))
        ]

    def is_large_enough(self, row: RowOfRuns) -> bool:
        """Whether a sample of a row's size can be drawn."""
        if row.size is None:
            return True
        return row.treebank in self.treebanks and row.size <= self.treebanks[row.treebank].length

    def too_large(self) -> list[str]:
        """Notes on training sizes that exceed the size of a treebank."""
        notes = []
        for name, treebank in self.treebanks.items():
            sizes = [f"{size:,}" for size in self.experiment.sizes if size > treebank.length]
            if sizes:
                what = "size" if len(sizes) == 1 else "sizes"
                notes.append(
                    f"{name}: {what} {', '.join(sizes)}: it has only {treebank.length:,} sentences"
                )
        return notes

    def tasks(self) -> list[Task]:
        """The runs to do, small samples first; raises if stored results are for other data."""
        tasks: dict[str, Task] = {}
        for row in self.rows():
            if row.treebank not in self.treebanks:
                continue
            treebank = self.treebanks[row.treebank]
            for run in row.runs:
                known = self.results.find(run)
                if known is not None:
                    known.check_data(treebank)
                if known is None or self.lacks_counts(known):
                    tasks[run.key] = Task(run, treebank, self.results.folder)
        return sorted(tasks.values(), key=lambda task: task.run.sentences or inf)

    def lacks_counts(self, known: Result) -> bool:
        """Whether a column shows what an older result has no counts for."""
        shows = {column.show for column in self.experiment.columns}
        if "mcnemar" in shows and known.verdicts() is None:
            return True
        return bool(shows & {"p", "interval"}) and not known.counts_path.exists()

    def reread(self) -> "Work":
        """The same, with the results read again."""
        return replace(self, results=Results(self.results.folder))


def check_folders(folders: Sequence[Path]) -> None:
    """Raise if a treebank folder does not exist."""
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"no such treebank folder: {folder}; {WHERE_TO_LOOK}")


def run_tasks(
    tasks: Sequence[Task],
    jobs: int,
    callback: TrainingCallback | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Do runs, `jobs` at a time, and yield each as it ends. A single job reports its progress."""
    function: Callable[[Task], Result] = perform
    if jobs == 1:
        function = partial(perform, callback=callback)
    for number, result in in_processes(function, tasks, jobs, killed=KILLED):
        yield tasks[number], result
