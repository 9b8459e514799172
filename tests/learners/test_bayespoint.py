"""The Bayes point machine is the mean of its members, however they are trained."""

from dataclasses import replace

import numpy as np
import pytest
from trainings import killed, new_training

from headwise.errors import ModelError, UsageError
from headwise.learners import bayespoint
from headwise.learners.bayespoint import train_machine
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import can_resume, member_paths, remove_checkpoint
from headwise.learners.training import Training
from headwise.storage.modelfile import load_model, save_model


def new_machine(checkpoint=None, **settings) -> Training:
    return new_training(checkpoint, learner="bayes-point", **{"members": 3, "seed": 2, **settings})


def test_it_is_the_mean_of_its_members():
    trained, members = train_machine(new_machine())
    total, filters = 0.0, 0
    for number in range(3):
        member = new_training(learner="perceptron", seed=2000 + number).run()
        total = total + member.tables.weights.astype(np.float64)
        filters = filters | member.tables.filters
        assert members[number]["dev_uas"] == member.history[member.epoch - 1]["dev_uas"]
    np.testing.assert_allclose(trained.tables.weights, total / 3, atol=1e-5)
    assert (trained.tables.filters == filters).all()
    assert trained.history[0]["dev_uas"] > 98


def test_processes_change_nothing():
    alone, together = (train_machine(new_machine(epochs=1), jobs=jobs)[0] for jobs in (1, 2))
    assert np.array_equal(alone.tables.weights, together.tables.weights)
    assert np.array_equal(alone.tables.filters, together.tables.filters)


def test_a_member_that_is_killed_is_told(monkeypatch):
    """As the system does where memory runs out."""
    monkeypatch.setattr(bayespoint, "train_member", killed)
    with pytest.raises(UsageError, match="a process that trained a member was killed"):
        train_machine(new_machine(epochs=1), jobs=2)


class Stopping(TrainingCallback):
    def epoch(self, record) -> None:
        if record.get("member") == 2:
            raise KeyboardInterrupt


def test_finished_members_are_not_trained_again(tmp_path):
    path = tmp_path / "checkpoint"
    whole, _ = train_machine(new_machine())
    with pytest.raises(KeyboardInterrupt):
        train_machine(replace(new_machine(path), callback=Stopping()))
    assert len(member_paths(path)) == 2
    assert can_resume(path)
    resumed, _ = train_machine(new_machine(path), resume=True)
    assert np.array_equal(whole.tables.weights, resumed.tables.weights)
    with pytest.raises(ModelError, match="other number of epochs"):
        train_machine(new_machine(path, epochs=2), resume=True)
    _, fewer = train_machine(new_machine(path, members=2), resume=True)
    assert len(fewer) == 2
    train_machine(new_machine(path, members=1, epochs=2))  # without resume, all is new
    remove_checkpoint(path)
    assert list(tmp_path.iterdir()) == []


def test_a_member_that_was_altered_is_refused(tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        train_machine(replace(new_machine(path), callback=Stopping()))
    folder = member_paths(path)[0]
    model = load_model(folder)
    save_model(folder, replace(model, settings={**model.settings, "record": []}), force=True)
    with pytest.raises(ModelError, match="record: expected a table"):
        train_machine(new_machine(path), resume=True)
    for name, array in (
        ("filters", model.arrays["filters"].ravel()),
        ("weights.values", np.full_like(model.arrays["weights.values"], np.nan)),
        ("weights.shape", model.arrays["weights.shape"] + 1),
    ):
        altered = replace(model, arrays={**model.arrays, name: array})
        save_model(folder, altered, force=True)
        with pytest.raises(ModelError, match="member"):
            train_machine(new_machine(path), resume=True)
