import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from headwise.corpus.tree import is_projective
from headwise.errors import FormatError
from headwise.serve.editing.marks import constraints_of
from headwise.serve.editing.proposing import Clash, Task, propose_many
from headwise.serve.requesterrors import RequestError
from headwise.serve.settings import ServeSettings
from headwise.serve.workerprocess import examples
from headwise.serve.workers import WorkerPool
from servers import toy_model
from toypipelines import toy_pipeline

# What the worker processes of these tests do: functions of a module.


def number_of_process(pipeline, tasks):
    return [os.getpid()] * len(tasks)


def doubled(pipeline, tasks):
    return [FormatError("no threes") if task == 3 else 2 * task for task in tasks]


def ending(pipeline, tasks):
    """End the process over every task that says so."""
    if "end" in tasks:
        os.kill(os.getpid(), signal.SIGKILL)
    return tasks


def ending_once(pipeline, paths):
    """End the process the first time."""
    for path in paths:
        if not Path(path).exists():
            Path(path).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return paths


def sleeping(pipeline, seconds):
    for one in seconds:
        time.sleep(one)
    return seconds


def threads(pipeline, tasks):
    """How many threads the process has after a product of matrices."""
    matrix = np.ones((500, 500), np.float32)
    assert (matrix @ matrix).all()
    return [len(list(Path("/proc/self/task").iterdir())) for _ in tasks]


def unexpected(pipeline, tasks):
    """Fail over one task, in a way that nobody expected."""
    return [1 // task for task in tasks]


SOURCE_LINE = "raise ValueError(users_text)"


def mistaken(pipeline, tasks):
    users_text = " ".join(("the", "users'", "text"))
    raise ValueError(users_text)


@contextmanager
def pool_of(**settings: object) -> Iterator[WorkerPool]:
    pool = WorkerPool(ServeSettings(**settings), {"toy": Path(toy_model())})
    pool.start()
    try:
        yield pool
    finally:
        pool.stop()
        assert pool.alive == 0


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with pool_of() as found:
        yield found


def asked(pool: WorkerPool, work, *tasks) -> list[object]:
    async def ask() -> list[object]:
        calls = (pool.ask(work, "toy", task, 1) for task in tasks)
        return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(ask())


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_products_of_matrices_take_one_thread(pool):
    assert asked(pool, threads, 1) == [1]


def test_a_task_that_fails_unexpectedly_spoils_no_other(pool):
    results = asked(pool, unexpected, 1, 0, 1, 1)
    assert [getattr(one, "status", one) for one in results] == [1, 500, 1, 1]


def test_every_task_gets_its_own_result(pool):
    results = asked(pool, doubled, *range(50))
    assert [one for index, one in enumerate(results) if index != 3] == [
        2 * one for one in range(50) if one != 3
    ]
    assert isinstance(results[3], RequestError)
    assert (results[3].status, results[3].message) == (400, "no threes")


def test_a_killed_worker_is_replaced_and_nothing_is_lost(pool):
    (before,) = asked(pool, number_of_process, 0)
    assert before != os.getpid()
    os.kill(before, signal.SIGKILL)
    assert asked(pool, doubled, 1, 2) == [2, 4]
    (after,) = asked(pool, number_of_process, 0)
    assert after != before


def test_an_idle_worker_that_ended_is_noticed(pool):
    (before,) = asked(pool, number_of_process, 0)
    os.kill(before, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        process = pool.workers[0].process
        if process is not None and process.process.pid != before and pool.alive:
            break
        time.sleep(0.05)
    assert pool.alive == 1


def test_what_was_at_work_when_a_worker_died_is_tried_again(pool, tmp_path):
    paths = [str(tmp_path / name) for name in "ab"]
    assert asked(pool, ending_once, paths[0]) == paths[:1]


def test_only_the_task_that_ends_workers_is_refused(pool):
    results = asked(pool, ending, "a", "end", "b")
    assert (results[0], results[2]) == ("a", "b")
    assert (results[1].status, results[1].code) == (503, "worker_died")


def test_a_mistake_is_logged_without_what_it_says(capfd):
    with pool_of() as pool:  # one that writes to what is captured here
        (found,) = asked(pool, mistaken, 1)
    assert (found.status, found.code) == (500, "internal_error")
    logged = capfd.readouterr().err
    assert "ValueError in a worker" in logged
    assert "mistaken" in logged  # where it was raised
    assert "users" not in logged.replace(SOURCE_LINE, "")


def test_what_takes_too_long_is_ended_and_the_next_is_answered():
    with pool_of(seconds=1.0) as pool:
        began = time.monotonic()
        (found,) = asked(pool, sleeping, 100)
        assert (found.status, found.code) == (503, "time_limit")
        assert time.monotonic() - began < 10
        deadline = time.monotonic() + 300
        while asked(pool, doubled, 1) != [2]:  # the next process takes a moment to start
            assert time.monotonic() < deadline


def test_stopping_finishes_what_was_begun():
    with pool_of() as pool:

        async def ask() -> object:
            call = asyncio.ensure_future(pool.ask(sleeping, "toy", 0.5, 1))
            await asyncio.sleep(0.1)
            await asyncio.to_thread(pool.stop)
            return await call

        assert asyncio.run(ask()) == 0.5


def test_a_model_that_cannot_be_loaded_is_an_error_at_the_start(tmp_path):
    pool = WorkerPool(ServeSettings(), {"gone": tmp_path / "gone"})
    with pytest.raises(RequestError, match="there is no model"):
        pool.start()
    assert pool.alive == 0


def test_a_model_that_is_gone_when_it_is_first_needed(pool, tmp_path):
    folders = {"toy": Path(toy_model()), "gone": tmp_path / "gone"}
    other = WorkerPool(ServeSettings(), folders)
    other.start()
    try:
        with pytest.raises(RequestError, match="gone cannot be loaded: there is no") as caught:
            asyncio.run(other.ask(doubled, "gone", 1, 1))
        assert (caught.value.status, caught.value.code) == (503, "model_unavailable")
        assert asyncio.run(other.ask(doubled, "toy", 1, 1)) == 2
    finally:
        other.stop()


def test_workers_are_warm_for_all_that_can_be_fixed():
    kinds = [constraints_of(one) for one in examples()]
    assert any(one.brackets and one.forbidden for one in kinds)
    _, _, crossing, clash = propose_many(toy_pipeline(), [Task(one) for one in examples()])
    assert not is_projective([0, *crossing.sentence.heads])
    assert isinstance(clash, Clash)
