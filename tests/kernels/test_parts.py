"""Helpers become parts of kernels, which know their modules: raised errors come out whole."""

import os
import subprocess
import sys
from pathlib import Path

RAISING = """
from typing import NamedTuple
import numpy as np
from headwise.kernels.jit import helper, kernel

class Ones(NamedTuple):
    count: int
    values: np.ndarray

@helper
def ones(count):
    if count > 3:
        raise ValueError("too many", count)
    if count < 0:
        raise MemoryError("no room")
    return Ones(count, np.ones(count))

@helper
def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)

@kernel
def ones_and_factorial(count):
    return ones(count), factorial(count)

for count in (2, 5, -1):
    try:
        print(ones_and_factorial(count))
    except Exception as error:
        print(repr(error))
"""

PRINTED = """\
(Ones(count=2, values=array([1., 1.])), 2)
ValueError('too many', 5)
MemoryError('no room')
"""


def test_helpers_call_themselves_and_raise_compiled_or_kept(tmp_path: Path) -> None:
    script = tmp_path / "raising.py"
    script.write_text(RAISING)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    call = [sys.executable, str(script)]
    for _ in range(2):
        run = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
        assert run.stdout == PRINTED
    assert list(tmp_path.rglob("*.nbc"))
