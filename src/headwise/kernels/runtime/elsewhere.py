"""Kernels that another process compiles beside this one (`headwise.pipeline.warmup`)."""

from collections.abc import Callable
from threading import Lock
from typing import Any

starts: list[Callable[[], Any]] = []
"""How to start other processes, as soon as some kernel has to be compiled."""

waits: dict[str, Callable[[], Any]] = {}
"""How to wait for the process that compiles a kernel, by the kernel's name."""

_starting = Lock()


def wait_for(name: str) -> None:
    """Before compiling a kernel: wait for another process if that is doing so."""
    with _starting:  # several threads may come to their first kernel at once
        while starts:
            starts.pop()()
    waits.pop(name, lambda: None)()
