"""Work in processes: all of it comes back, errors too, and nobody is left behind."""

import gc
import math
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from multiprocessing import active_children
from pathlib import Path

import pytest

from headwise.errors import HeadwiseWarning, UsageError
from headwise.processes.garbage import OBJECTS_BEFORE_GARBAGE
from headwise.processes.pools import in_processes, streamed_in_processes


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_is_done(jobs):
    assert dict(in_processes(math.sqrt, [1, 4, 9], jobs, killed="")) == {0: 1, 1: 2, 2: 3}
    assert list(in_processes(math.sqrt, [], jobs, killed="")) == []


def threshold(task):
    return gc.get_threshold()[0]


def test_processes_of_a_stream_rarely_collect_garbage():
    found = list(streamed_in_processes(threshold, [1, 2, 3], 2, killed=""))
    assert found == [OBJECTS_BEFORE_GARBAGE] * 3


def test_errors_come_back_and_processes_end():
    before = set(active_children())
    with pytest.raises(ValueError, match="math domain error|nonnegative"):
        list(in_processes(math.sqrt, [1, -1, 3, 4], 2, killed=""))
    deadline = time.monotonic() + 20
    while set(active_children()) - before and time.monotonic() < deadline:
        time.sleep(0.05)  # no join: the pool's own thread joins them, and only one can
    assert set(active_children()) <= before


def warn_of(number: int) -> int:
    warnings.warn(f"number {number}", HeadwiseWarning, stacklevel=1)
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_warnings_come_back_with_the_results(jobs, capfd):
    with pytest.warns(HeadwiseWarning, match="number") as caught:
        assert dict(in_processes(warn_of, [5, 6], jobs, killed="")) == {0: 5, 1: 6}
    assert sorted(str(one.message) for one in caught) == ["number 5", "number 6"]
    assert capfd.readouterr().err == ""  # a process would print where in the package it is


def test_warnings_of_a_stream_come_back_with_the_results(capfd):
    with pytest.warns(HeadwiseWarning, match="number 5"):
        assert list(streamed_in_processes(warn_of, [5], 1, killed="")) == [5]
    assert capfd.readouterr().err == ""


def test_a_process_that_is_killed_is_told():
    with pytest.raises(UsageError, match="out of memory"):
        list(in_processes(signal.raise_signal, [signal.SIGKILL] * 2, 2, killed="out of memory?"))


def test_a_missing_folder_for_temporary_files_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(UsageError, match="No such file .* see TMPDIR"):
        list(streamed_in_processes(math.sqrt, [4], 1, killed=""))


KILLED_AT_WORK = """
import os, signal
from headwise.processes.pools import streamed_in_processes

def worker_of(task):
    return os.getpid()

if __name__ == "__main__":
    tasks = iter(range(1000))
    for number in streamed_in_processes(worker_of, tasks, 2, killed=""):
        print(number, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def is_at_work(process: int) -> bool:
    """Whether a process has not ended; one that nobody has waited for is listed all the same."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no list of processes")
def test_processes_end_when_their_parent_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(KILLED_AT_WORK)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent:
        assert parent.wait(60) == -signal.SIGKILL
        worker = int(parent.stdout.readline())
    deadline = time.monotonic() + 20
    while is_at_work(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_at_work(worker)
