from threading import Thread
from time import monotonic

import pytest

from headwise.serve.jobs import BATCH_SIZE, Job, JobQueue
from headwise.serve.requesterrors import RequestError


def job(size: int = 1, *, seconds: float = 60.0) -> Job:
    return Job(list, "model", None, size, monotonic() + seconds)


def put(queue: JobQueue, *jobs: Job) -> list[Job]:
    for one in jobs:
        queue.put(one)
    return list(jobs)


def test_what_waits_is_taken_together_in_order():
    queue = JobQueue(9)
    jobs = put(queue, job(), job(), job())
    assert queue.take(0) == jobs
    assert queue.take(0) == []


def test_batches_are_bounded_and_large_jobs_come_alone():
    queue = JobQueue(9)
    large, small, half, other = put(
        queue, job(2 * BATCH_SIZE), job(), job(BATCH_SIZE // 2), job(BATCH_SIZE)
    )
    assert [queue.take(0) for _ in range(3)] == [[large], [small, half], [other]]


def test_more_than_the_queue_holds_is_refused_until_some_are_done():
    queue = JobQueue(2)
    first, _ = put(queue, job(), job())
    with pytest.raises(RequestError) as caught:
        queue.put(job())
    assert caught.value.status == 429
    assert caught.value.headers["Retry-After"] == "1"
    queue.take(0)
    with pytest.raises(RequestError):  # those at work count
        queue.put(job())
    first.result.set_result(None)
    assert queue.count == 1
    queue.put(job())


def test_jobs_that_nobody_waits_for_are_left_out():
    queue = JobQueue(9)
    gone, late, wanted = put(queue, job(), job(seconds=-1), job())
    gone.result.cancel()
    assert queue.take(0) == [wanted]
    assert late.result.cancelled()
    assert queue.count == 1


def test_jobs_over_which_a_worker_died_are_tried_next_and_alone():
    queue = JobQueue(9)
    a, b = put(queue, job(), job())
    assert queue.take(0) == [a, b]
    (c,) = put(queue, job())
    queue.put_back([a, b])
    assert [queue.take(0) for _ in range(3)] == [[a], [b], [c]]
    assert (a.is_retried, b.is_retried, c.is_retried) == (True, True, False)


def test_a_closed_queue_ends_after_its_last_job():
    queue = JobQueue(9)
    (one,) = put(queue, job())
    queue.close()
    assert queue.take(60) == [one]
    assert queue.take(60) is None


def test_workers_wait_for_jobs_and_are_woken():
    queue, taken = JobQueue(9), []
    waiting = Thread(target=lambda: taken.append(queue.take(60)))
    waiting.start()
    (one,) = put(queue, job())
    waiting.join(30)
    assert taken == [[one]]
