"""Runs that are interrupted, killed or divided among processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from smallworlds import TEXT, finished, small_world

from headwise.errors import HeadwiseWarning
from headwise.experiments.perform import perform
from headwise.experiments.work import Work
from headwise.learners.callbacks import TrainingCallback


def files_of(folder: Path) -> dict[str, object]:
    """What is in each file, but for times."""
    return {path.name: without_times(path) for path in folder.iterdir()}


def without_times(path: Path) -> object:
    if path.suffix != ".json":
        return path.read_bytes()
    data = json.loads(path.read_text())
    return {key: one for key, one in data.items() if "seconds" not in key}


def test_processes_come_to_the_same(world, tmp_path):
    path = small_world(tmp_path)
    finished(path, jobs=2)
    assert finished(path, jobs=2).tasks() == []
    ours, theirs = (files_of(one.parent / "results") for one in (path, world))
    assert ours == theirs


class Stopping(TrainingCallback):
    def epoch(self, record) -> None:
        if record["epoch"] == 2:
            raise KeyboardInterrupt


def test_a_run_that_was_cut_short_goes_on(tmp_path, monkeypatch):
    path = small_world(tmp_path, TEXT.replace("epochs = 1", "epochs = 3"))
    task = Work.of_file(path).tasks()[0]
    whole = perform(task).data["scores"]
    for file in (tmp_path / "results").iterdir():
        file.unlink()
    monkeypatch.setattr("headwise.learners.checkpoint.BETWEEN_CHECKPOINTS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        perform(task, Stopping())
    assert not list((tmp_path / "results").glob("*.json"))
    again = perform(task)
    assert again.data["scores"] == whole
    assert not list((tmp_path / "results").glob("*.checkpoint*"))


def test_a_checkpoint_of_another_version_is_begun_anew(tmp_path, monkeypatch):
    path = small_world(tmp_path, TEXT.replace("epochs = 1", "epochs = 3"))
    task = Work.of_file(path).tasks()[0]
    monkeypatch.setattr("headwise.learners.checkpoint.BETWEEN_CHECKPOINTS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        perform(task, Stopping())
    monkeypatch.setattr("headwise.learners.checkpoint.FORMAT", -1)
    with pytest.warns(HeadwiseWarning, match="restarted"):
        assert "seconds" in perform(task).data


def test_killed_at_any_moment_nothing_is_half_written(tmp_path):
    path = small_world(tmp_path)
    script = (
        "import sys; from pathlib import Path\n"
        "from headwise.experiments.work import Work, run_tasks\n"
        "print('ready', flush=True)\n"
        "list(run_tasks(Work.of_file(Path(sys.argv[1])).tasks(), 1))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    results = tmp_path / "results"
    deadline = time.monotonic() + 120
    while not list(results.glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    left = Work.of_file(path).tasks()
    assert len(left) < 4
    assert len(finished(path).rows()) == 2
    assert Work.of_file(path).tasks() == []
