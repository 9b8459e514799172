"""Solving that is interrupted goes on; β by cross-validation."""

import os
import signal
from dataclasses import replace

import numpy as np
import pytest
from margintoys import TRAIN, fitted

from headwise.errors import HeadwiseWarning, InputError, ModelError
from headwise.learners.callbacks import TrainingCallback
from headwise.storage.modelfile import load_model, save_model


class Interrupting(TrainingCallback):
    """Presses Ctrl-C in the third pass."""

    def epoch(self, record) -> None:
        if record["epoch"] == 3:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("loss", ["local", "global"])
def test_interrupted_and_resumed_is_as_if_nothing_had_happened(loss, tmp_path):
    settings = {"loss": loss, "epochs": 8, "tolerance": 1e-9}
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=tmp_path / "c", callback=Interrupting(), **settings)
    with pytest.warns(HeadwiseWarning, match="not solved after 8 epochs"):
        resumed = fitted(checkpoint=tmp_path / "c", resume=True, **settings)
    with pytest.warns(HeadwiseWarning, match="not solved"):
        whole = fitted(**settings)
    assert np.array_equal(resumed.model_.weights.pair, whole.model_.weights.pair)
    assert [one["gap"] for one in resumed.report_["history"]] == [
        one["gap"] for one in whole.report_["history"]
    ]
    with pytest.raises(ModelError, match=r"other settings \(beta: 1.0, now 3.0\)"):
        fitted(checkpoint=tmp_path / "c", resume=True, beta=3.0, **settings)


@pytest.mark.parametrize(
    ("loss", "settings", "arrays", "message"),
    [
        ("local", {"history": 3}, {}, "c: .*history: expected a list"),
        ("local", {"history": [{"epoch": 1}]}, {}, "history must have the gap of every epoch"),
        ("local", {}, {"pair": None}, "lacks the array 'pair'"),
        ("local", {}, {"alphas": np.zeros(3)}, "array 'alphas'"),
        ("global", {}, {"trees": 30_000}, "trees that are none"),  # heads, where kernels look
        ("global", {}, {"trees": -1}, "trees that are none"),
    ],
)
def test_a_checkpoint_that_was_altered_is_refused(loss, settings, arrays, message, tmp_path):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=path, callback=Interrupting(), epochs=8, tolerance=1e-9, loss=loss)
    model = load_model(path)
    found = dict(model.arrays)
    for name, value in arrays.items():
        if isinstance(value, int):
            value = np.full_like(found[name], value)
        found[name] = value
    changed = {name: array for name, array in found.items() if array is not None}
    forged = replace(model, settings={**model.settings, **settings}, arrays=changed)
    save_model(path, forged, force=True)
    with pytest.raises(ModelError, match=message):
        fitted(checkpoint=path, resume=True, epochs=8, tolerance=1e-9, loss=loss)


def test_beta_is_chosen_by_cross_validation(tmp_path):
    parser = fitted(betas=(0.1, 1000.0), folds=3, checkpoint=tmp_path / "c", epochs=500)
    found = parser.report_["validation"]
    assert {key: len(own) for key, own in found.items()} == {"0.1": 3, "1000.0": 3}
    assert parser.report_["beta"] == 0.1
    assert np.mean(found["0.1"]) > np.mean(found["1000.0"])
    again = fitted(betas=(0.1, 1000.0), folds=3, checkpoint=tmp_path / "c", resume=True, epochs=500)
    assert again.report_["validation"] == found


def test_a_treebank_smaller_than_the_folds_is_refused():
    with pytest.raises(InputError, match="2 sentences .* too few for a cross-validation with 5"):
        fitted(TRAIN[:2], betas=(1.0, 2.0))
