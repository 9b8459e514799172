"""The command line: thin skins over functions, a file a command or a group of commands.

Other files hold options, and how commands speak.
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
"""So many new objects make it worth to look for garbage."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Code and sentences are no garbage: to look every 700 objects takes a tenth of the time.
    gc.set_threshold(OBJECTS_BEFORE_GARBAGE)
    # Where colorama is installed, Numba sends a terminal codes of colours at exit.
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
    """Have something in the place of streams that the caller has closed.

    Their numbers are taken, so that no file gets them, into which libraries might write.
    """
    if sys.stdout is None:
        os.open(os.devnull, os.O_RDONLY)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_ClosedOutput()), encoding="utf-8")
    if sys.stderr is None:  # there is nobody to complain to
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - for good


class _ClosedOutput(io.RawIOBase):
    """What was to be written here is lost; that is said, once."""

    def __init__(self) -> None:
        self.is_said = False

    def writable(self) -> bool:
        return True

    def write(self, data: "Buffer") -> int:
        if not self.is_said:
            self.is_said = True
            raise OSError(errno.EBADF, "it is closed (to discard it, send it to /dev/null)")
        return memoryview(data).nbytes


def _leave(signal_number: int, frame: FrameType | None) -> None:
    """End as after an interrupt: what is half-written is removed on the way out."""
    sys.exit(TERMINATED)
