"""Signal handling: postpone Ctrl-C and SIGTERM to a safe point, or keep work out of their reach."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


class Interrupt:
    """Records a request to stop: the first Ctrl-C is recorded, the second one interrupts."""

    def __init__(self) -> None:
        self.signal_number: int | None = None

    def note(self, signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG002, RUF100
        """Signal handler: record the first signal, interrupt on the second."""
        if self.signal_number is not None:
            raise KeyboardInterrupt
        self.signal_number = signal_number

    def leave(self) -> None:
        """Exit as the recorded signal requires."""
        if self.signal_number == signal.SIGTERM:
            raise SystemExit(128 + signal.SIGTERM)
        raise KeyboardInterrupt


@contextmanager
def noted_interrupts() -> Iterator[Interrupt]:
    """Record Ctrl-C and SIGTERM within the block instead of stopping the program."""
    interrupt = Interrupt()
    with handled_by(interrupt.note):
        yield interrupt


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM until the end of a short block."""
    held: list[int] = []
    try:
        with handled_by(lambda signal_number, _: held.append(signal_number)):
            yield
    finally:
        for signal_number in held[:1]:
            signal.raise_signal(signal_number)


def out_of_reach(work: Callable[[], T]) -> T:
    """Do work that no interrupt may be raised in, in a thread of its own.

    An interrupt is raised at once in the caller, while the thread goes on to the end of its work.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        return work()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    for error in errors:
        raise error
    return results[0]


@contextmanager
def handled_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle Ctrl-C and SIGTERM with `handler` within the block.

    Does nothing outside the main thread, which alone receives signals, and leaves signals alone
    that are ignored, or that a program embedding Python handles.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # None: a handler installed from outside Python, which we could not restore.
    left_alone = (None, signal.SIG_IGN)
    numbers = [n for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) not in left_alone]
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)
