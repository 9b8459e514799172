"""Work done in several threads or processes, which end with the one that asked for it."""

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar

from headwise.errors import UsageError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks that wait for each worker of a stream."""


def in_threads(work: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Iterator[R]:
    """What comes of tasks, in their order, as a stream; `jobs` threads work ahead of its reader."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from in_order(lambda task: pool.submit(work, task), tasks, AHEAD * jobs)
        finally:
            pool.shutdown(cancel_futures=True)


def streamed_in_processes(
    work: Callable[[T], R], tasks: Iterable[T], processes: int, *, killed: str
) -> Iterator[R]:
    """The same in processes, each of which reads `work` once.

    It comes to them by a file: a process that dies before it has taken what it is sent would leave
    this one waiting for ever.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "work.pickle"
        path.write_bytes(pickle.dumps(work))
        with process_pool(processes, killed, _receive, (path,)) as pool:
            yield from in_order(lambda task: pool.submit(_work_on, task), tasks, AHEAD * processes)


def in_order(submit: Callable[[T], Future[R]], tasks: Iterable[T], ahead: int) -> Iterator[R]:
    """The results of tasks in their order, with a bounded number of them waiting."""
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
    """The number of each task and what came of it, as they are done, `jobs` of them at a time.

    One at a time they are done here. `killed` is what to say if a process was killed from outside.
    """
    if min(jobs, len(tasks)) <= 1:
        yield from ((number, function(task)) for number, task in enumerate(tasks))
        return
    with process_pool(min(jobs, len(tasks)), killed) as pool:
        numbers = {pool.submit(_Task(function), task): i for i, task in enumerate(tasks)}
        for done in as_completed(numbers):
            yield numbers[done], done.result()


@contextmanager
def process_pool(
    processes: int,
    killed: str,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block, at once if it is left by an error or an interrupt."""
    others = set(active_children())
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer, initargs) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise UsageError(killed) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(active_children()) - others:
                process.terminate()
            raise


@dataclass(frozen=True, slots=True)
class _Task(Generic[T, R]):
    """A function; an interrupt ends its process, or that would begin with the next task."""

    function: Callable[[T], R]

    def __call__(self, task: T) -> R:
        try:
            return self.function(task)
        except (KeyboardInterrupt, SystemExit):
            os._exit(1)


_received: list[Callable[[Any], Any]] = []
"""What a process of a stream works with."""


def _receive(path: Path) -> None:
    _received.append(_Task(pickle.loads(path.read_bytes())))


def _work_on(task: Any) -> Any:
    return _received[-1](task)
