"""What is said while kernels are compiled is true wherever they are cached."""

import errno
from pathlib import Path

import pytest

from headwise.kernels.runtime import notice
from headwise.kernels.runtime.cachefolders import CacheFolder
from headwise.kernels.runtime.notice import say_compiling, say_not_saved

READ_ONLY = CacheFolder(Path("installed/headwise-1"), True, "Read-only file system")
CLOSED = CacheFolder(Path("home/headwise-1"), False, "Permission denied")
WRITABLE = CacheFolder(Path("home/headwise-1"), True, "")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[CacheFolder]:
    folders: list[CacheFolder] = []
    monkeypatch.setattr(notice, "said", set())
    monkeypatch.setattr(notice, "searched_folders", lambda: iter(folders))
    return folders


def test_code_that_will_be_cached_is_compiled_once(searched, capsys) -> None:
    searched += [READ_ONLY, WRITABLE]
    say_compiling()
    say_compiling()
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("headwise: compiling kernels, once after installing or updating")


def test_code_that_cannot_be_cached_is_compiled_always(searched, capsys) -> None:
    searched += [READ_ONLY, CLOSED]
    say_compiling()
    say_compiling()
    [line] = capsys.readouterr().err.splitlines()
    assert "once after installing" not in line
    assert "(installed: Read-only file system; home: Permission denied)" in line
    assert "Set NUMBA_CACHE_DIR to a writable folder, or run this command once" in line


def test_why_code_was_not_saved_is_said_once(searched, capsys) -> None:
    for _ in range(2):
        full = OSError(errno.ENOSPC, "No space left on device")
        say_not_saved(WRITABLE.path, full)
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("headwise: compiled kernels could not be cached in home: No space left")
