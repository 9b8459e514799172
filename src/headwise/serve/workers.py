"""Workers: each is a thread of the server that passes jobs to a process of its own.

A process that ends, or takes longer than a request may take, is replaced. What it was doing is
tried once more, job by job, so that only the job that ends processes is refused.
"""

import asyncio
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from headwise.serve.jobs import Job, JobQueue, Work
from headwise.serve.requesterrors import RequestError, too_slow, worker_died
from headwise.serve.settings import ServeSettings
from headwise.serve.workerprocess import READY, run_worker

CHECK_SECONDS = 1.0
"""How often an idle worker looks whether its process is there."""

START_SECONDS = 600.0
"""How long a process may take to load its model, and to compile its kernels the first time."""


class WorkerPool:
    """The queue of jobs and the workers that do them."""

    def __init__(self, settings: ServeSettings, folders: Mapping[str, Path]) -> None:
        """Make a pool that is not started; `folders` are the models by name, the default first."""
        self.seconds = settings.seconds
        self.queue = JobQueue(settings.queue)
        self.workers = [
            Worker(self.queue, folders, settings.seconds) for _ in range(settings.workers)
        ]

    def start(self) -> None:
        """Start all processes and wait until they are ready; raise if one cannot load its model.

        A pool that was started stays as it is.
        """
        if any(worker.process is not None for worker in self.workers):
            return
        for worker in self.workers:
            worker.process = WorkerProcess(worker.folders)
        try:
            for worker in self.workers:
                assert worker.process is not None
                worker.process.wait_until_ready()
        except BaseException:
            for worker in self.workers:
                worker.end_process()
            raise
        for worker in self.workers:
            worker.start()

    def stop(self) -> None:
        """Finish what was begun, and end all processes."""
        self.queue.close()
        for worker in self.workers:
            if worker.is_alive():
                worker.join()

    async def ask(self, work: Work, model: str, task: Any, size: int) -> Any:
        """The result of a task; refused if too many are waiting, or if it takes too long.

        work: a function of a module that takes a pipeline and a list of tasks, and gives a list of
            results. A result that is an exception is raised here, as a `RequestError`.
        """
        job = Job(work, model, task, size, monotonic() + self.seconds)
        self.queue.put(job)
        try:
            result = await asyncio.wait_for(asyncio.wrap_future(job.result), self.seconds)
        except TimeoutError:
            raise too_slow(self.seconds) from None
        if isinstance(result, RequestError):
            raise result
        return result

    @property
    def alive(self) -> int:
        """The number of processes that are at work or ready for it."""
        return sum(one.process is not None and one.process.is_alive for one in self.workers)


class Worker(Thread):
    """Takes jobs from the queue, lets its process do them, and replaces it when it ends."""

    def __init__(self, queue: JobQueue, folders: Mapping[str, Path], seconds: float) -> None:
        """Make a worker that is not started."""
        super().__init__(daemon=True)
        self.queue, self.folders, self.seconds = queue, folders, seconds
        self.process: WorkerProcess | None = None

    def run(self) -> None:
        """Do jobs until the queue is closed and empty."""
        while (batch := self.queue.take(CHECK_SECONDS)) is not None:
            try:
                process = self._living_process()
            except RequestError as error:
                settle(batch, [error] * len(batch))
                sleep(CHECK_SECONDS)
                continue
            if batch:
                self._do(process, batch)
        self.end_process()

    def _living_process(self) -> "WorkerProcess":
        """The process; another one if it has ended."""
        if self.process is None or not self.process.is_alive:
            self.end_process()
            self.process = WorkerProcess(self.folders)
            self.process.wait_until_ready()
        return self.process

    def _do(self, process: "WorkerProcess", batch: list[Job]) -> None:
        try:
            results = process.do([(one.work, one.model, one.task) for one in batch], self.seconds)
        except TimeoutError:
            self.end_process()
            settle(batch, [too_slow(self.seconds)] * len(batch))
        except (EOFError, OSError):
            self.end_process()
            settle([one for one in batch if one.is_retried], [worker_died()] * len(batch))
            self.queue.put_back([one for one in batch if not one.is_retried])
        else:
            settle(batch, results)

    def end_process(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.end()
            self.process = None


def settle(jobs: Sequence[Job], results: Sequence[Any]) -> None:
    """Give jobs their results."""
    for job, result in zip(jobs, results, strict=False):
        job.result.set_result(result)


class WorkerProcess:
    """The process of a worker, and the pipe to it."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        """Start a process."""
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=run_worker, args=(other, dict(folders)), daemon=True
        )
        self.process.start()
        other.close()

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self.process.is_alive()

    def wait_until_ready(self) -> None:
        """Wait until the model is loaded; raise if it cannot be."""
        try:
            said = self._answer(START_SECONDS)
        except (EOFError, OSError, TimeoutError):
            self.end()
            raise worker_died() from None
        if said != READY:
            self.end()
            raise said

    def do(self, calls: Sequence[tuple[Work, str, Any]], seconds: float) -> list[Any]:
        """The results of calls. Raises if the process has ended, or does not answer in time."""
        self.pipe.send(calls)
        found: list[Any] = self._answer(seconds)
        return found

    def _answer(self, seconds: float) -> Any:
        if not self.pipe.poll(seconds):
            raise TimeoutError
        return self.pipe.recv()

    def end(self) -> None:
        """Close the pipe, at which it ends; if it is at work it is killed."""
        self.pipe.close()
        self.process.join(0.2)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
