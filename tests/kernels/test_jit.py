"""Where compiled code is kept, and what the user is told."""

import os
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from headwise.kernels import jit

FIRST_CALL = """
import numpy as np
from headwise.kernels.rows import compress
compress(np.ones((4, 4), np.bool_), False, False)
"""


def run(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": "", "PYTHONPATH": str(Path(jit.__file__).parents[2]), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_first_call_is_told_and_later_ones_are_cached(tmp_path: Path) -> None:
    first = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0
    assert first.stderr.count("headwise: compiling kernels, once after installing") == 1
    assert list(tmp_path.rglob("*.nbi"))
    second = run(FIRST_CALL, NUMBA_CACHE_DIR=str(tmp_path))
    assert (second.returncode, second.stderr) == (0, "")


INTERRUPTED = """
import os, signal
import numpy as np
from numba.core import event
from headwise.kernels.rows import compress

class Impatient(event.Listener):
    def on_start(self, event): os.kill(os.getpid(), signal.SIGINT)
    def on_end(self, event): pass

rows = np.ones((4, 4), np.bool_)
try:
    with event.install_listener("numba:llvm_lock", Impatient()):
        compress(rows, False, False)
except KeyboardInterrupt:
    print(len(compress.overloads))
"""


def test_an_interrupt_waits_until_a_kernel_is_compiled(tmp_path: Path) -> None:
    for _ in ("compiled", "loaded"):
        result = run(INTERRUPTED, NUMBA_CACHE_DIR=str(tmp_path))
        assert (result.returncode, result.stdout) == (0, "1\n")


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
    found = 0
    for module in iter_modules([str(Path(jit.__file__).parent)]):
        members = vars(import_module(f"headwise.kernels.{module.name}")).values()
        kernels = [value for value in members if hasattr(value, "targetoptions")]
        assert all(kernel.targetoptions["nogil"] for kernel in kernels), module.name
        found += len(kernels)
    assert found > 100


def old_folder(root: Path, name: str, days: float) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "code.nbc").write_text("")
    then = time.time() - days * 24 * 60 * 60
    os.utime(folder, (then, then))
    return folder


def test_folders_nobody_uses_are_removed(tmp_path: Path) -> None:
    new = old_folder(tmp_path, "headwise-new", 0)
    recent = [old_folder(tmp_path, f"headwise-recent{i}", 0.5) for i in range(4)]
    stale = [old_folder(tmp_path, f"headwise-stale{i}", 2 + i) for i in range(3)]
    other = old_folder(tmp_path, "of-somebody-else", 100)
    jit.remove_stale(new)
    assert sorted(tmp_path.iterdir()) == sorted([new, other, *recent])
    assert not any(folder.exists() for folder in stale)


def test_the_folders_used_last_are_kept_however_old(tmp_path: Path) -> None:
    new = old_folder(tmp_path, "headwise-new", 0)
    old = [old_folder(tmp_path, f"headwise-old{i}", 10 + i) for i in range(4)]
    jit.remove_stale(new)
    assert sorted(tmp_path.iterdir()) == sorted([new, *old[:2]])


def test_a_folder_that_another_process_removes_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = old_folder(tmp_path, "headwise-new", 0)
    for i in range(4):
        old_folder(tmp_path, f"headwise-old{i}", 10 + i)
    rename = Path.rename

    def gone(self: Path, target: Path) -> Path:
        shutil.rmtree(self)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", gone)
    jit.remove_stale(new)
    assert len(list(tmp_path.iterdir())) == 3


def test_making_a_new_folder_removes_old_ones(tmp_path: Path) -> None:
    old = [old_folder(tmp_path, f"headwise-old{i}", 10 + i) for i in range(4)]
    script = "from headwise.kernels.jit import cache_folder; print(cache_folder())"
    made = run(script, NUMBA_CACHE_DIR=str(tmp_path)).stdout.strip()
    assert sorted(map(str, tmp_path.iterdir())) == sorted([made, *map(str, old[:2])])
    # Once it is there, others are left alone: their time is that of a running process perhaps.
    another = old_folder(tmp_path, "headwise-another", 20)
    run(script, NUMBA_CACHE_DIR=str(tmp_path))
    assert another.exists()


def test_the_folder_of_the_kernels_is_named_by_their_texts(tmp_path: Path) -> None:
    """Code of a kernel is not used when any kernel file has another text."""
    copy = tmp_path / "headwise"
    shutil.copytree(
        Path(jit.__file__).parents[1], copy, ignore=shutil.ignore_patterns("__pycache__", "data")
    )
    script = "from headwise.kernels.jit import cache_folder; print(cache_folder())"
    names = set()
    for changed in (None, "mst.py", "runs.py"):
        if changed:
            with (copy / "kernels" / changed).open("a") as file:
                file.write("# another text\n")
        done = run(script, PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
        names.add(Path(done.stdout.strip()).name)
    assert len(names) == 3
