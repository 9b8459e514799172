"""Versions of Numba: known ones get the fast path, others the plain one, with the same results."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import pytest

from headwise.kernels.runtime import versions
from headwise.kernels.runtime.versions import END, OLDEST, PLAIN, internals_known
from unprivileged import run_python

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("version", "known"),
    [
        ("0.59.1", False),
        ("0.60.0", True),
        ("0.61.0rc1", True),
        ("0.68.1", True),
        ("0.69.0dev0+12.gabc", False),
        ("0.69.0", False),
        ("1.0.0", False),
        ("unknown", False),
    ],
)
def test_known_versions(version: str, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PLAIN, raising=False)
    assert internals_known(version) == known
    monkeypatch.setenv(PLAIN, "1")
    assert not internals_known(version)


def test_the_package_requires_the_versions_that_are_known() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    bounds = f"numba>={OLDEST[0]}.{OLDEST[1]},<{END[0]}.{END[1]}"
    assert bounds in project["dependencies"]
    assert versions.is_known(numba.__version__)


KERNELS = """
from typing import NamedTuple
import numba
if VERSION:
    numba.__version__ = VERSION
import numpy as np
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import embedded, helper, inlined, inner, kernel, maker
from headwise.kernels.primitives.semiring import LOG, join
from headwise.kernels.solvers.pairties import map_pairs

class Totals(NamedTuple):
    numbers: np.ndarray
    total: float

@helper
def first(numbers):
    return numbers[0]

@embedded
def last(numbers):
    return numbers[-1]

@inlined
def doubled(number):
    return 2 * number

@maker
def copied(numbers):
    return numbers.copy()

@kernel
def totals(numbers):
    own = copied(numbers)
    same = borrowed(own)
    total = first(same) + doubled(last(same)) + join(LOG, same, 0, same, 0, len(same))
    kept(own)
    return Totals(own, total)

totals_inside = inner(totals)

@kernel
def twice(numbers):
    return totals(numbers), totals_inside(numbers)

for result in twice(np.arange(4.0)):
    print(type(result).__name__, result.numbers.tolist(), result.total)
print(map_pairs(np.array([1, 2]), np.array([5, 7]), 9))
"""


def run_kernels(folder: Path, version: str = "", **environment: str) -> tuple[str, str]:
    script = folder / "kernels.py"
    script.write_text(f"VERSION = {version!r}\n{KERNELS}")
    others = {"NUMBA_CACHE_DIR": str(folder / "cache"), **environment}
    call = [sys.executable, str(script)]
    run = subprocess.run(call, env=os.environ | others, capture_output=True, text=True, check=True)
    return run.stdout, run.stderr


def cached(folder: Path, suffix: str) -> set[str]:
    return {path.name for path in (folder / "cache").rglob(f"*{suffix}")}


def test_a_version_that_is_not_known_gives_the_same_results(tmp_path: Path) -> None:
    fast, said = run_kernels(tmp_path)
    assert fast.count("Totals [0.0, 1.0, 2.0, 3.0]") == 2
    assert "is not supported" not in said
    assert cached(tmp_path, ".nbc")

    (tmp_path / "plain").mkdir()
    plain, said = run_kernels(tmp_path / "plain", "0.99.0")
    assert plain == fast
    assert said.startswith("headwise: Numba 0.99.0 is not supported (0.60 to 0.68 are)")
    code = {name.split("-")[0] for name in cached(tmp_path / "plain", ".nbi")}
    assert {"kernels.twice", "pairties.map_pairs"} <= code


def test_the_plain_path_can_be_chosen(tmp_path: Path) -> None:
    _, said = run_kernels(tmp_path, **{PLAIN: "1"})
    assert said == ""
    assert cached(tmp_path, ".nbi")


STAMPED = """
import sys
from headwise.kernels.runtime import plain
from headwise.kernels.runtime.jit import kernel

plain.fingerprint = lambda folder: sys.argv[1]

@kernel
def successor(number):
    return number + 1

print(successor(1), sum(successor.compiled.stats.cache_hits.values()))
"""


def test_the_plain_path_compiles_again_when_any_kernel_file_has_changed(tmp_path: Path) -> None:
    script = tmp_path / "stamped.py"
    script.write_text(STAMPED)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), PLAIN: "1"}
    for fingerprint, hits in (("one", 0), ("one", 1), ("another", 0), ("one", 1)):
        call = [sys.executable, str(script), fingerprint]
        run = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
        assert run.stdout == f"2 {hits}\n"


def test_the_plain_path_needs_no_writable_folder(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "HOME": str(blocked), PLAIN: "1"}
    run = run_python(IN_NO_FILE, **environment)
    assert (run.stdout, run.stderr) == ("2\n", "")


IN_NO_FILE = """
from headwise.kernels.runtime.jit import kernel

@kernel
def successor(number):
    return number + 1

print(successor(1))
"""
