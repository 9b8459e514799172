"""Checkpoints of boosting that are another's, or altered, are refused."""

from dataclasses import replace

import numpy as np
import pytest
from boostingtoys import DEV, NOISY, TRAIN, Cut, NaiveBayes, parser

from headwise.errors import ModelError, UsageError
from headwise.storage.modelfile import load_model, save_model


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
