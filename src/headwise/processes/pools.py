"""Parallel work in threads or processes; workers end when the caller does."""

import os
import pickle
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar

from headwise.errors import HeadwiseWarning, UsageError, warn
from headwise.processes.garbage import collect_rarely

MAX_PROCESSES = 1000
"""More are certainly a mistake."""

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks queued per worker of a stream."""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed after the block."""
    try:
        folder = TemporaryDirectory()
    except OSError as error:
        raise UsageError(f"{error.strerror}; see TMPDIR") from error
    with folder as path:
        yield Path(path)


def in_threads(work: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Iterator[R]:
    """The results of `work` on each task, in order, computed ahead by `jobs` threads."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    pool = ThreadPoolExecutor(jobs)
    waits = True
    try:
        yield from in_order(lambda task: pool.submit(work, task), tasks, AHEAD * jobs)
    except (KeyboardInterrupt, SystemExit):  # a thread may be compiling a kernel
        waits = False
        raise
    finally:
        pool.shutdown(wait=waits, cancel_futures=True)


def streamed_in_processes(
    work: Callable[[T], R], tasks: Iterable[T], processes: int, *, killed: str
) -> Iterator[R]:
    """The results of `work` on each task, in order, computed ahead by processes."""
    with process_pool(work, processes, killed) as submit:
        yield from (one.result() for one in in_order(submit, tasks, AHEAD * processes))


def in_order(submit: Callable[[T], Future[R]], tasks: Iterable[T], ahead: int) -> Iterator[R]:
    """The results of tasks in order, with at most `ahead` of them pending."""
    waiting: deque[Future[R]] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def in_processes(
    function: Callable[[T], R], tasks: Sequence[T], jobs: int, *, killed: str
) -> Iterator[tuple[int, R]]:
    """The index and result of each task as it completes, `jobs` tasks at a time.

    One job runs in this process.
    """
    if min(jobs, len(tasks)) <= 1:
        yield from ((number, function(task)) for number, task in enumerate(tasks))
        return
    with process_pool(function, min(jobs, len(tasks)), killed) as submit:
        numbers = {submit(task): i for i, task in enumerate(tasks)}
        for done in as_completed(numbers):
            yield numbers[done], done.result().result()


@contextmanager
def process_pool(
    work: Callable[[T], R], processes: int, killed: str
) -> Iterator[Callable[[T], "Future[_Done[R]]"]]:
    """What begins work on a task in one of some processes.

    They end with the block; an error or interrupt terminates them at once. `killed` is the error
    message if one is killed. Each loads `work` once, from a file: one that died before it had read
    it from a pipe would block this process for ever.
    """
    others = set(active_children())
    with temporary_folder() as folder:
        path = folder / "work.pickle"
        try:
            path.write_bytes(pickle.dumps(work))
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}; see TMPDIR") from error
        with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (path,)) as pool:
            try:
                yield lambda task: pool.submit(_work_on, task)
            except BrokenProcessPool:
                raise UsageError(killed) from None
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in set(active_children()) - others:
                    process.terminate()
                raise


_received: list[Callable[[Any], Any]] = []
"""The function that this worker process applies to tasks."""


def _begin(path: Path) -> None:
    """Start a worker, which ends when its parent is killed; else it would wait for tasks for ever.

    All workers hold both ends of the pipe of tasks, so that it stays open without the parent.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _received.append(pickle.loads(path.read_bytes()))
    collect_rarely()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work_on(task: Any) -> "_Done[Any]":
    """Do a task, unless an interrupt comes: then the process ends instead of going on.

    Warnings come back with the result, so that the caller can show or catch them.
    """
    told: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("always", HeadwiseWarning)
        warnings.showwarning = _keeping(told, warnings.showwarning)
        try:
            return _Done(_received[-1](task), told)
        except (KeyboardInterrupt, SystemExit):
            os._exit(1)


def _keeping(told: list[str], show: Callable[..., None]) -> Callable[..., None]:
    """What shows warnings, but keeps the text of ours."""

    def keep(message: Warning | str, category: type[Warning], *place: Any, **how: Any) -> None:
        if issubclass(category, HeadwiseWarning):
            told.append(str(message))
        else:
            show(message, category, *place, **how)

    return keep


@dataclass(frozen=True, slots=True)
class _Done(Generic[R]):
    """The result of a task, and what it warned of."""

    value: R
    warned: list[str]

    def result(self) -> R:
        """The result, after its warnings."""
        for text in self.warned:
            warn(text)
        return self.value
