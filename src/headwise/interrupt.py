"""Ctrl-C that waits for a good moment."""

import signal
import threading
from collections.abc import Callable, Iterator
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
    """Within the block, Ctrl-C and SIGTERM are noted instead of stopping the program."""
    interrupt = Interrupt()
    with handled_by(interrupt.note):
        yield interrupt


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Within a short block, Ctrl-C and SIGTERM wait; then they do what they would have done."""
    held: list[int] = []
    try:
        with handled_by(lambda signal_number, _: held.append(signal_number)):
            yield
    finally:
        for signal_number in held[:1]:
            signal.raise_signal(signal_number)


@contextmanager
def handled_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Within the block, Ctrl-C and SIGTERM call this.

    Only in the main thread: others are never interrupted. Signals that were handled before Python
    started, by a program that embeds it, are left to that program.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # A handler of a program around Python (None) could not be put back: it stays.
    numbers = [n for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) is not None]
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)
