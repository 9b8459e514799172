"""Labellers that are cut short go on from their checkpoint, or refuse it."""

import os
import signal

import numpy as np
import pytest

from headwise.errors import HeadwiseWarning, ModelError, UsageError
from headwise.learners import checkpoint, labelcheckpoint
from headwise.learners.checkpoint import can_resume, labels_path, remove_checkpoint
from headwise.learners.labelling import (
    train_labeller,
)
from headwise.learners.labelsettings import LabellerSettings
from headwise.progress import silent
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.storage.modelfile import ModelFile, load_model, save_model
from labelledtoys import labelled_treebank, noisy

TRAIN, DEV = labelled_treebank(60, 1), labelled_treebank(30, 2)
ENCODER = AtomEncoder()


def trained(sentences=TRAIN, *, progress=silent, checkpoint=None, **settings):
    chosen = LabellerSettings(**{"epochs": 3, "members": 2, **settings})
    rest = {"progress": progress, "checkpoint": checkpoint}
    return train_labeller(sentences, ENCODER, chosen, size=14, seed=0, bits=8, **rest)


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_cut_short_it_goes_on_to_the_same_weights(at, tmp_path):
    checkpoint = tmp_path / "c"

    def interrupt(stage, done, total):
        assert total == 6
        if done == at:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        trained(noisy(TRAIN), progress=interrupt, checkpoint=checkpoint)
    assert can_resume(checkpoint)
    told = []
    resumed = trained(
        noisy(TRAIN), progress=lambda *report: told.append(report), checkpoint=checkpoint
    )
    assert told == [("labels", done, 6) for done in range(at + 1, 7)]
    assert (resumed.table == trained(noisy(TRAIN)).table).all()
    remove_checkpoint(checkpoint)
    assert not can_resume(checkpoint)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s, a: s.update(step=-1), "step must be 0 or more"),
        (lambda s, a: s.update(member=None), "member: expected an integer"),
        (lambda s, a: s.pop("identity"), "'identity' is missing"),
        (lambda s, a: s.update(member=0, epoch=4), "is further than its training goes"),
        (lambda s, a: s.update(member=3), "is further than its training goes"),
        (lambda s, a: s.update(member=2, epoch=1), "is further than its training goes"),
        (lambda s, a: a.update({"total.shape": np.array([1 << 40])}), "table 'total' has the"),
    ],
)
def test_a_checkpoint_that_was_altered_is_refused(change, message, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    trained(checkpoint=tmp_path / "c")
    path = labels_path(tmp_path / "c")
    model = load_model(path)
    settings, arrays = dict(model.settings), dict(model.arrays)
    change(settings, arrays)
    save_model(path, ModelFile(model.kind, settings, arrays, ""), force=True)
    with pytest.raises(ModelError, match=f"c.labels: .*{message}"):
        trained(checkpoint=tmp_path / "c")


def test_a_full_disk_does_not_end_learning(tmp_path, monkeypatch):
    def fail(*_):
        raise UsageError("cannot write: no space left on device")

    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    monkeypatch.setattr(labelcheckpoint, "write_state", fail)
    with pytest.warns(HeadwiseWarning, match=r"after epoch \d of labeller \d: cannot"):
        found = trained(checkpoint=tmp_path / "c")
    assert (found.table == trained().table).all()


def test_what_is_finished_is_not_learnt_again(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    first = trained(noisy(TRAIN), checkpoint=tmp_path / "c")
    told = []
    again = trained(
        noisy(TRAIN), checkpoint=tmp_path / "c", progress=lambda *report: told.append(report)
    )
    assert (again.table == first.table).all()
    assert told == []
    other = trained(
        noisy(TRAIN), checkpoint=tmp_path / "c", epochs=1
    )  # of other settings: learnt anew
    assert (other.table == trained(noisy(TRAIN), epochs=1).table).all()
