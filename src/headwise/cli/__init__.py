"""The command line: thin wrappers around functions, one file per command or command group.

The other files hold shared options and output functions.
"""

import errno
import gc
import io
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

INTERRUPTED = 130
TERMINATED = 143
OBJECTS_BEFORE_GARBAGE = 100_000
"""Allocations between runs of the garbage collector."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Most objects are code and sentences, which live on: collecting every 700 allocations, as
    # Python does, takes a tenth of the run time.
    gc.set_threshold(OBJECTS_BEFORE_GARBAGE)
    # Where colorama is installed, Numba writes colour codes to a terminal at exit.
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    signal.signal(signal.SIGTERM, _leave)
    _replace_closed_streams()
    try:
        from headwise.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before a command was running
        code = INTERRUPTED
    sys.exit(code)


def _replace_closed_streams() -> None:
    """Replace standard streams that the caller has closed.

    Their file descriptors are taken, so that no file is opened under a number to which libraries
    print.
    """
    if sys.stdout is None:
        os.open(os.devnull, os.O_RDONLY)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_ClosedOutput()), encoding="utf-8")
    if sys.stderr is None:  # nowhere to report errors
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open until exit


class _ClosedOutput(io.RawIOBase):
    """A closed standard output: the first write raises an error, later ones are discarded."""

    def __init__(self) -> None:
        self.has_raised = False

    def writable(self) -> bool:
        return True

    def write(self, data: "Buffer") -> int:
        if not self.has_raised:
            self.has_raised = True
            raise OSError(errno.EBADF, "it is closed (to discard it, send it to /dev/null)")
        return memoryview(data).nbytes


def _leave(signal_number: int, frame: FrameType | None) -> None:
    """Exit as after an interrupt, so that partly written files are removed."""
    sys.exit(TERMINATED)
