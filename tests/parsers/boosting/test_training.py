"""Training that is watched, cut short and resumed."""

from dataclasses import replace

import numpy as np
import pytest
from boostingtoys import DEV, NOISY, TRAIN, NaiveBayes

from headwise.errors import HeadwiseWarning, ModelError, UsageError
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.boosting.parser import BoostedParser
from headwise.storage.modelfile import load_model, save_model


class Cut(TrainingCallback):
    """A callback that stops training after some rounds, as someone at a keyboard would."""

    def __init__(self, after: int) -> None:
        self.after, self.shares, self.plan, self.records = after, [], None, []

    def begin(self, plan):
        self.plan = plan

    def progress(self, report):
        self.shares.append((report.epoch, report.sentences))
        if report.epoch > self.after:
            raise KeyboardInterrupt

    def epoch(self, record):
        self.records.append(record)


def parser(**settings) -> BoostedParser:
    return BoostedParser(**{"rounds": 4, "cutoff": 1} | settings)


@pytest.mark.parametrize("keep", ["last", "ensemble"])
@pytest.mark.parametrize("update", ["additive", "m1", "m2", "logistic"])
def test_training_that_is_cut_short_goes_on_bit_by_bit(update, keep, tmp_path):
    whole = parser(update=update, keep=keep).fit(NOISY, DEV)
    with pytest.raises(KeyboardInterrupt):
        parser(update=update, keep=keep).fit(
            NOISY, DEV, checkpoint=tmp_path / "c", callback=Cut(after=2)
        )
    callback = Cut(after=9)
    again = parser(update=update, keep=keep)
    again.fit(NOISY, DEV, checkpoint=tmp_path / "c", resume=True, callback=callback)
    assert [record["epoch"] for record in callback.plan.history] == [1, 2]
    assert [record["epoch"] for record in callback.records] == [3, 4]
    assert np.array_equal(again.hypothesis_.weights, whole.hypothesis_.weights)
    assert again.report_["round"] == whole.report_["round"]
    for one, other in zip(again.report_["history"], whole.report_["history"], strict=True):
        for name in ("loss", "vote", "dev_uas", "wrong_pairs"):
            assert one[name] == other[name]


def test_a_full_disk_does_not_end_training(tmp_path, monkeypatch):
    def fail(*_):
        raise UsageError("cannot write: no space left on device")

    monkeypatch.setattr("headwise.parsers.boosting.training.save_rounds", fail)
    with pytest.warns(HeadwiseWarning, match=r"no checkpoint after round \d: cannot write"):
        found = parser(rounds=2).fit(NOISY, checkpoint=tmp_path / "c")
    assert np.array_equal(
        found.hypothesis_.weights, parser(rounds=2).fit(NOISY).hypothesis_.weights
    )


def test_progress_is_told_from_start_to_end():
    callback = Cut(after=9)
    parser(rounds=2).fit(NOISY, callback=callback)
    assert callback.shares == sorted(callback.shares)
    assert callback.shares[-1] == (2, len(NOISY))
    assert callback.plan.rounds == 2
    assert callback.plan.words == sum(map(len, NOISY))


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        parser().fit(NOISY, checkpoint=tmp_path / "c", callback=Cut(after=2))
    with pytest.raises(ModelError, match=r"other settings \(update: additive, now m1\)"):
        parser(update="m1").fit(NOISY, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(ModelError, match="other sentences"):
        parser().fit(TRAIN, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(UsageError, match="has 2 rounds already"):
        parser(rounds=1).fit(NOISY, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(UsageError, match="no checkpoint"):
        parser().fit(NOISY, base=NaiveBayes(), checkpoint=tmp_path / "c")


def test_a_checkpoint_that_was_altered_is_refused(tmp_path):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        parser().fit(NOISY, DEV, checkpoint=path, callback=Cut(after=2))
    model = load_model(path)
    altered = {
        "votes.0: expected a number": {"settings": {**model.settings, "votes": ["x"]}},
        "examples": {"arrays": {**model.arrays, "examples": np.zeros(3)}},
    }
    for message, change in altered.items():
        save_model(path, replace(model, **change), force=True)
        with pytest.raises(ModelError, match=f"c: .*{message}"):
            parser().fit(NOISY, DEV, checkpoint=path, resume=True)


def test_the_same_training_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        parser(rounds=2).fit(NOISY, DEV).save(tmp_path / name)
    one, other = ((tmp_path / name / "config.json").read_bytes() for name in ("a", "b"))
    assert one == other
