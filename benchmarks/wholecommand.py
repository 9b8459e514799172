"""The cost of a whole command, measured in a new process."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

# A process inherits the peak memory of the one it was forked from: so this small one forks.
LAUNCHER = """
import os, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ)
_, status, used = os.wait4(child, 0)
wall = time.perf_counter() - start
print(wall, used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""

NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


def as_for_users() -> dict[str, str]:
    """The environment in which Python stores bytecode, as for an installed package."""
    return {name: value for name, value in os.environ.items() if name != NO_BYTECODE}


class Cost(NamedTuple):
    """Wall-clock and CPU seconds, and peak memory."""

    wall: float
    processor: float
    megabytes: float


def cost_of(*arguments: object, env: Mapping[str, str] | None = None) -> Cost:
    """The cost of `headwise` with these arguments, and more environment variables."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, "-m", "headwise", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=as_for_users() | dict(env or {}),
    )
    if done.returncode:
        raise SystemExit(f"headwise {' '.join(map(str, arguments))} failed: {done.stderr}")
    wall, processor, memory = map(float, done.stderr.split()[-3:])
    return Cost(wall, processor, memory * (1 if sys.platform == "darwin" else 1024) / 1e6)
