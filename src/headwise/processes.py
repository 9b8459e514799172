"""Work done in several processes, which end with the one that asked for it."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from typing import Generic, TypeVar

from headwise.errors import UsageError

T = TypeVar("T")
R = TypeVar("R")


def in_processes(
    function: Callable[[T], R], tasks: Sequence[T], jobs: int, *, killed: str
) -> Iterator[tuple[int, R]]:
    """The number of each task and what came of it, as they are done, `jobs` of them at a time.

    One at a time they are done here. `killed` is what to say if a process was killed from outside.
    """
    if min(jobs, len(tasks)) <= 1:
        yield from ((number, function(task)) for number, task in enumerate(tasks))
        return
    others = set(active_children())
    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn")) as pool:
        numbers = {pool.submit(_Task(function), task): i for i, task in enumerate(tasks)}
        try:
            for done in as_completed(numbers):
                yield numbers[done], done.result()
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
