"""How training is shown, on a terminal and elsewhere."""

import io
import sys

from headwise.cli.progress import StageLines, TrainingBar
from headwise.learners.callbacks import Plan, Report


def test_the_bar_shows_loss_accuracy_speed_and_time(capsys):
    bar = TrainingBar()
    bar.begin(Plan(10, 100, 2, 3, ({"epoch": 1},), 2_000_000_000))
    assert bar.bar is not None
    task = bar.bar.tasks[0]
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
    tell = StageLines()
    tell("tagger", 1, 2)
    tell("tagger", 2, 2)
    assert "tagger: 1 of 2" in sys.stderr.getvalue()
    assert capsys.readouterr().out.startswith("tagger: 0.")
