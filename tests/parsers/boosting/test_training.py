"""Training that is watched, cut short and resumed."""

from dataclasses import replace

import numpy as np
import pytest
from boostingtoys import DEV, NOISY, Cut, parser

from headwise.errors import HeadwiseWarning, ModelError, UsageError
from headwise.storage.modelfile import load_model, save_model


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


def test_the_same_training_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        parser(rounds=2).fit(NOISY, DEV).save(tmp_path / name)
    one, other = ((tmp_path / name / "config.json").read_bytes() for name in ("a", "b"))
    assert one == other


@pytest.mark.parametrize(
    ("settings", "arrays", "message"),
    [
        ({"votes": []}, {}, "votes and history must be of the same rounds"),
        ({"votes": [-1.0, 1.0]}, {}, "votes must be above 0"),
        ({"history": [{}, {}]}, {}, "lacks dev_uas of an epoch"),
        ({}, {"round/0": np.zeros((2, 3), np.float32)}, "array 'round/0'"),
    ],
)
def test_a_checkpoint_that_was_altered_is_refused(settings, arrays, message, tmp_path):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        parser().fit(NOISY, DEV, checkpoint=path, callback=Cut(after=2))
    model = load_model(path)
    found = {name: one for name, one in model.arrays.items() if name.split(".")[0] not in arrays}
    changed = replace(model, settings={**model.settings, **settings}, arrays=found | arrays)
    save_model(path, changed, force=True)
    with pytest.raises(ModelError, match=message):
        parser().fit(NOISY, DEV, checkpoint=path, resume=True)


def test_the_first_checkpoints_do_not_name_the_partition(tmp_path):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        parser().fit(NOISY, DEV, checkpoint=path, callback=Cut(after=1))
    assert "partition" not in load_model(path).settings["identity"]["settings"]
    with pytest.raises(ModelError, match=r"other settings \(partition: null, now false\)"):
        parser(partition=False).fit(NOISY, DEV, checkpoint=path, resume=True)
