"""The queue between requests and workers: bounded, first come, first served.

requests → put → waiting jobs → take, as many as can be worked on together → a worker
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition
from time import monotonic
from typing import TYPE_CHECKING, Any

from headwise.serve.requesterrors import too_many

if TYPE_CHECKING:
    from headwise.pipeline.pipeline import Pipeline

Work = Callable[["Pipeline", Sequence[Any]], Sequence[Any]]
"""What a worker does: a function of a module, which takes a model and a batch of tasks and gives
the result of each, or the error that it raised for it."""

BATCH_SIZE = 50_000
"""The size of jobs that are worked on together, mostly in characters: about 8,000 words."""


@dataclass(slots=True, eq=False)
class Job:
    """One task for a worker, and where its result will be.

    model: the name of the model that does it.
    size: how much work it is, mostly the characters of its text.
    deadline: when nobody waits for it any more, in seconds of the monotonic clock.
    is_retried: whether a worker died over it: it is tried once more, alone.
    """

    work: Work
    model: str
    task: Any
    size: int
    deadline: float
    is_retried: bool = False
    result: Future[Any] = field(default_factory=Future)


class JobQueue:
    """Jobs that wait for workers."""

    def __init__(self, most: int) -> None:
        """Make a queue of limited length; jobs at work count, too."""
        self.most = most
        self.count = 0  # of jobs that wait or are at work
        self._waiting: deque[Job] = deque()
        self._changed = Condition()
        self._is_closed = False

    def put(self, job: Job) -> None:
        """Append a job, unless there are too many."""
        with self._changed:
            if self.count >= self.most:
                raise too_many(1)
            self.count += 1
            self._waiting.append(job)
            self._changed.notify()
        job.result.add_done_callback(self._left)

    def _left(self, _: "Future[Any]") -> None:
        with self._changed:
            self.count -= 1

    def put_back(self, jobs: Sequence[Job]) -> None:
        """Let jobs be taken next, one by one."""
        with self._changed:
            for job in jobs:
                job.is_retried = True
            self._waiting.extendleft(reversed(jobs))
            self._changed.notify()

    def take(self, seconds: float) -> list[Job] | None:
        """The next job, and those that can be done together with it, if there is one in time.

        None once the queue is closed and empty.
        """
        with self._changed:
            batch = self._next_batch()
            if not batch and not self._is_closed:
                self._changed.wait(seconds)
                batch = self._next_batch()
            return None if self._is_closed and not batch else batch

    def _next_batch(self) -> list[Job]:
        batch: list[Job] = []
        size = 0
        while self._waiting:
            job = self._waiting[0]
            if not is_wanted(job):
                self._waiting.popleft()
                continue
            if batch and (size + job.size > BATCH_SIZE or job.is_retried):
                break
            batch.append(self._waiting.popleft())
            size += job.size
            if job.is_retried:
                break
        if self._waiting:
            self._changed.notify()
        return batch

    def close(self) -> None:
        """Let workers end when all jobs are done."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


def is_wanted(job: Job) -> bool:
    """Whether somebody still waits for the result of a job, which then counts as at work."""
    if job.result.running():  # it is tried again
        return True
    if monotonic() > job.deadline:
        job.result.cancel()
    return job.result.set_running_or_notify_cancel()
