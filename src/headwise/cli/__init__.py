"""The command line: thin skins over functions, a file a command or a group of commands.

Other files hold options, and how commands speak.
"""

import gc
import os
import signal
import sys
from pathlib import Path
from types import FrameType

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
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - for good
    try:
        from headwise.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before a command was running
        code = INTERRUPTED
    sys.exit(code)


def _leave(signal_number: int, frame: FrameType | None) -> None:
    """End as after an interrupt: what is half-written is removed on the way out."""
    sys.exit(TERMINATED)
