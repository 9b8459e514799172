"""How training and the runs of an experiment are shown: a bar on a terminal, lines elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from headwise.cli.output import complain, obeys_codes, silence_standard_output
from headwise.cli.progressbar import ProgressBar, bar_of
from headwise.errors import counted
from headwise.learners.callbacks import Plan, Report, TrainingCallback


@contextmanager
def training_progress() -> Iterator["TrainingLines"]:
    """A bar if someone is looking on, or else lines."""
    if not obeys_codes(sys.stderr):
        yield TrainingLines()
        return
    bar = TrainingBar()
    try:
        yield bar
    finally:
        bar.close()


class TrainingLines(TrainingCallback):
    """A line at the start and one for each epoch, for a log; and one for each stage with its time.

    A stage begins where the one before it ended, so that their times are that of the whole. On a
    terminal its line is there while it is at work. A live display of rich would need to be taken
    away again in every case, in the place of two prints.
    """

    def __init__(self) -> None:
        self.begun = self.start = time.monotonic()

    def training(self, name: str, number: int, total: int, /) -> None:
        say(f"training {number} of {total}: {name}")

    def stage(self, name: str, done: int, total: int, /) -> None:
        waiting = obeys_codes(sys.stderr)
        if done < total:
            if waiting:
                print(f"\r\x1b[K{name}: {done} of {total}", end="", file=sys.stderr, flush=True)
            return
        if waiting:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        now = time.monotonic()
        say(f"{name}: {now - self.start:.1f} s")
        self.start = now

    def total(self) -> None:
        """Say how long all stages have taken together."""
        say(f"total: {self.start - self.begun:.1f} s")

    def begin(self, plan: Plan) -> None:
        say(opening(plan))

    def epoch(self, record: dict[str, Any]) -> None:
        say(epoch_line(record))


class TrainingBar(TrainingLines):
    """A bar over all epochs (or members), with loss, accuracy, speed and the time left."""

    def __init__(self) -> None:
        super().__init__()
        self.bar = ProgressBar()
        self.plan: Plan | None = None
        self.dev = ""

    def stage(self, name: str, done: int, total: int, /) -> None:
        self.close()
        super().stage(name, done, total)

    def begin(self, plan: Plan) -> None:
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

        super().begin(plan)
        self.plan = plan
        shown = bar_of(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        done, total = len(plan.history) * plan.sentences, plan.rounds * plan.sentences
        shown.add_task("training", total=total, completed=done, figures="")
        self.bar = ProgressBar(shown)

    def progress(self, report: Report) -> None:
        if self.bar.shown is None or self.plan is None:
            return
        task = self.bar.shown.tasks[0]
        done = (report.epoch - 1) * self.plan.sentences + report.sentences
        words = self.plan.words / max(1, self.plan.sentences)
        speed = f", {task.speed * words:,.0f} words/s" if task.speed else ""
        loss = report.loss / max(1, report.words)  # of a word
        self.bar.update(
            completed=done,
            description=f"epoch {report.epoch} of {self.plan.rounds}",
            figures=f"loss {loss:.3f}{self.dev}{speed}",
        )

    def epoch(self, record: dict[str, Any]) -> None:
        self.bar.line(epoch_line(record))
        if "dev_uas" in record:
            self.dev = f", dev {record['dev_uas']:.2f}"
        if "dev_las" in record:
            self.dev += f" / {record['dev_las']:.2f}"
        if "member" in record and self.plan is not None:
            done = record["member"] * self.plan.sentences
            self.bar.update(completed=done, description="members")

    def close(self) -> None:
        """Take the bar away."""
        self.bar.stop()


def opening(plan: Plan) -> str:
    """What will be done, and what it needs."""
    left_out = f", {plan.left_out:,} left out" if plan.left_out else ""
    already = f" (going on after epoch {len(plan.history)})" if plan.history else ""
    return (
        f"learning from {counted(plan.sentences, 'sentence')}, {counted(plan.words, 'word')}"
        f"{left_out}{already}; "
        f"about {memory_text(plan.memory)} of memory will be needed"
    )


def memory_text(count: float) -> str:
    """A number of bytes for people."""
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{max(1.0, count / 1e6):.0f} MB"


FIGURES = {
    "loss": "loss {:,.1f}", "objective": "objective {:,.1f}", "gap": "gap {:.2%}",
    "dev_uas": "dev UAS {:.2f}", "dev_las": "LAS {:.2f}", "seconds": "{:.1f} s",
    "words_per_second": "{:,} words/s",
}  # fmt: skip
"""What a record of the log may hold, and how it is said."""


def epoch_line(record: dict[str, Any]) -> str:
    """A record of the log, for people."""
    names = [f"{name} {record[name]}" for name in ("member", "epoch") if name in record]
    said = [text.format(record[name]) for name, text in FIGURES.items() if name in record]
    return ": ".join([*names, *([", ".join(said)] if said else [])])


def say(line: str) -> None:
    """A line on standard output, at once.

    It tells of work whose result is a file, so the work goes on if nobody can read the line.
    """
    try:
        typer.echo(line)
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            complain(f"standard output: {error.strerror or error}", "warning")
        silence_standard_output()


class RunProgress(TrainingCallback):
    """Runs and what is done in the one at hand; a callback of its training."""

    def __init__(self, bar: ProgressBar) -> None:
        """Where no bar is shown, only finished runs are told."""
        self.bar = bar

    def stage(self, name: str, done: int, total: int, /) -> None:
        self.bar.doing(f"{name}: {done:,} of {total:,}")

    def begin(self, plan: Plan) -> None:
        self.bar.doing(f"learning from {counted(plan.sentences, 'sentence')}")

    def epoch(self, record: dict[str, Any]) -> None:
        self.bar.doing(epoch_line(record))

    def done(self, number: int, line: str) -> None:
        """A run is finished."""
        if self.bar.shown is None:
            print(line, file=sys.stderr, flush=True)
        self.bar.line(line)
        self.bar.update(completed=number, description="")


@contextmanager
def run_progress(runs: int) -> Iterator[RunProgress]:
    """A bar over runs if someone is looking on, or else lines."""
    if not obeys_codes(sys.stderr) or not runs:
        yield RunProgress(ProgressBar())
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

    shown = bar_of(
        MofNCompleteColumn(), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    )
    shown.add_task("", total=runs)
    with shown:
        yield RunProgress(ProgressBar(shown))
