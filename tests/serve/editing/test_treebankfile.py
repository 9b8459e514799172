import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Thread
from time import sleep

import pytest

from editedfiles import DONE, LAST, OPEN, TEXT, written
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.serve.editing import treebankfile
from headwise.serve.editing.acts import set_note
from headwise.serve.editing.treebankfile import ChangedFileError, TreebankFile

LAYOUTS = {
    "plain": TEXT,
    "Windows": TEXT.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + TEXT,
    "blank lines": "\n\n" + OPEN + "\n" + DONE + "\n\n" + LAST,
    "unfinished": TEXT.rstrip("\n"),
    "mixed": OPEN.replace("\n\n", "\n\r\n") + DONE + LAST,
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_not_touched_stays_to_the_byte(tmp_path, name):
    path = written(tmp_path, LAYOUTS[name])
    before = path.read_bytes()
    file = TreebankFile.read(path)
    assert b"".join((file.start, *file.pieces)) == before
    old, own = file.sentences[1], list(file.pieces[1:2])
    file.replace(1, 1, [replace(old, lemmas=("X", *old.lemmas[1:]))])
    assert path.read_bytes() == before.replace(b"The\tthe", b"The\tX")
    file.replace(1, 1, [old], own)
    assert path.read_bytes() == before


def test_what_other_programs_write_is_not_overwritten(tmp_path):
    path = written(tmp_path)
    file = TreebankFile.read(path)
    one = replace(file.sentences[0], misc=("_",) * 4)
    now = TEXT.replace("Gloss=ein", "_").encode()
    path.write_bytes(now)
    with pytest.raises(ChangedFileError, match="another program"):
        file.replace(0, 1, [one])
    assert path.read_bytes() == now
    assert file.sentences[0].misc[0] == "Gloss=ein", "nothing was changed"
    file.read_again()
    assert file.sentences[0].misc[0] == "_"
    path.unlink()
    with pytest.raises(ChangedFileError):
        file.replace(0, 1, [one])


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = written(tmp_path)
    file = TreebankFile.read(path)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        file.replace(0, 1, [replace(file.sentences[0], misc=("_",) * 4)])
    assert path.read_bytes() == TEXT.encode()
    assert file.sentences[0].misc[0] == "Gloss=ein"
    file.close()
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    with pytest.raises(Exception, match="cannot be written"):
        file.replace(0, 1, [Sentence.from_words(["a\tb"])])


def full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_files_that_cannot_be_corrected_are_refused(tmp_path):
    for name, data in (("x.gz", b"\x1f\x8b\x08"), ("empty.conllu", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(UsageError):
            TreebankFile.read(tmp_path / name)
    with pytest.raises(UsageError, match="no file"):
        TreebankFile.read(tmp_path / "none.conllu")
    with pytest.raises(UsageError, match="not a regular file"):
        TreebankFile.read(tmp_path)


# ------------------------------------------------------------------ large files


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file that counts as large."""
    monkeypatch.setattr(treebankfile, "SMALL", 0)
    return written(tmp_path)


def note(file: TreebankFile, place: int, text: str) -> None:
    file.replace(place, 1, [set_note(file.sentences[place], text)])


def crash(file: TreebankFile) -> None:
    """End without writing anything, as if the process was killed."""
    file.journal._closing()


def test_acts_on_a_large_file_are_in_its_journal_until_it_is_written(large):
    file = TreebankFile.read(large)
    own = file.pieces[0]
    note(file, 0, "x")
    assert large.read_bytes() == TEXT.encode()
    assert "# note = x" in file.journal.path.read_text()
    file.fold()
    assert large.read_text() == TEXT.replace("# free comment\n", "# free comment\n# note = x\n")
    assert file.journal.path.read_bytes() == b""
    file.replace(0, 1, [file.sentences[0]], [own])
    file.close()
    assert large.read_bytes() == TEXT.encode()
    assert list(large.parent.iterdir()) == [large]


def test_what_a_crash_has_left_in_the_journal_is_recovered(large):
    file = TreebankFile.read(large)
    for place, text in ((0, "x"), (2, "y"), (0, "z")):
        note(file, place, text)
    expected = b"".join(file.pieces)
    with file.journal.path.open("ab") as stream:
        stream.write(b'{"place": 1, "cou')  # it was killed while it wrote
    crash(file)
    again = TreebankFile.read(large)
    assert large.read_bytes() == expected
    assert [one.comment("note") for one in again.sentences] == ["z", None, "y"]
    assert again.journal.path.read_bytes() == b""


def test_a_crash_after_the_file_was_written_does_nothing_twice(large, monkeypatch):
    file = TreebankFile.read(large)
    middle = len(file.sentences[1]) // 2
    from headwise.serve.editing.sentences import split_sentence

    file.replace(1, 1, split_sentence(file.sentences[1], middle, ()))
    monkeypatch.setattr(file.journal, "clear", lambda: None)
    file.fold()
    whole = large.read_bytes()
    crash(file)
    assert len(TreebankFile.read(large).sentences) == 4
    assert large.read_bytes() == whole


def test_another_program_and_the_journal_lose_nothing_of_each_other(large):
    file = TreebankFile.read(large)
    note(file, 0, "x")
    theirs = TEXT.replace("cat", "cow").encode()
    large.write_bytes(theirs)
    with pytest.raises(ChangedFileError, match=r"corpus\.saved-1\.conllu"):
        note(file, 1, "y")
    assert large.read_bytes() == theirs
    assert "# note = x" in (large.parent / "corpus.saved-1.conllu").read_text()
    file.read_again()
    note(file, 0, "again")
    crash(file)
    large.write_bytes(TEXT.encode())
    with pytest.raises(UsageError, match=r"corpus\.saved-2\.conllu"):
        TreebankFile.read(large)
    assert "# note = again" in (large.parent / "corpus.saved-2.conllu").read_text()
    assert large.read_bytes() == TEXT.encode()
    TreebankFile.read(large).close()


def test_a_file_that_was_only_touched_is_not_changed(large):
    file = TreebankFile.read(large)
    os.utime(large, ns=(1, 1))
    note(file, 0, "x")
    file.close()
    assert "# note = x" in large.read_text()


def test_a_full_disk_leaves_journal_and_file_as_they_were(large, monkeypatch):
    file = TreebankFile.read(large)
    note(file, 0, "x")
    before = file.journal.path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(UsageError, match="cannot write"):
            note(file, 1, "y")
        assert file.journal.path.read_bytes() == before
        with pytest.raises(UsageError, match="cannot write"):
            file.fold()
    assert large.read_bytes() == TEXT.encode()
    note(file, 2, "z")
    file.close()
    assert large.read_text().count("# note =") == 2


@contextmanager
def folding(file: TreebankFile, monkeypatch) -> Iterator[None]:
    """A moment in which the journal is being written into the file, which takes long."""
    goes_on, is_written = Event(), Event()
    fsync, writer = os.fsync, Thread(target=file.fold)

    def slow(handle: int) -> None:
        if threading.current_thread() is writer and handle != file.journal.handle:
            is_written.set()
            goes_on.wait()
        fsync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    writer.start()
    assert is_written.wait(10)
    yield
    goes_on.set()
    writer.join()


def test_acts_need_not_wait_until_a_large_file_is_written(large, monkeypatch):
    file = TreebankFile.read(large)
    note(file, 0, "before")
    with folding(file, monkeypatch):
        note(file, 2, "meanwhile")
        assert large.read_bytes() == TEXT.encode()
    assert large.read_text().count("# note = before") == 1
    assert "meanwhile" not in large.read_text()
    assert "meanwhile" in file.journal.path.read_text()
    file.fold()
    assert file.journal.path.read_bytes() == b""
    assert large.read_bytes() == b"".join(file.pieces)


@pytest.mark.parametrize("is_replaced", [True, False])
def test_what_was_saved_while_a_file_was_written_survives_a_crash(large, monkeypatch, is_replaced):
    file = TreebankFile.read(large)
    note(file, 0, "before")
    with folding(file, monkeypatch):
        note(file, 2, "meanwhile")
        note(file, 0, "last")
    if not is_replaced:
        large.write_bytes(TEXT.encode())
    crash(file)
    again = TreebankFile.read(large)
    assert [one.comment("note") for one in again.sentences] == ["last", None, "meanwhile"]
    assert large.read_bytes() == b"".join(file.pieces)


def test_what_another_program_writes_meanwhile_is_not_overwritten(large, monkeypatch):
    file = TreebankFile.read(large)
    note(file, 0, "x")
    theirs = TEXT.replace("cat", "cow").encode()
    monkeypatch.setattr(threading, "excepthook", lambda args: raised.append(args.exc_type))
    raised: list[type] = []
    with folding(file, monkeypatch):
        large.write_bytes(theirs)
    assert raised == [ChangedFileError]
    assert large.read_bytes() == theirs
    assert "# note = x" in (large.parent / "corpus.saved-1.conllu").read_text()


def test_only_one_server_corrects_a_file(tmp_path):
    path = written(tmp_path)
    file = TreebankFile.read(path)
    with pytest.raises(UsageError, match="another server"):
        TreebankFile.read(path)
    file.close()
    TreebankFile.read(path).close()


KILLED = """
import sys, threading
from headwise.serve.editing import treebankfile
from headwise.serve.editing.acts import set_note
treebankfile.SMALL = int(sys.argv[2])
file = treebankfile.TreebankFile.read(sys.argv[1])
for number in range(100_000):
    place = number % len(file.sentences)
    file.replace(place, 1, [set_note(file.sentences[place], f"n{number}")])
    print(number, flush=True)
    if number % 7 == 6:
        threading.Thread(target=file.fold).start()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("small", [0, 1 << 20])
def test_killed_at_any_moment_nothing_that_was_saved_is_lost(tmp_path, small):
    text = TEXT + OPEN.replace("s1", "s4") + DONE.replace("s2", "s5")
    rng = random.Random(small)
    for _ in range(4):
        path = written(tmp_path, text)
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path), str(small)], stdout=subprocess.PIPE, text=True
        )
        first = process.stdout.readline()
        sleep(rng.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        shown = int((first + process.communicate()[0]).split()[-1])
        file = TreebankFile.read(path)
        notes = [int((one.comment("note") or "n-1")[1:]) for one in file.sentences]
        file.close()
        assert len(notes) == 5
        assert max(notes) in (shown, shown + 1), "one act may be saved and not shown yet"
        assert sorted(notes)[0] >= max(notes) - 4 or max(notes) < 5
        lines = path.read_text().splitlines(keepends=True)
        assert "".join(line for line in lines if not line.startswith("# note")) == text
