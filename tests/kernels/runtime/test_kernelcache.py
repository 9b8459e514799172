"""Compiled code is loaded from wherever it is, and saved where it can be."""

import os
import pickle
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from numba import types

from headwise.kernels.runtime import kernelcache
from headwise.kernels.runtime.kernelcache import KernelCache, read, write
from unprivileged import make_read_only, obey_permissions, run_python

SOURCES = Path(kernelcache.__file__).parents[3]

BUILD = """
import numpy as np
from headwise.kernels.primitives.hashmap import build_map, look_up_all
keys, values = build_map(np.arange(3, dtype=np.uint64), np.arange(3, dtype=np.int32))
print(sorted(values.tolist()))
"""

LOOK_UP = """
print(look_up_all(keys, values, np.array([2, 7], np.uint64)).tolist())
"""

RESULTS = "[-1, -1, -1, -1, -1, 0, 1, 2]\n[2, -1]\n"

COMPILED_ONCE = "headwise: compiling kernels, once after installing"
COMPILED_ALWAYS = "in every process, as they cannot be cached"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A read-only copy of the package, in which one kernel was compiled."""
    folder = tmp_path_factory.mktemp("image")
    skipped = shutil.ignore_patterns("__pycache__", "data")
    shutil.copytree(SOURCES / "headwise", folder / "headwise", ignore=skipped)
    done = run_python(BUILD, PYTHONPATH=str(folder), HOME=str(folder))
    assert done.stderr.count(COMPILED_ONCE) == 1
    make_read_only(folder)
    return folder


def files_of_code(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbc*"))


def test_code_in_a_read_only_folder_is_loaded(image: Path) -> None:
    done = run_python(BUILD, PYTHONPATH=str(image), HOME=str(image))
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_is_made_elsewhere_for_what_is_only_loaded(image: Path, tmp_path: Path) -> None:
    done = run_python(BUILD, PYTHONPATH=str(image), HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_a_copy_elsewhere_with_other_times_has_its_code(image: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(image, copy, copy_function=shutil.copyfile)
    for path in copy.rglob("*.py"):
        os.utime(path, (1, 1))
    make_read_only(copy)
    done = run_python(BUILD, PYTHONPATH=str(copy), HOME=str(image))
    assert (done.returncode, done.stderr) == (0, "")


def test_what_a_read_only_folder_lacks_is_saved_for_the_user(image: Path, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(image), "HOME": str(tmp_path)}
    done = run_python(BUILD + LOOK_UP, **environment)
    assert done.stdout == RESULTS
    assert done.stderr.count(COMPILED_ONCE) == 1
    assert [path.name[:20] for path in files_of_code(tmp_path)] == ["hashmap.look_up_all-"]
    done = run_python(BUILD + LOOK_UP, **environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_chosen_folder_can_be_read_only(image: Path, tmp_path: Path) -> None:
    """Its code is loaded, and what it lacks is looked for beside the sources."""
    environment = {"PYTHONPATH": str(image), "NUMBA_CACHE_DIR": str(tmp_path)}
    assert COMPILED_ONCE in run_python(BUILD + LOOK_UP, **environment).stderr
    for path in tmp_path.rglob("hashmap.build_map-*"):
        path.unlink()
    make_read_only(tmp_path)
    done = run_python(BUILD + LOOK_UP, HOME=str(image), **environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_a_writable_folder_code_is_compiled_and_that_is_said(image: Path) -> None:
    done = run_python(BUILD + LOOK_UP, PYTHONPATH=str(image), HOME=str(image))
    assert (done.returncode, done.stdout) == (0, RESULTS)
    assert len(done.stderr.splitlines()) == 1
    assert COMPILED_ALWAYS in done.stderr
    assert f"{image / 'headwise' / 'kernels' / '__pycache__'}: Permission denied" in done.stderr
    assert "Set NUMBA_CACHE_DIR to a writable folder" in done.stderr
    assert "another CPU" not in done.stderr


def test_code_for_another_cpu_is_not_loaded_and_that_is_said(image: Path) -> None:
    environment = {"PYTHONPATH": str(image), "HOME": str(image)}
    other = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    done = run_python(BUILD, **environment, **other)
    assert (done.returncode, done.stdout) == (0, RESULTS.splitlines(keepends=True)[0])
    cached = image / "headwise" / "kernels" / "__pycache__"
    assert f"Kernels in {cached} were compiled for another CPU, or for other" in done.stderr


def fill_disk() -> None:
    """No file can become longer, as if the disk were full."""
    import resource

    obey_permissions()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def test_code_that_cannot_be_saved_is_run_all_the_same(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(SOURCES), "NUMBA_CACHE_DIR": str(tmp_path)}
    done = run_python(BUILD + LOOK_UP, before=fill_disk, **environment)
    assert (done.returncode, done.stdout) == (0, RESULTS)
    compiling, not_saved = done.stderr.splitlines()
    assert compiling.startswith(COMPILED_ONCE)
    assert not_saved.startswith(
        f"headwise: compiled kernels could not be cached in {tmp_path}: File too large; "
    )
    assert files_of_code(tmp_path) == []


def test_damaged_code_is_compiled_anew_and_replaced(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(SOURCES), "NUMBA_CACHE_DIR": str(tmp_path)}
    good = run_python(BUILD, **environment).stdout
    [path] = files_of_code(tmp_path)
    path.write_bytes(pickle.dumps("something else"))
    done = run_python(BUILD, **environment)
    assert (done.returncode, done.stdout) == (0, good)
    assert COMPILED_ONCE in done.stderr
    done = run_python(BUILD, **environment)
    assert (done.stdout, done.stderr) == (good, "")


SIGNATURE = (types.int64,)


def in_file(path: Path, signature: Any = SIGNATURE) -> bytes:
    write(path, signature, "code")
    return path.read_bytes()


class Moved:
    """A class that is not there when the code is loaded."""


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "file", SIGNATURE, "code")
    assert read(tmp_path / "file", SIGNATURE) == "code"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_damaged_and_foreign_files_are_as_if_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = in_file(tmp_path / "good")
    other_types = in_file(tmp_path / "other", (types.float64,))
    monkeypatch.setattr(kernelcache, "dumps", pickle.dumps)
    write(tmp_path / "moved", SIGNATURE, Moved())
    moved = (tmp_path / "moved").read_bytes()
    monkeypatch.delattr(f"{__name__}.Moved")
    flipped = good[:-3] + bytes([good[-3] ^ 1]) + good[-2:]
    for bad in (b"", good[:10], good[:-1], good + b"\0", flipped, b"\x80garbage", moved):
        (tmp_path / "file").write_bytes(bad)
        assert read(tmp_path / "file", SIGNATURE) is None
    (tmp_path / "file").write_bytes(other_types)
    assert read(tmp_path / "file", SIGNATURE) is None
    (tmp_path / "file").write_bytes(good)
    assert read(tmp_path / "file", SIGNATURE) == "code"
    assert read(tmp_path / "absent", SIGNATURE) is None
    assert read(tmp_path, SIGNATURE) is None


def test_others_cannot_change_a_file_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        in_file(tmp_path / "file")
    finally:
        os.umask(before)
    assert not (tmp_path / "file").stat().st_mode & 0o002


def test_a_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    in_file(tmp_path / "folder" / "file")
    assert read(tmp_path / "folder" / "file", SIGNATURE) == "code"


def test_names_tell_kernels_and_signatures_apart() -> None:
    def one(x: int) -> int:
        return x

    def two(x: int) -> int:
        return x + 1

    functions, signatures = (one, two), ((types.int64,), (types.float64,))
    names = {KernelCache(each).file_name(sig) for each in functions for sig in signatures}
    assert len(names) == 4
    assert all(name.startswith("test_kernelcache.") for name in names)


def test_closures_are_refused() -> None:
    size = 3
    with pytest.raises(TypeError, match="is a closure"):
        KernelCache(lambda: size)
