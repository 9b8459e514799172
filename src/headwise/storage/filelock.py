"""Locks of files: one process at a time; the system ends a lock with its process."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from headwise.errors import UsageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
BEHIND_ALL = 1 << 30
"""A place in the file that is never reached."""


@contextmanager
def only_one(path: Path, taken: str) -> Iterator[None]:
    """Hold the lock of a file that is there meanwhile; raise with a message if another has it.

    Where no file can be made or locked, there is no lock.
    """
    try:
        handle = locked_handle(path)
    except BlockingIOError:
        raise UsageError(taken) from None
    except OSError:
        yield
        return
    try:
        yield
    finally:
        remove_closing(path, partial(os.close, handle))


def locked_handle(path: Path) -> int:
    """The file, open and locked; raise `BlockingIOError` if another process has locked it."""
    while True:
        handle = os.open(path, FLAGS, 0o600)
        try:
            lock(handle)
            if is_still(path, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # its owner has removed it meanwhile


def lock(handle: int) -> None:
    """Lock a file until it is closed; raise `BlockingIOError` if another process has locked it."""
    if sys.platform == "win32":
        os.lseek(handle, BEHIND_ALL, os.SEEK_SET)  # a byte that is locked cannot be read
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(error.errno, error.strerror) from error
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_still(path: Path, handle: int) -> bool:
    """Whether a path is the file that was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def remove_closing(path: Path, close: Callable[[], object]) -> None:
    """Remove a locked file and close it: another process takes the lock of none that is removed."""
    if sys.platform != "win32":
        path.unlink(missing_ok=True)
    close()
    if sys.platform == "win32":  # where no open file can be removed
        with suppress(OSError):
            path.unlink(missing_ok=True)
