"""Commands on a real terminal: a pseudo-terminal of a given size, and what was written to it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from dataclasses import dataclass
from tempfile import TemporaryFile

ESCAPE = "\x1b"
ERASE = "\x1b[2K"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

PLAIN_C = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale in which only ASCII can be shown."""

UNSET = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "LC_ALL", "TTY_COMPATIBLE")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command did: what the terminal was sent, and what went elsewhere."""

    code: int
    text: str
    out: str = ""

    @property
    def left(self) -> str:
        """What was sent after the bar of progress, if there was one, had been taken away."""
        return self.text.rpartition(ERASE)[2]

    @property
    def plain(self) -> str:
        """What was sent without the codes of colours and cursors."""
        return without_codes(self.text)


def without_codes(text: str) -> str:
    """A text without the codes of colours and cursors."""
    return CODES.sub("", text)


def on_terminal(
    *arguments: object,
    width: int = 80,
    environment: Mapping[str, str] | None = None,
    to_file: bool = False,
    typed: bytes | None = None,
    timeout: float = 120,
) -> Shown:
    """Run `headwise` with a terminal as its standard output and error.

    With `to_file`, standard output is a file. With `typed`, standard input is the terminal too,
    and this is typed into it.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    known = {name: value for name, value in os.environ.items() if name not in UNSET}
    with TemporaryFile() as elsewhere:
        running = subprocess.Popen(
            [sys.executable, "-m", "headwise", *map(str, arguments)],
            stdin=subprocess.DEVNULL if typed is None else slave,
            stdout=elsewhere if to_file else slave,
            stderr=slave,
            env={**known, "TERM": "xterm", "LANG": "C.UTF-8", **(environment or {})},
            start_new_session=True,
        )
        os.close(slave)
        try:
            if typed is not None:
                os.write(master, typed)
            text = read_all(master, timeout)
            code = running.wait(timeout)
        finally:
            running.kill()
            running.wait()
            os.close(master)
        elsewhere.seek(0)
        return Shown(code, text.replace("\r\n", "\n"), elsewhere.read().decode())


def read_all(master: int, timeout: float) -> str:
    """What is written to a terminal until everyone has closed it."""
    found, end = b"", time.monotonic() + timeout
    while True:
        ready, _, _ = select.select([master], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError(found[-1000:].decode(errors="replace"))
        try:
            some = os.read(master, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            some = b""
        if not some:
            return found.decode()
        found += some
