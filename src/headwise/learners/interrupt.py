"""Ctrl-C that waits for a good moment."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether someone asked to stop: the first Ctrl-C is noted, the second stops at once."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self.signal_number: int | None = None

    def note(self, signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG002, RUF100
        """Someone asks."""
        if self.signal_number is not None:
            raise KeyboardInterrupt
        self.signal_number = signal_number

    def leave(self) -> None:
        """Do what the signal asked for."""
        if self.signal_number == signal.SIGTERM:
            raise SystemExit(128 + signal.SIGTERM)
        raise KeyboardInterrupt


@contextmanager
def noted_interrupts() -> Iterator[Interrupt]:
    """Within the block, Ctrl-C and SIGTERM are noted instead of stopping the program.

    Only in the main thread: others are never interrupted.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, interrupt.note) for number in numbers}
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
