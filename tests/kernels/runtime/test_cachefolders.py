"""Which folders compiled code is looked for in, and which one takes new code."""

import os
import shutil
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from headwise.kernels.runtime import cachefolders
from headwise.kernels.runtime.cachefolders import fingerprint, is_trusted, remove_stale
from unprivileged import make_read_only, run_python

SOURCES = Path(cachefolders.__file__).parents[3]

SEARCHED = """
from headwise.kernels.runtime.cachefolders import searched_folders, writable_folder
for folder in searched_folders():
    print(folder.path.parent, folder.trusted, folder.problem or "writable")
"""

WRITABLE = "from headwise.kernels.runtime.cachefolders import writable_folder as w; print(w())"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of the package, in which no kernel was compiled."""
    copy = tmp_path / "installed"
    skipped = shutil.ignore_patterns("__pycache__", "data")
    shutil.copytree(SOURCES / "headwise", copy / "headwise", ignore=skipped)
    return copy


def searched(installed: Path, **environment: str) -> list[str]:
    done = run_python(SEARCHED, PYTHONPATH=str(installed), **environment)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_search_ends_at_the_first_writable_folder(installed: Path, tmp_path: Path) -> None:
    home, chosen = tmp_path / "home", tmp_path / "chosen"
    beside = installed / "headwise" / "kernels" / "__pycache__"
    assert searched(installed, HOME=str(home)) == [f"{beside} True writable"]
    both = {"HOME": str(home), "NUMBA_CACHE_DIR": str(chosen)}
    assert searched(installed, **both) == [f"{chosen} True writable"]
    make_read_only(chosen)
    make_read_only(installed)
    assert searched(installed, **both) == [
        f"{chosen} True Permission denied",
        f"{beside} True Permission denied",
        f"{home / '.cache' / 'headwise'} True writable",
    ]


def test_without_any_writable_folder_there_is_none(installed: Path, tmp_path: Path) -> None:
    make_read_only(installed)
    beside = installed / "headwise" / "kernels" / "__pycache__"
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert searched(installed, HOME=str(closed)) == [
        f"{beside} False Permission denied",
        f"{closed / '.cache' / 'headwise'} False Permission denied",
    ]
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert "Not a directory" in searched(installed, HOME=str(in_the_way))[-1]
    done = run_python(WRITABLE, PYTHONPATH=str(installed), HOME=str(closed))
    assert done.stdout == "None\n"


def test_a_home_that_is_not_known_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it does without a home
    monkeypatch.setattr(cachefolders.settings, "CACHE_DIR", "")
    assert cachefolders.cache_roots() == [SOURCES / "headwise" / "kernels" / "__pycache__"]


@pytest.mark.parametrize("error", [OSError, RuntimeError, ValueError])
def test_a_cache_folder_that_cannot_be_found_is_not_searched(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*names: str, **options: object) -> Path:
        raise error

    monkeypatch.setattr(cachefolders, "user_cache_path", fail)
    assert cachefolders.user_cache_folders() == []


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is of Linux")
def test_the_users_cache_folder_can_be_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cachefolders.user_cache_folders() == [tmp_path / "headwise"]


def owned(folder: int, around: int, mode: int, above: int) -> SimpleNamespace:
    """A folder whose owner, and whose parent's owner, have these numbers; `above` is a mode."""
    highest = SimpleNamespace(stat=lambda: SimpleNamespace(st_uid=0, st_mode=above))
    state = SimpleNamespace(st_uid=around, st_mode=0o777)
    parent = SimpleNamespace(stat=lambda: state, parent=highest)
    itself = SimpleNamespace(st_uid=folder, st_mode=mode)
    return SimpleNamespace(stat=lambda: itself, parent=parent)


@pytest.mark.skipif(os.name == "nt", reason="there are no such permissions")
@pytest.mark.parametrize(
    ("folder", "around", "mode", "above", "trusted"),
    [
        (1000, 0, 0o755, 0o755, True),  # our own
        (0, 0, 0o755, 0o755, True),  # in an image that root has built
        (1001, 1001, 0o755, 0o755, True),  # of whoever installed Headwise
        (1001, 0, 0o755, 0o755, False),  # made by somebody in /tmp
        (1001, 1001, 0o755, 0o1777, False),  # made by somebody in a folder of theirs in /tmp
        (1000, 1001, 0o755, 0o1777, True),
        (1000, 1000, 0o775, 0o755, True),
        (1000, 1000, 0o777, 0o755, False),
        (0, 0, 0o1777, 0o755, False),
    ],
)
def test_folders_in_which_others_can_write_are_not_trusted(
    folder: int,
    around: int,
    mode: int,
    above: int,
    trusted: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert is_trusted(owned(folder, around, mode, above)) == trusted


def test_a_folder_that_is_not_trusted_is_left_alone(installed: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    environment = {"PYTHONPATH": str(installed), "NUMBA_CACHE_DIR": str(chosen)}
    made = Path(run_python(WRITABLE, **environment).stdout.strip())
    made.chmod(0o777)
    problem, _ = searched(installed, NUMBA_CACHE_DIR=str(chosen))
    assert problem == f"{chosen} False other users can write there"


def test_new_folders_are_trusted_under_any_umask(installed: Path, tmp_path: Path) -> None:
    script = "import os; os.umask(0)" + SEARCHED
    environment = {"PYTHONPATH": str(installed), "NUMBA_CACHE_DIR": str(tmp_path / "chosen")}
    for _ in range(2):
        assert run_python(script, **environment).stdout.endswith("chosen True writable\n")


def test_a_change_in_any_kernel_file_changes_the_folder(tmp_path: Path) -> None:
    of = fingerprint.__wrapped__
    (tmp_path / "one.py").write_text("first")
    before = of(tmp_path)
    assert of(tmp_path) == before
    (tmp_path / "two.py").write_text("")
    with_another = of(tmp_path)
    (tmp_path / "one.py").write_text("changed")
    with_changed = of(tmp_path)
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "inner" / "one.py").write_text("")
    with_folder = of(tmp_path)
    (tmp_path / "folder" / "inner" / "one.py").write_text("changed")
    assert len({before, with_another, with_changed, with_folder, of(tmp_path)}) == 5


def test_the_folder_of_the_kernels_is_named_by_their_texts(installed: Path, tmp_path: Path) -> None:
    """Code of a kernel is not used when any kernel file has another text."""
    names = set()
    for changed in (None, "nonprojective/mst.py", "primitives/runs.py", "runtime/lean.py"):
        if changed:
            with (installed / "headwise" / "kernels" / changed).open("a") as file:
                file.write("# another text\n")
        done = run_python(WRITABLE, PYTHONPATH=str(installed), NUMBA_CACHE_DIR=str(tmp_path))
        names.add(Path(done.stdout.strip()).name)
    assert len(names) == 4


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
    remove_stale(new)
    assert sorted(tmp_path.iterdir()) == sorted([new, other, *recent])
    assert not any(folder.exists() for folder in stale)


def test_the_folders_used_last_are_kept_however_old(tmp_path: Path) -> None:
    new = old_folder(tmp_path, "headwise-new", 0)
    old = [old_folder(tmp_path, f"headwise-old{i}", 10 + i) for i in range(4)]
    remove_stale(new)
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
    remove_stale(new)
    assert len(list(tmp_path.iterdir())) == 3


def test_making_a_new_folder_removes_old_ones(tmp_path: Path) -> None:
    old = [old_folder(tmp_path, f"headwise-old{i}", 10 + i) for i in range(4)]
    environment = {"PYTHONPATH": str(SOURCES), "NUMBA_CACHE_DIR": str(tmp_path)}
    made = run_python(WRITABLE, **environment).stdout.strip()
    assert sorted(map(str, tmp_path.iterdir())) == sorted([made, *map(str, old[:2])])
    # Once it is there, others are left alone: their time is that of a running process perhaps.
    another = old_folder(tmp_path, "headwise-another", 20)
    run_python(WRITABLE, **environment)
    assert another.exists()
