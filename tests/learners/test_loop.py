"""Signals, seeds and epochs of the loop of training."""

import signal

import numpy as np
import pytest
from trainings import Interrupting, new_training

from headwise.learners import loop
from headwise.learners.checkpoint import can_resume
from headwise.learners.development import Development


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)


def test_the_best_epoch_is_kept(monkeypatch):
    scores = iter([50.0, 70.0, 70.0, 60.0])
    kept = []

    def next_scores(self, tables):
        kept.append(tables)
        return {"dev_uas": next(scores)}

    monkeypatch.setattr(Development, "scores", next_scores)
    trained = new_training(epochs=4).run()
    assert trained.epoch == 2
    assert trained.tables is kept[1]


def test_without_dev_the_last_epoch_is_kept():
    trained = new_training(dev=None, epochs=2).run()
    assert trained.epoch == 2
    assert "dev_uas" not in trained.history[0]


def test_seeds_decide_on_the_order():
    one, same, other = (new_training(seed=seed, dev=None).run() for seed in (1, 1, 2))
    assert np.array_equal(one.tables.weights, same.tables.weights)
    assert not np.array_equal(one.tables.weights, other.tables.weights)


def test_a_request_to_end_saves_too(tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(SystemExit):
        new_training(path, callback=Interrupting(3, signal.SIGTERM)).run()
    assert can_resume(path)


def test_signals_are_as_before_after_training():
    before = signal.getsignal(signal.SIGINT)
    new_training(epochs=1).run()
    assert signal.getsignal(signal.SIGINT) is before


def test_before_anything_was_learnt_an_interrupt_does_not_wait(tmp_path, monkeypatch):
    """Kernels are compiled then, one after the other."""
    seen = []

    def interrupted(data, number, scorer, state):
        seen.append(number)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(loop, "learn_from", interrupted)
    with pytest.raises(KeyboardInterrupt):
        new_training(tmp_path / "checkpoint").run()
    assert len(seen) == 1
    assert list(tmp_path.iterdir()) == []
