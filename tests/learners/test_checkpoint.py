"""Training that is killed or interrupted goes on from its checkpoint, or refuses it."""

import itertools
import os
import signal
import warnings
from pathlib import Path

import numpy as np
import pytest
from trainings import DEV, TRAIN, Interrupting, new_training

from headwise.errors import HeadwiseWarning, ModelError, UsageError
from headwise.learners import checkpoint, loop, training
from headwise.learners.checkpoint import can_resume, remove_checkpoint
from headwise.storage import wholefolder
from headwise.storage.modelfile import ModelFile, load_model, save_model


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)


def same_result(one, other) -> bool:
    def without_times(history):
        return [{k: v for k, v in record.items() if "second" not in k} for record in history]

    return (
        np.array_equal(one.tables.weights, other.tables.weights)
        and np.array_equal(one.tables.filters, other.tables.filters)
        and one.epoch == other.epoch
        and without_times(one.history) == without_times(other.history)
    )


@pytest.mark.parametrize("learner", ["mira", "log-linear"])
@pytest.mark.parametrize("at", [1, 8, 11, 23])
def test_interrupted_and_resumed_is_as_if_nothing_had_happened(learner, at, tmp_path):
    whole = new_training(learner=learner).run()
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        new_training(path, learner=learner, callback=Interrupting(at)).run()
    assert can_resume(path)
    assert same_result(whole, new_training(path, learner=learner).run(resume=True))
    remove_checkpoint(path)
    assert list(tmp_path.iterdir()) == []


def killed_child(path: Path, kill_in) -> bool:
    """Train in a process of its own that kill -9 hits as asked; whether it was hit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads that other tests have left
        child = os.fork()
    if child == 0:
        try:
            kill_in()
            new_training(path).run(resume=True)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def kill_at_call(owner, name: str, number: int) -> None:
    """Let the system kill this process at the n-th call of a function."""
    calls, real = itertools.count(1), getattr(owner, name)

    def counted(*arguments, **options):
        if next(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **options)

    setattr(owner, name, counted)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no kill -9 here")
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_moments_training_ends_with_the_same_weights(seed, tmp_path, monkeypatch):
    """A checkpoint after every block, so that kills also hit while one is being written."""
    whole = new_training().run()
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    monkeypatch.setattr(checkpoint, "TIMES_ITS_COST", 0.0)
    rng = np.random.default_rng(seed)
    path = tmp_path / "checkpoint"
    hit = 0
    for place in ("write_durably", "_take_place", "_remove"):
        owner = wholefolder
        number = int(rng.integers(1, 4))
        hit += killed_child(path, lambda o=owner, p=place, n=number: kill_at_call(o, p, n))
    assert hit >= 1  # the first of them, at least
    for _ in range(4):  # how many of these hit, is a matter of the machine's speed
        delay = float(rng.uniform(0.001, 0.1))
        killed_child(path, lambda d=delay: kill_after(d))
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 1000.0)
    assert same_result(whole, new_training(path).run(resume=True))
    remove_checkpoint(path)
    assert list(tmp_path.iterdir()) == []


def kill_after(seconds: float) -> None:
    """Let the system kill this process after a while: the default of the alarm."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, seconds)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"learner": "perceptron"},
            "other settings \\(learner: mira, now perceptron; .*c: 1.0, now null",
        ),
        ({"seed": 5, "k": 2}, "other settings \\(seed: 0, now 5; k: 1, now 2\\)"),
        ({"train": TRAIN[1:]}, "other training sentences"),
        ({"dev": DEV[1:]}, "other development sentences"),
        ({"dev": None}, "other development sentences"),
    ],
)
def test_another_training_is_not_resumed(changes, message, tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        new_training(path, callback=Interrupting(2)).run()
    with pytest.raises(ModelError, match=message):
        new_training(path, **changes).run(resume=True)


def test_a_checkpoint_of_another_version_is_not_resumed(tmp_path, monkeypatch):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        new_training(path, callback=Interrupting(2)).run()
    monkeypatch.setattr(checkpoint, "FORMAT", checkpoint.FORMAT + 1)
    with pytest.raises(ModelError, match="another version of Headwise: begin anew with --force"):
        new_training(path).run(resume=True)


def test_epochs_may_be_added_but_not_taken_away(tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        new_training(path, callback=Interrupting(17)).run()
    with pytest.raises(UsageError, match="in epoch 3 already"):
        new_training(path, epochs=2).run(resume=True)
    longer = new_training(path, epochs=5).run(resume=True)
    assert same_result(longer, new_training(epochs=5).run())


def test_a_full_disk_does_not_end_training(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)

    def full(*arguments):
        raise UsageError("cannot write checkpoint: No space left on device")

    monkeypatch.setattr(training, "save_checkpoint", full)
    with pytest.warns(HeadwiseWarning, match="No space left"):
        trained = new_training(tmp_path / "checkpoint", epochs=1).run()
    assert len(trained.history) == 1


def test_resuming_without_a_checkpoint_begins(tmp_path):
    trained = new_training(tmp_path / "nothing", epochs=1).run(resume=True)
    assert len(trained.history) == 1


CHECKPOINT_DAMAGES = {
    "steps as text": (lambda s, a: s.update(steps="7"), "steps: expected an integer"),
    "no position": (lambda s, a: s.pop("position"), "'position' is missing"),
    "an epoch before the first": (lambda s, a: s.update(epoch=-1), "epoch must be 0 or more"),
    "a best epoch to come": (lambda s, a: s.update(best_epoch=9), "best_epoch must be"),
    "a history of nothing": (lambda s, a: s.update(history=[7]), "history.0: expected a table"),
    "more": (lambda s, a: s.update(more=1), "more: unknown key"),
    "zeros without end": (
        lambda s, a: a.update({"weights.shape": np.array([1 << 40])}),
        "table 'weights' has the shape",
    ),
    "other numbers": (
        lambda s, a: a.update(filters=a["filters"].astype(np.int64)),
        "array 'filters' is int64, not uint8",
    ),
    "no sums": (lambda s, a: a.pop("sums.values"), "sums"),
    "sums that are no numbers": (
        lambda s, a: a.update({"sums.values": np.full_like(a["sums.values"], np.nan)}),
        "array 'sums' has values",
    ),
}


@pytest.mark.parametrize(("change", "message"), CHECKPOINT_DAMAGES.values(), ids=CHECKPOINT_DAMAGES)
def test_a_checkpoint_that_was_altered_is_refused(change, message, tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        new_training(path, callback=Interrupting(2)).run()
    model = load_model(path)
    settings, arrays = dict(model.settings), dict(model.arrays)
    change(settings, arrays)
    save_model(path, ModelFile(model.kind, settings, arrays, ""), force=True)
    with pytest.raises(ModelError, match=f"checkpoint: .*{message}"):
        new_training(path).run(resume=True)


@pytest.mark.parametrize("score", [None, "90", []])
def test_a_history_without_scores_is_refused(score, tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        new_training(path, callback=Interrupting(12)).run()
    model = load_model(path)
    (first,) = model.settings["history"]
    settings = {**model.settings, "history": [{**first, "dev_uas": score}]}
    save_model(path, ModelFile(model.kind, settings, model.arrays, ""), force=True)
    with pytest.raises(ModelError, match="lacks dev_uas of an epoch"):
        new_training(path).run(resume=True)
