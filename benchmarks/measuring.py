"""The time that work takes: that of the fastest of several runs."""

import time
from collections.abc import Callable, Mapping
from math import inf
from typing import TypeVar

Name = TypeVar("Name")


def fastest(
    work: Callable[[], object], runs: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The seconds of the fastest run of some work."""
    return fastest_in_turn({"work": work}, runs, clock)["work"]


def fastest_in_turn(
    works: Mapping[Name, Callable[[], object]],
    runs: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Name, float]:
    """The seconds of the fastest run of each work; they take turns.

    A shared machine may be slow for a while: this way it is for all of them alike.
    """
    times = dict.fromkeys(works, inf)
    for _ in range(runs):
        for name, work in works.items():
            start = clock()
            work()
            times[name] = min(times[name], clock() - start)
    return times
