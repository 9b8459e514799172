"""Kernels compiled the plain way."""

import os
import subprocess
import sys
from pathlib import Path

from headwise.kernels.runtime.versions import PLAIN
from strangekernels import KERNELS
from unprivileged import run_python


def run_kernels(folder: Path, version: str = "", **environment: str) -> tuple[str, str]:
    script = folder / "kernels.py"
    script.write_text(f"VERSION = {version!r}\n{KERNELS}")
    others = {"NUMBA_CACHE_DIR": str(folder / "cache"), **environment}
    call = [sys.executable, str(script)]
    run = subprocess.run(call, env=os.environ | others, capture_output=True, text=True, check=True)
    return run.stdout, run.stderr


def cached(folder: Path, suffix: str) -> set[str]:
    return {path.name for path in (folder / "cache").rglob(f"*{suffix}")}


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
