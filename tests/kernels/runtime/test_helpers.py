"""Helpers become parts of kernels, which know their modules: raised errors come out whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RAISING = """
from typing import NamedTuple
import numpy as np
from headwise.kernels.runtime.jit import helper, kernel, maker

class Ones(NamedTuple):
    count: int
    values: np.ndarray

@maker
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


REFUSED = """
import sys
import numpy as np
from headwise.kernels.runtime.jit import helper, kernel, maker

@maker
def made(count):
    return np.ones(count)

@helper
def returning(values):
    return values[:1], 1

@helper
def holding(values):
    return made(len(values))[0]

@helper
def making(values):
    return np.empty(len(values))[0]

@helper
def borrowing(values):
    own = values[1:].reshape(2, -1)
    return own[1, 0]

@kernel
def run(values):
    return CALLED(values)

print(run(np.arange(5.0)))
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("returning", "returning returns arrays"),
        ("holding", "made returns arrays to holding"),
        ("making", "Only accept returning of array passed into the function"),
        ("borrowing", ""),
    ],
)
def test_helpers_hold_no_arrays(name: str, message: str, tmp_path: Path) -> None:
    script = tmp_path / "refused.py"
    script.write_text(REFUSED.replace("CALLED", name))
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    call = [sys.executable, str(script)]
    run = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert message in run.stderr
    assert run.stdout == ("" if message else "3.0\n")
