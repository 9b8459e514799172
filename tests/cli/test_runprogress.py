"""How the runs of an experiment are shown."""

from headwise.cli import runprogress
from headwise.learners.callbacks import Plan


def test_on_a_terminal_there_is_a_bar(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with runprogress.run_progress(2) as progress:
        progress.begin(Plan(10, 100, 0, 1, (), 0))
        progress.epoch({"epoch": 1, "dev_uas": 90.0})
        progress.done(1, "1 of 2: toy")
        assert progress.bar is not None
        assert progress.bar.tasks[0].completed == 1
    assert "1 of 2: toy" in capsys.readouterr().err


def test_elsewhere_each_finished_run_is_a_line(capsys):
    with runprogress.run_progress(2) as progress:
        assert progress.bar is None
        progress.stage("similar words", 1, 2)
        progress.begin(Plan(10, 100, 0, 1, (), 0))
        progress.epoch({"epoch": 1})
        progress.done(1, "1 of 2: [toy]")
    assert capsys.readouterr().err == "1 of 2: [toy]\n"


def test_without_runs_there_is_no_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with runprogress.run_progress(0) as progress:
        assert progress.bar is None
