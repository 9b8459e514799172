"""Kernels are compiled once, out of the reach of interrupts, and let other threads run."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from headwise import kernels
from headwise.kernels.runtime import jit

FIRST_CALL = """
import numpy as np
from headwise.kernels.parts.pruned_rows import compress
compress(np.ones((4, 4), np.bool_), False, False)
"""


def run(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": "", "PYTHONPATH": str(Path(jit.__file__).parents[3]), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_first_call_is_told_and_later_ones_are_cached(tmp_path: Path) -> None:
    first = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0
    assert first.stderr.count("headwise: compiling kernels, once after installing") == 1
    assert list(tmp_path.rglob("*.nbc"))
    second = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path))
    assert (second.returncode, second.stderr) == (0, "")


INTERRUPTED = """
import os, signal
import numpy as np
from numba.core import event
from headwise.kernels.parts.pruned_rows import compress

class Impatient(event.Listener):
    def on_start(self, event): os.kill(os.getpid(), signal.SIGINT)
    def on_end(self, event): pass

rows = np.ones((4, 4), np.bool_)
try:
    with event.install_listener("numba:llvm_lock", Impatient()):
        compress(rows, False, False)
except KeyboardInterrupt:
    compress(rows, False, False)
    print(len(compress.overloads))
"""


def test_an_interrupt_leaves_a_kernel_whole(tmp_path: Path) -> None:
    for _ in ("compiled", "loaded"):
        result = run(INTERRUPTED, NUMBA_CACHE_DIR=str(tmp_path))
        assert (result.returncode, result.stdout) == (0, "1\n")


CALLED_BY_ANOTHER = """
import numba
import numpy as np
from headwise.kernels.parts.pruned_rows import compress

@numba.njit
def foreign(rows):
    return compress(rows, False, False)

foreign(np.ones((4, 4), np.bool_))
print(len(compress.overloads))
"""


def test_a_function_that_is_being_compiled_can_call_a_kernel(tmp_path: Path) -> None:
    """It has the compiler's lock, for which another thread would wait for ever."""
    result = run(CALLED_BY_ANOTHER, NUMBA_CACHE_DIR=str(tmp_path))
    assert (result.returncode, result.stdout) == (0, "1\n")


def test_every_kernel_lets_other_threads_run() -> None:
    found = 0
    for module in walk_packages(kernels.__path__, "headwise.kernels."):
        members = vars(import_module(module.name)).values()
        compiled = [value for value in members if hasattr(value, "targetoptions")]
        assert all(kernel.targetoptions["nogil"] for kernel in compiled), module.name
        found += len(compiled)
    assert found > 100
