"""Where compiled code is kept, and what the user is told."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

from headwise.kernels import jit

FIRST_CALL = """
import numpy as np
from headwise.kernels.rows import compress
compress(np.ones((4, 4), np.bool_), False, False)
"""


def run(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_first_call_is_told_and_later_ones_are_cached(tmp_path: Path) -> None:
    first = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0
    assert first.stderr.count("headwise: compiling") == 1
    assert list(tmp_path.rglob("*.nbi"))
    second = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path))
    assert (second.returncode, second.stderr) == (0, "")


def test_no_writable_folder_is_told_and_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    result = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path / "file" / "folder"))
    assert result.returncode == 0
    assert result.stderr.count("no folder is writable") == 1


def test_a_change_in_any_kernel_file_changes_the_folder(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("first")
    before = jit.fingerprint(tmp_path)
    assert jit.fingerprint(tmp_path) == before
    (tmp_path / "two.py").write_text("")
    with_another = jit.fingerprint(tmp_path)
    (tmp_path / "one.py").write_text("changed")
    assert len({before, with_another, jit.fingerprint(tmp_path)}) == 3


def test_the_users_own_setting_is_left_alone() -> None:
    before = jit.settings.CACHE_DIR
    with jit.cache_in(Path("elsewhere")):
        assert jit.settings.CACHE_DIR == "elsewhere"
    assert before == jit.settings.CACHE_DIR


def test_two_processes_never_write_the_same_file_of_code(tmp_path: Path) -> None:
    """Otherwise the index of one could point to the code of the other."""
    script = (
        "from headwise.kernels.order1 import best as b; print(b._cache._cache_file._data_name(1))"
    )
    names = {run(script, NUMBA_CACHE_DIR=str(tmp_path)).stdout for _ in range(2)}
    assert len(names) == 2
    assert all(name.endswith(".nbc\n") for name in names)


def test_every_kernel_lets_other_threads_run() -> None:
    for name in ("order1", "higher_answers", "mst", "matrixtree", "arc_scores"):
        kernels = [
            value
            for value in vars(import_module(f"headwise.kernels.{name}")).values()
            if hasattr(value, "targetoptions")
        ]
        assert kernels
        assert all(kernel.targetoptions["nogil"] for kernel in kernels)
