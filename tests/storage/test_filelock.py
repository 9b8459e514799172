"""Locks of files: one holder at a time, and nothing left behind."""

import subprocess
import sys

import pytest

from headwise.errors import UsageError
from headwise.storage.filelock import only_one

HOLDER = """
import sys
from pathlib import Path
from headwise.storage.filelock import only_one
with only_one(Path(sys.argv[1]), "taken"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    call = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout.readline() == "held\n"
        yield one
        one.kill()


def test_a_lock_that_another_process_holds_is_refused(tmp_path, holder):
    with pytest.raises(UsageError, match="somebody is at it"):  # noqa: SIM117
        with only_one(tmp_path / "lock", "somebody is at it"):
            pass
    assert (tmp_path / "lock").exists()  # it is the other one's


def test_a_lock_ends_with_its_process(tmp_path, holder):
    holder.kill()
    holder.wait()
    with only_one(tmp_path / "lock", "taken"):
        assert (tmp_path / "lock").exists()
    assert not (tmp_path / "lock").exists()


def test_a_lock_ends_with_an_error(tmp_path):
    for _ in range(2):
        with pytest.raises(KeyError), only_one(tmp_path / "lock", "taken"):
            raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_where_no_file_can_be_made_there_is_no_lock(tmp_path):
    with only_one(tmp_path / "missing/lock", "taken"):
        assert list(tmp_path.iterdir()) == []
