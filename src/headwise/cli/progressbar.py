"""How far long work has come: a bar on standard error while someone is looking at it.

The bar goes by the bytes of the files that are read, so that every command has the same one. It is
there from the start, while models are loaded and kernels compiled, and gone at the end.
"""

import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TypeVar

from headwise.cli.output import complain, is_quiet, obeys_codes
from headwise.corpus.files import STANDARD_STREAM, watched_reading
from headwise.corpus.sentence import Sentence

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


T = TypeVar("T")

EVERY = 0.1
"""Seconds between two looks of the bar."""
WORTH_A_LINE = 1.0
"""Seconds after which the speed is still of interest when the work is done."""
NARROW = 70
"""Columns of a terminal below which there is room for the bar and the percentage only."""


class ProgressBar:
    """What a command tells its bar, which is shown if someone is looking on."""

    def __init__(self, shown: "Progress | None" = None) -> None:
        """`shown` has one task, which counts bytes, or whatever else is done."""
        self.shown = shown
        self.due = 0.0
        if shown is not None:
            shown.start()

    def update(self, **figures: Any) -> None:
        """Change what is shown of the task, as `rich` calls it."""
        if self.shown is not None:
            self.shown.update(self.shown.task_ids[0], **figures)

    def doing(self, what: str) -> None:
        """Say what is being done now."""
        self.update(description=what)

    def line(self, text: str) -> None:
        """Print a line above the bar."""
        if self.shown is not None:
            self.shown.console.print(text, markup=False)

    def read(self, count: int) -> None:
        """Report more bytes as read and processed."""
        self.update(advance=count)

    def progress(self, what: str, done: int, total: int, /) -> None:
        """Show how many of something are done, of how many."""
        if self.is_due():
            self.show(f"{done:,} of {total:,} {what}")

    def is_due(self) -> bool:
        """Whether there is a bar, and figures behind it that have become old."""
        if self.shown is None or time.monotonic() < self.due:
            return False
        self.due = time.monotonic() + EVERY
        return True

    def show(self, figures: str) -> None:
        """Show something behind the bar."""
        self.update(figures=figures)

    def items(self, items: Iterable[T], what: str, output: Path | None = None) -> Iterator[T]:
        """The items as they are, counted. What is shown on the terminal needs no bar."""
        for done, item in enumerate(items, 1):
            if output is not None and is_terminal(output):
                self.stop()
            yield item
            if self.is_due():
                self.show(f"{done:,} {what}")

    def sentences(self, sentences: Iterable[Sentence], output: Path) -> Iterator[Sentence]:
        """The sentences as they are, with their words and words a second.

        Where they are shown on the terminal, there is no bar from the first one on.
        """
        start, words = time.monotonic(), 0
        for sentence in sentences:
            if is_terminal(output):
                self.stop()
            yield sentence
            words += len(sentence)
            if self.is_due():
                self.show(speed(words, start))
        if time.monotonic() - start >= WORTH_A_LINE:
            self.line(speed(words, start))

    def stop(self) -> None:
        """Take the bar away: something else is shown now."""
        if self.shown is not None:
            self.shown.stop()
            self.shown = None


@contextmanager
def progress(doing: str, *paths: Path) -> Iterator[ProgressBar]:
    """Show how much of some files was read, if someone is looking on; `doing` is said before it.

    Where they include a terminal's standard input, it says instead that this is waited for.
    """
    if is_typed(*paths):
        complain("reading standard input; to end it, press Ctrl-D on a line of its own", "note")
    if not obeys_codes(sys.stderr) or is_typed(*paths) or is_quiet():
        yield ProgressBar()
        return
    bar = ProgressBar(new_bar(doing, total_bytes(paths)))
    names = set(map(str, paths))
    try:
        with watched_reading(lambda path, count: bar.read(count) if path in names else None):
            yield bar
    finally:
        bar.stop()


def new_bar(doing: str, total: int | None) -> "Progress":
    """A bar over bytes, in as much room as there is; without a total, it only moves.

    It says nothing of the time that is left: files are read in blocks, some of them long.
    """
    from rich.progress import BarColumn, TextColumn
    from rich.table import Column

    width = get_terminal_size().columns
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}"),
        BarColumn(min(40, width // 4)),
    ]
    if total is not None:
        columns.append(TextColumn("{task.percentage:>3.0f} %"))
    if width >= NARROW:
        columns.append(TextColumn("{task.fields[figures]}", table_column=Column(no_wrap=True)))
    bar = bar_of(*columns)
    bar.add_task(doing, total=total, figures="")
    return bar


def bar_of(*columns: "ProgressColumn") -> "Progress":
    """A bar on standard error that is taken away at the end.

    Standard output is left alone: results may go there, to be read by a program.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, highlight=False)
    return Progress(*columns, console=console, transient=True, redirect_stdout=False)


def is_typed(*paths: Path) -> bool:
    """Whether someone types what is read."""
    is_read = any(str(path) == STANDARD_STREAM for path in paths)
    return is_read and sys.stdin is not None and sys.stdin.isatty()  # None: closed by the caller


def is_terminal(output: Path) -> bool:
    """Whether an output is shown on a terminal as it is written."""
    return str(output) == STANDARD_STREAM and sys.stdout.isatty()


def total_bytes(paths: Iterable[Path]) -> int | None:
    """The bytes of all files, if that can be known and there are some."""
    total = 0
    for path in paths:
        try:
            about = os.fstat(0) if str(path) == STANDARD_STREAM else path.stat()
        except (OSError, ValueError):  # who reads it says what is wrong with it
            return None
        if not stat.S_ISREG(about.st_mode):
            return None
        total += about.st_size
    return total or None


def speed(words: int, start: float) -> str:
    """How many words, and words a second."""
    return f"{words:,} words, {words / max(time.monotonic() - start, 1e-9):,.0f} words/s"
