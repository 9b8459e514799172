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
from strangekernels import KERNELS

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
