"""Training logs: written line by line, read back, and refused if they are none."""

import json

import pytest

from headwise.errors import FormatError, UsageError
from headwise.learners.callbacks import Plan, Report
from headwise.pipeline.training.traininglog import LogWriter, read_log

PLAN = Plan(sentences=10, words=100, left_out=1, rounds=3, history=(), memory=0)
FIRST = {"epoch": 1, "loss": 3.5, "dev_uas": 50.0}
SECOND = {"epoch": 2, "loss": 1.5, "dev_uas": 60.0}


@pytest.fixture
def log(tmp_path):
    writer = LogWriter(tmp_path / "log.jsonl", {"train": "t.conllu", "settings": {"k": 1}})
    writer.begin(PLAN)
    writer.progress(Report(1, 5, 50, 2.0, False))
    writer.epoch(FIRST)
    writer.epoch(SECOND)
    return writer


def test_there_and_back(log):
    found = read_log(log.path)
    assert found.about["settings"] == {"k": 1}
    assert found.about["words"] == 100
    assert found.epochs == [FIRST, SECOND]
    assert found.members == []


def test_going_on_from_a_checkpoint_rewrites_what_came_after_it(log):
    log.begin(Plan(10, 100, 1, 3, (FIRST,), 0))
    assert read_log(log.path).epochs == [FIRST]


def test_members_are_told_apart(log):
    log.epoch({"member": 1, **FIRST})
    assert read_log(log.path).members == [{"member": 1, **FIRST}]


def test_a_log_that_is_being_written_can_be_read(log):
    with log.path.open("a") as stream:
        stream.write('{"epoch": 3, "lo')
    assert read_log(log.path).epochs == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("hello\n", 1),
        ('{"epoch": 1}\n', 1),
        ('{"format": "headwise-training-log"}\n[1]\n{"epoch": 1}\n', 2),
        ('{"format": "headwise-training-log"}\n{"epoch": "1"}\n', 2),
        ('{"format": "headwise-training-log"}\n{"epoch": 1, "loss": "much"}\n', 2),
    ],
)
def test_what_is_no_log_is_refused(text, line, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_log(path)
    assert caught.value.location.line == line


def test_places_that_cannot_be(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        read_log(tmp_path / "nothing")
    with pytest.raises(UsageError, match="cannot write"):
        LogWriter(tmp_path / "no" / "log.jsonl", {}).begin(PLAN)


def test_every_line_is_json(log):
    for line in log.path.read_text().splitlines():
        json.loads(line)
