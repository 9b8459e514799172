"""How training and the runs of an experiment are shown, on a terminal and elsewhere."""

import io
import sys
import time

import pytest

from headwise.cli.trainingprogress import (
    TrainingBar,
    TrainingLines,
    epoch_line,
    memory_text,
    opening,
    run_progress,
    training_progress,
)
from headwise.learners.callbacks import Plan, Report


def test_the_bar_shows_loss_accuracy_speed_and_time(capsys):
    bar = TrainingBar()
    bar.begin(Plan(10, 100, 2, 3, ({"epoch": 1},), 2_000_000_000))
    assert bar.bar.shown is not None
    task = bar.bar.shown.tasks[0]
    assert (task.completed, task.total) == (10, 30)
    bar.epoch({"epoch": 2, "loss": 5.0, "dev_uas": 81.234})
    bar.progress(Report(3, 5, 50, 25.0, False))
    assert task.completed == 25
    assert task.description == "epoch 3 of 3"
    assert task.fields["figures"].startswith("loss 0.500, dev 81.23")
    bar.epoch({"member": 3, "epoch": 1})
    assert task.completed == 30
    bar.close()
    captured = capsys.readouterr()
    assert "2 left out (going on after epoch 1); about 2.0 GB" in captured.out
    assert "epoch 2: loss 5.0, dev UAS 81.23" in captured.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_stages_show_their_progress_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", Terminal())
    tell = TrainingLines()
    tell.stage("tagger", 1, 2)
    tell.stage("tagger", 2, 2)
    assert "tagger: 1 of 2" in sys.stderr.getvalue()
    assert capsys.readouterr().out.startswith("tagger: 0.")


def test_lines_elsewhere_say_what_begins_and_what_each_epoch_came_to(capsys):
    with training_progress() as lines:
        assert isinstance(lines, TrainingLines)
        lines.training("linear", 2, 2)
        lines.stage("reading", 1, 1)
        lines.begin(Plan(1_000, 20_000, 0, 3, (), 5_000_000))
        lines.progress(Report(1, 5, 50, 25.0, False))
        lines.epoch({"epoch": 1, "loss": 5.0})
    zeroth, first, second, third = capsys.readouterr().out.splitlines()
    assert zeroth == "training 2 of 2: linear"
    assert first.startswith("reading: 0.")
    assert second == (
        "learning from 1,000 sentences, 20,000 words; about 5 MB of memory will be needed"
    )
    assert third == "epoch 1: loss 5.0"


def test_one_sentence_is_not_several():
    assert opening(Plan(1, 1, 0, 3, (), 5_000_000)).startswith("learning from 1 sentence, 1 word;")


@pytest.mark.parametrize(
    ("count", "text"), [(1, "1 MB"), (7_400_000, "7 MB"), (1e8, "0.1 GB"), (2.04e9, "2.0 GB")]
)
def test_memory_for_people(count, text):
    assert memory_text(count) == text


@pytest.mark.parametrize(
    ("record", "line"),
    [
        ({"epoch": 2}, "epoch 2"),
        ({"member": 3, "epoch": 1, "loss": 1234.5}, "member 3: epoch 1: loss 1,234.5"),
        (
            {"epoch": 1, "objective": 12.0, "gap": 0.125, "dev_uas": 90.0, "dev_las": 88.5},
            "epoch 1: objective 12.0, gap 12.50%, dev UAS 90.00, LAS 88.50",
        ),
        (
            {"epoch": 1, "seconds": 1.25, "words_per_second": 12345},
            "epoch 1: 1.2 s, 12,345 words/s",
        ),
    ],
)
def test_a_record_for_people(record, line):
    assert epoch_line(record) == line


def test_the_times_of_stages_add_up(monkeypatch, capsys):
    clock = iter([10.0, 12.5, 13.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    tell = TrainingLines()
    tell.stage("reading", 1, 2)  # not yet done: nothing is said, and no time is taken
    tell.stage("reading", 2, 2)
    tell.stage("saving", 1, 1)
    tell.total()
    assert capsys.readouterr().out.splitlines() == [
        "reading: 2.5 s",
        "saving: 0.5 s",
        "total: 3.0 s",
    ]


def test_on_a_terminal_there_is_a_bar(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with run_progress(2) as progress:
        progress.begin(Plan(10, 100, 0, 1, (), 0))
        progress.epoch({"epoch": 1, "dev_uas": 90.0})
        progress.done(1, "1 of 2: toy")
        assert progress.bar.shown is not None
        assert progress.bar.shown.tasks[0].completed == 1
    assert "1 of 2: toy" in capsys.readouterr().err


def test_elsewhere_each_finished_run_is_a_line(capsys):
    with run_progress(2) as progress:
        assert progress.bar.shown is None
        progress.stage("similar words", 1, 2)
        progress.begin(Plan(10, 100, 0, 1, (), 0))
        progress.epoch({"epoch": 1})
        progress.done(1, "1 of 2: [toy]")
    assert capsys.readouterr().err == "1 of 2: [toy]\n"


def test_without_runs_there_is_no_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with run_progress(0) as progress:
        assert progress.bar.shown is None
