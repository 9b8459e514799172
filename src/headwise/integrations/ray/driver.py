"""Runs a job: hands out work, tries lost work again, keeps the manifest.

It knows nothing of Ray: whoever does the work is an `Executor`.
"""

import shutil
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from glob import escape
from pathlib import Path
from typing import Protocol

from headwise.errors import UsageError, counted
from headwise.integrations.ray.job import FilePair, Recipe, is_big
from headwise.integrations.ray.manifest import Manifest
from headwise.integrations.ray.pieces import Piece
from headwise.integrations.ray.work import (
    Result,
    Work,
    cut,
    join_pieces,
    parse_file,
    parse_piece,
)

PARTS = ".headwise-parts"
"""The folder, below that of the outputs, of pieces that are not joined yet."""

MOST_TRIES = 4
"""How often work is given out whose worker is lost."""

LOST = (
    f"its worker was lost {MOST_TRIES} times: there may be too little memory for it on one machine"
)


class WorkerLostError(Exception):
    """A worker, or its machine, ended before its work did."""


class Executor(Protocol):
    """Does work side by side."""

    def capacity(self) -> int:
        """How much work to hand out at once."""
        ...

    def submit(self, work: Work) -> Hashable:
        """Begin some work; what comes back stands for it."""
        ...

    def finished(self, running: Sequence[Hashable]) -> Hashable:
        """One of some works that has ended."""
        ...

    def result(self, handle: Hashable) -> Result:
        """What came of it; raises `WorkerLostError`."""
        ...


@dataclass(slots=True)
class Summary:
    """What came of a job."""

    files: int = 0
    skipped: int = 0
    words: int = 0
    retries: int = 0
    seconds: float = 0.0
    failures: dict[Path, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """One line."""
        speed = self.words / max(self.seconds, 1e-9)
        before = f" ({self.skipped:,} were finished before)" if self.skipped else ""
        again = f"{self.retries:,} {'retry' if self.retries == 1 else 'retries'}"
        failed = counted(len(self.failures), "failure")
        return (
            f"{counted(self.files, 'file')}{before}, {self.words:,} words in {self.seconds:,.1f} s,"
            f" {speed:,.0f} words/s; {again}, {failed}"
        )


@dataclass(slots=True)
class FileState:
    """How far a file has come."""

    pair: FilePair
    folder: Path
    state: tuple[int, int]
    pieces: Sequence[Piece] = ()
    waiting: int = 0  # pieces that are not parsed yet
    words: int = 0
    has_failed: bool = False


@dataclass(slots=True)
class Task:
    """Some work for a file, and what is done with its result."""

    file: FileState
    work: Work
    then: Callable[[FileState, Result], None]
    tries: int = 0


Progress = Callable[[int, int], None]
"""Called with bytes of input that are finished, and with words that were found in them."""


class Driver:
    """Runs one job."""

    def __init__(
        self,
        executor: Executor,
        recipe: Recipe,
        manifest: Manifest,
        output: Path,
        *,
        piece_bytes: int,
        progress: Progress,
    ) -> None:
        """Prepare a job; `piece_bytes` is how long pieces of big files are."""
        self.executor, self.recipe, self.manifest = executor, recipe, manifest
        self.parts = output / PARTS
        self.output = output
        self.piece_bytes = piece_bytes
        self.progress = progress
        self.summary = Summary()
        self.queue: deque[Task] = deque()
        self.running: dict[Hashable, Task] = {}
        self.lost: set[Path] = set()  # outputs of workers that were lost

    def run(self, pairs: Sequence[FilePair]) -> Summary:
        """Parse all files that are not finished; what went wrong is in the summary."""
        start = time.monotonic()
        self.summary.files = len(pairs)
        fresh = deque(pairs)
        while fresh or self.queue or self.running:
            self._hand_out(fresh)
            if self.running:
                self._take_back(self.executor.finished(list(self.running)))
        if self.parts.is_dir():
            shutil.rmtree(self.parts)
        for target in self.lost:
            remove_leftovers(target)
        self.summary.seconds = time.monotonic() - start
        return self.summary

    def _hand_out(self, fresh: deque[FilePair]) -> None:
        """Give out work while there is some; begun files come before new ones."""
        while len(self.running) < self.executor.capacity():
            if self.queue:
                task = self.queue.popleft()
                self.running[self.executor.submit(task.work)] = task
            elif fresh:
                self._begin(fresh.popleft())
            else:
                return

    def _begin(self, pair: FilePair) -> None:
        """Queue the first work of a file, if it is not finished."""
        state = pair.state()
        remove_leftovers(pair.target)
        if self.manifest.is_done(pair):
            self.summary.skipped += 1
            self.progress(state[0], 0)
            return
        folder = self.parts / pair.target.relative_to(self.output)
        file = FileState(pair, folder, state)
        if is_big(pair, self.recipe, self.piece_bytes):
            work = partial(cut, self.recipe, pair, folder, self.piece_bytes)
            self.queue.append(Task(file, work, self._queue_pieces))
        else:
            self.queue.append(Task(file, partial(parse_file, self.recipe, pair), self._finish))

    def _take_back(self, handle: Hashable) -> None:
        """Use the result of some work, or give it out again."""
        task = self.running.pop(handle)
        try:
            result = self.executor.result(handle)
        except WorkerLostError:
            self.lost.add(task.file.pair.target)
            task.tries += 1
            if task.tries < MOST_TRIES:
                self.summary.retries += 1
                self.queue.appendleft(task)
                return
            result = Result(error=LOST)
        self.summary.warnings += result.warnings
        if result.stops:
            raise UsageError(
                f"{result.error}; make room and run the same command again: it goes on from here"
            )
        if result.error is not None:
            self._fail(task.file, result.error)
        else:
            task.file.words += result.words
            self.summary.words += result.words
            task.then(task.file, result)

    def _fail(self, file: FileState, message: str) -> None:
        """Note a failure, once for each file."""
        if not file.has_failed:
            file.has_failed = True
            self.manifest.failed(file.pair, message)
            self.summary.failures[file.pair.source] = message

    def _queue_pieces(self, file: FileState, result: Result) -> None:
        file.pieces = result.pieces or ()
        file.waiting = len(file.pieces)
        for piece in file.pieces:
            work = partial(parse_piece, self.recipe, file.pair, file.folder, piece)
            self.queue.append(Task(file, work, self._end_piece))

    def _end_piece(self, file: FileState, result: Result) -> None:
        file.waiting -= 1
        self.progress(file.state[0] // len(file.pieces), result.words)
        if not file.waiting and not file.has_failed:
            work = partial(join_pieces, self.recipe, file.pair, file.folder, file.pieces)
            self.queue.appendleft(Task(file, work, self._finish))

    def _finish(self, file: FileState, result: Result) -> None:
        self.manifest.finished(file.pair, file.state, file.words)
        self.progress(0 if file.pieces else file.state[0], result.words)
        shutil.rmtree(file.folder, ignore_errors=True)


def remove_leftovers(target: Path) -> None:
    """Remove what a killed worker has left of an output that it was writing."""
    for part in target.parent.glob(f".{escape(target.name)}.*.part"):
        part.unlink(missing_ok=True)
