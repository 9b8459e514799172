"""How the runs of an experiment are shown: a bar on a terminal, a line for each run elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from headwise.cli.output import obeys_codes
from headwise.cli.progress import epoch_line
from headwise.learners.callbacks import Plan, TrainingCallback

if TYPE_CHECKING:
    from rich.progress import Progress


class RunProgress(TrainingCallback):
    """Runs and what is done in the one at hand; a callback of its training."""

    def __init__(self, bar: "Progress | None") -> None:
        """Without a bar, only finished runs are told."""
        self.bar = bar

    def stage(self, name: str, done: int, total: int, /) -> None:
        """Something is done before all else."""
        self.show(f"{name}: {done:,} of {total:,}")

    def begin(self, plan: Plan) -> None:
        """A run begins to train."""
        self.show(f"learning from {plan.sentences:,} sentences")

    def epoch(self, record: dict[str, Any]) -> None:
        """An epoch, or a member, has ended."""
        self.show(epoch_line(record))

    def show(self, what: str) -> None:
        """Show what is being done."""
        if self.bar is not None:
            self.bar.update(self.bar.tasks[0].id, description=what)

    def done(self, number: int, line: str) -> None:
        """A run is finished."""
        if self.bar is None:
            print(line, file=sys.stderr, flush=True)
            return
        self.bar.console.print(line, markup=False)
        self.bar.update(self.bar.tasks[0].id, completed=number, description="")


@contextmanager
def run_progress(runs: int) -> Iterator[RunProgress]:
    """A bar over runs if someone is looking on, or else lines."""
    if not obeys_codes(sys.stderr) or not runs:
        yield RunProgress(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        MofNCompleteColumn(),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    bar.add_task("", total=runs)
    with bar:
        yield RunProgress(bar)
