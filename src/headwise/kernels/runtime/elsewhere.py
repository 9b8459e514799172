"""Kernels that another process is compiling (`headwise.pipeline.warmup`)."""

from collections.abc import Callable
from typing import Any

waits: dict[str, Callable[[], Any]] = {}
"""How to wait for the process that compiles a kernel, by the kernel's name."""


def wait_for(name: str) -> None:
    """Wait until a kernel has been compiled, if another process is doing so."""
    waits.pop(name, lambda: None)()
