import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from headwise.errors import UsageError
from headwise.serve.editing.journal import Journal
from headwise.storage import filelock as module
from headwise.storage.filelock import BEHIND_ALL


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "corpus.conllu"
    path.write_bytes(b"")
    return path


def test_entries_are_read_as_they_were_noted(file):
    journal = Journal(file)
    journal.note(b"\x01\x02", 3, 1, [b"# a\r\n", "ü".encode(), b"\xff"])
    journal.append({"written": "ff"})
    first, second, third = journal.entries()
    assert first == {"file": "0102"}
    assert (second["place"], second["count"]) == (3, 1)
    texts = [one.encode("utf-8", "surrogateescape") for one in second["texts"]]
    assert texts == [b"# a\r\n", "ü".encode(), b"\xff"], "to the byte"
    assert third == {"written": "ff"}
    journal.clear()
    assert list(journal.entries()) == []
    journal.note(b"\x03", 0, 1, [b"x"])
    assert next(journal.entries()) == {"file": "03"}


@pytest.mark.parametrize(
    "line",
    ["", "{", "[" * 100_000, "5", "{}", '{"file": 1}', '{"place": 0}',
     '{"file": "", "written": ""}',
     '{"place": -1, "count": 1, "texts": []}', '{"place": 0, "count": "1", "texts": []}',
     '{"place": 0, "count": 1, "texts": [2]}', '{"place": 0, "count": 1, "texts": ["\\ud800"]}'],
    ids=range(12),
)  # fmt: skip
def test_a_journal_that_someone_has_altered_is_refused(file, line):
    journal = Journal(file)
    journal.append({"file": "01"})
    with journal.path.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(UsageError, match=r"journal:2 is damaged: move this journal away"):
        list(journal.entries())


def test_a_line_that_is_not_whole_is_left_out(file):
    journal = Journal(file)
    journal.append({"file": "01"})
    with journal.path.open("ab") as stream:
        stream.write(b'{"place": 1')
    journal.close()
    again = Journal(file)
    assert list(again.entries()) == [{"file": "01"}]
    again.append({"written": "02"})
    assert list(again.entries()) == [{"file": "01"}, {"written": "02"}]


@pytest.mark.parametrize("name", ["fsync", "write"])
def test_what_cannot_be_written_leaves_it_as_it_was(file, monkeypatch, name):
    journal = Journal(file)
    journal.append({"file": "01"})
    half = os.write

    def full(handle, data=b""):
        if data:
            return half(handle, data[:5])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, name, full)
        with pytest.raises(UsageError, match="No space left"):
            journal.append({"written": "02"})
    journal.append({"written": "03"})
    assert list(journal.entries()) == [{"file": "01"}, {"written": "03"}]


@pytest.fixture(params=["here", "windows"])
def system(request, monkeypatch):
    """This system, or Windows played on it: bytes are locked, and no open file can be removed."""
    if request.param == "here":
        return
    fcntl, remove = pytest.importorskip("fcntl"), Path.unlink

    def locking(handle, mode, count):
        assert (os.lseek(handle, 0, os.SEEK_CUR), mode, count) == (BEHIND_ALL, "now", 1)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None

    def unlink(path, **more):
        with path.open() as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise PermissionError(13, "Permission denied") from None
        remove(path, **more)

    monkeypatch.setattr(module, "sys", SimpleNamespace(platform="win32"))
    own = SimpleNamespace(locking=locking, LK_NBLCK="now")
    monkeypatch.setattr(module, "msvcrt", own, raising=False)
    monkeypatch.setattr(Path, "unlink", unlink)


@pytest.mark.usefixtures("system")
def test_one_has_it_at_a_time_and_it_is_removed_when_it_is_empty(file):
    journal = Journal(file)
    with pytest.raises(UsageError, match="another server"):
        Journal(file)
    journal.close()
    journal.close()
    assert not journal.path.exists()
    other = Journal(file)
    other.append({"file": "01"})
    other.close()
    assert other.path.exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot write"):
        Journal(tmp_path / "none" / "corpus.conllu")
