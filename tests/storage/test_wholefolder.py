"""Folders are whole whenever their writer dies."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headwise.errors import UsageError
from headwise.storage.wholefolder import (
    beside,
    current_folder,
    remove_folder,
    whole_folder,
    write_durably,
)

NAMES = ("a", "b")


def write(path: Path, text: str, *, force: bool = True) -> None:
    with whole_folder(path, NAMES, force=force) as folder:
        for name in NAMES:
            write_durably(folder / name, text.encode())


def read(path: Path) -> str:
    folder = current_folder(path)
    (text,) = {(folder / name).read_text() for name in NAMES}
    return text


def names_beside(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


def test_a_folder_is_written_and_replaced(tmp_path):
    path = tmp_path / "up" / "folder"
    write(path, "one", force=False)
    assert read(path) == "one"
    with pytest.raises(UsageError, match="already exists"):
        write(path, "two", force=False)
    assert read(path) == "one"
    write(path, "two")
    assert read(path) == "two"
    assert names_beside(path) == ["folder"]


@pytest.mark.parametrize("name", ["x" * 255, "ä" * 127])
def test_names_may_be_as_long_as_the_file_system_allows(tmp_path, name):
    path = tmp_path / name
    for text in ("one", "two"):
        write(path, text)
        assert read(path) == text
    assert names_beside(path) == [name]
    path.rename(beside(path, "headwise-old"))  # as if killed in between
    assert read(path) == "two"
    write(path, "three")
    assert names_beside(path) == [name]


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder", "one", force=False)
    assert read(tmp_path / "folder") == "one"


def test_nothing_of_others_is_replaced(tmp_path):
    path = tmp_path / "folder"
    path.write_text("a file")
    with pytest.raises(UsageError, match="not a folder"):
        write(path, "one")
    path.unlink()
    write(path, "one")
    (path / "notes").write_text("mine")
    with pytest.raises(UsageError, match="'notes'"):
        write(path, "two")
    assert (read(path), (path / "notes").read_text()) == ("one", "mine")
    with pytest.raises(UsageError, match="cannot write"):
        write(path / "a" / "below", "one")


@pytest.mark.parametrize("step", range(5))
def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch, step):
    path = tmp_path / "folder"
    write(path, "old")
    synced = []

    def fsync(handle):
        synced.append(handle)
        if len(synced) > step:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    if step < 4:  # two files, their folder, the folder above
        with pytest.raises(UsageError, match="cannot write .*No space left"):
            write(path, "new")
    else:
        write(path, "new")
    monkeypatch.undo()
    assert read(path) == ("old" if step < 3 else "new")
    write(path, "newer")
    assert (read(path), names_beside(path)) == ("newer", ["folder"])


def test_a_failed_rename_puts_the_old_folder_back(tmp_path, monkeypatch):
    path = tmp_path / "folder"
    write(path, "old")
    rename = Path.rename

    def fails(self, target):
        if self.name.endswith("-new"):
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(UsageError, match="Input/output error"):
        write(path, "new")
    assert (read(path), names_beside(path)) == ("old", ["folder"])


def test_an_interrupted_writer_cleans_up(tmp_path):
    path = tmp_path / "folder"

    def write_half():
        with whole_folder(path, NAMES, force=False) as folder:
            (folder / "a").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert list(tmp_path.iterdir()) == []


# One process forks a writer for every step it takes, which dies there without any ceremony.
DYING = """
import os, sys
from pathlib import Path
from headwise.storage.wholefolder import (
    beside,
    remove_folder,
    current_folder,
    whole_folder,
    write_durably,
)

path, names = Path(sys.argv[1]), ("a", "b")
steps = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.listdir", "os.scandir"}

def write(text):
    with whole_folder(path, names, force=True) as folder:
        for name in names:
            write_durably(folder / name, text.encode())

def write_and_die_at(last):
    left = [last]
    def count(event, _):
        if event in steps:
            left[0] -= 1
            if left[0] < 0:
                os._exit(9)
    sys.addaudithook(count)
    write("new")
    os._exit(0)

for step in range(100):
    write("old")
    child = os.fork()
    if not child:
        write_and_die_at(step)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    folder = current_folder(path)
    texts = {(folder / name).read_text() for name in names}
    assert texts == {"old"} or texts == {"new"}, (step, texts)
    left = "+".join(sorted(p.name.split("-")[-1] for p in path.parent.iterdir()))
    print(*texts, left)
    if code == 0:
        break
    assert code == 9
write("end")
print(sorted(p.name for p in path.parent.iterdir()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_killed_at_any_step_the_old_or_the_new_folder_stands(tmp_path):
    path = tmp_path / "folder"
    done = subprocess.run(
        [sys.executable, "-c", DYING, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *states, end = done.stdout.splitlines()
    # Every state was met: before the folder is made, half written, between the two renames, done.
    assert {"old folder", "old folder+new", "old new+old", "new folder+old", "new folder"} <= set(
        states
    )
    assert end == "['folder']"


def test_what_another_writer_is_writing_is_left_alone(tmp_path):
    path = tmp_path / "folder"
    other = tmp_path / ".folder.1.headwise-new"
    dead = tmp_path / ".folder.2.headwise-new"
    similar = tmp_path / ".folder2.3.headwise-new"
    for folder in (other, dead, similar):
        folder.mkdir()
        (folder / "a").write_text("half")
    code = (
        "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX);"
        "print('locked', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(other)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as alive:
        assert alive.stdout.readline() == b"locked\n"
        write(path, "one")
        assert names_beside(path) == [other.name, similar.name, "folder"]
        alive.stdin.close()
    write(path, "two")
    assert names_beside(path) == [similar.name, "folder"]


WRITING = """
import sys
from pathlib import Path
from headwise.storage.wholefolder import whole_folder, write_durably
with whole_folder(sys.argv[1], ("a", "b"), force=sys.argv[2] == "force") as folder:
    for name in ("a", "b"):
        write_durably(folder / name, b"other")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no folder is locked")
def test_writers_that_end_at_the_same_time_wait_for_each_other(tmp_path, monkeypatch):
    path, others = tmp_path / "folder", []
    write(path, "old")
    rename = Path.rename

    def slowly(self, target):
        done = rename(self, target)
        if not others:  # between the two names: there is no folder
            others.append(subprocess.Popen([sys.executable, "-c", WRITING, str(path), "force"]))
            time.sleep(1)
        return done

    monkeypatch.setattr(Path, "rename", slowly)
    write(path, "new")
    assert read(path) in ("new", "other")
    assert others[0].wait() == 0
    assert (read(path), names_beside(path)) == ("other", ["folder"])


def test_what_another_writer_has_finished_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "folder"

    def slowly():
        with whole_folder(path, NAMES, force=False) as folder:
            write_durably(folder / "a", b"new")
            subprocess.run([sys.executable, "-c", WRITING, str(path), "no"], check=True)

    with pytest.raises(UsageError, match="already exists"):
        slowly()
    assert (read(path), names_beside(path)) == ("other", ["folder"])


def test_a_folder_is_removed_with_what_killed_writers_left(tmp_path):
    for name in ("m", ".m.headwise-old", ".m.1.headwise-new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("x")
    remove_folder(tmp_path / "m", ["a"])
    assert list(tmp_path.iterdir()) == []
    remove_folder(tmp_path / "m", ["a"])
    remove_folder(tmp_path / "no" / "m", ["a"])


def test_files_of_others_are_never_removed(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "letter").write_text("dear")
    with pytest.raises(UsageError, match="cannot remove"):
        remove_folder(tmp_path / "m", ["a"])
    assert (tmp_path / "m" / "letter").read_text() == "dear"


def test_no_text_allows_to_overwrite(tmp_path):
    write(tmp_path / "folder", "old")
    with pytest.raises(UsageError, match="force must be True or False, not 'no'"):
        write(tmp_path / "folder", "new", force="no")
    assert read(tmp_path / "folder") == "old"
