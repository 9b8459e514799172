"""The command line: thin wrappers around functions, one file per command or command group.

The other files hold shared options and output functions.
"""

import atexit
import errno
import io
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from headwise.processes.garbage import collect_rarely

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

INTERRUPTED = 130
TERMINATED = 143


def main() -> None:
    """Run the command line and leave with its exit code."""
    collect_rarely()
    # Where colorama is installed, Numba writes colour codes to a terminal at exit.
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    signal.signal(signal.SIGTERM, _leave)
    _end_with_terminal()
    _replace_closed_streams()
    try:
        from headwise.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before a command was running
        code = INTERRUPTED
    if code in (INTERRUPTED, TERMINATED):
        _leave_threads(code)
    sys.exit(code)


def _end_with_terminal() -> None:
    """Let the end of a terminal end the command as SIGTERM does, unless it is ignored (nohup)."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


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


def _leave_threads(code: int) -> NoReturn:
    """Exit without waiting for threads: one may go on compiling a kernel for many seconds."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    os._exit(code)


def _leave(signal_number: int, frame: FrameType | None) -> None:
    """Exit as after an interrupt, so that partly written files are removed."""
    sys.exit(TERMINATED)
