import os
import re
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from editedfiles import DONE, LAST, OPEN, TEXT, written
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
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
    file, other = TreebankFile.read(path), TreebankFile.read(path)
    one = replace(file.sentences[0], misc=("_",) * 4)
    other.replace(0, 1, [one])
    now = path.read_bytes()
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
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert file.sentences[0].misc[0] == "Gloss=ein"
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


SAVING = """
import sys
from headwise.serve.editing.acts import set_note
from headwise.serve.editing.treebankfile import TreebankFile
file = TreebankFile.read(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    number += 1
    file.replace(0, 1, [set_note(file.sentences[0], f"save {number}")])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_killed_while_saving_leaves_the_old_file_or_the_new_one(tmp_path):
    rest = (DONE * 2000).encode()  # so long that kills come while it is written
    path = written(tmp_path, OPEN + DONE * 2000)
    random = np.random.default_rng(0)
    last = 0
    for _ in range(5):
        call = [sys.executable, "-c", SAVING, str(path)]
        with subprocess.Popen(call, stdout=subprocess.PIPE) as saving:
            try:
                assert saving.stdout.readline() == b"ready\n"
                time.sleep(random.uniform(0.05, 0.5))
            finally:
                saving.kill()
        data = path.read_bytes()
        assert data.endswith(rest)
        first = data[: -len(rest)].decode()
        found = re.fullmatch(r"(?s)(.*?)(?:# note = save (\d+)\n)?(1\tA.*\n\n)", first)
        assert found[1] + found[3] == OPEN
        last = max(last, int(found[2] or 0))
    assert last > 0  # something was saved
    file = TreebankFile.read(path)  # and nothing keeps others from saving
    file.replace(0, 1, [file.sentences[1]])
    assert path.read_bytes() == DONE.encode() + rest
