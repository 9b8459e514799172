"""Stored rerankers come back, and damaged ones are refused."""

from dataclasses import replace

import numpy as np
import pytest

from headwise.errors import ModelError
from headwise.reranking import LinearReranker
from headwise.reranking.storage import load_reranker, save_reranker
from headwise.storage.modelfile import load_model, save_model
from rankedwords import FEATURES, lists, loss


@pytest.mark.parametrize(
    "change",
    [
        {"features": 3}, {"features": [3]}, {"labels": 1}, {"labels": [1]}, {"parameters": []},
        {"parameters": {"learner": "guess"}}, {"unit": 0.0}, {"unit": "1"}, {"scale": -1.0},
        {"trees": None}, {"more": 1},
    ],
)  # fmt: skip
def test_settings_of_another_kind_are_refused(tmp_path, change):
    reranker = LinearReranker(FEATURES).fit(*lists(), loss)
    save_reranker(tmp_path / "model", reranker, "words")
    model = load_model(tmp_path / "model")
    save_model(tmp_path / "bad", replace(model, settings={**model.settings, **change}))
    with pytest.raises(ModelError, match=f"settings of this reranker .*{next(iter(change))}"):
        load_reranker(tmp_path / "bad", "words", FEATURES)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("step_starts", lambda array: array[::-1].copy()),
        ("step_starts", lambda array: array[:0]),
        ("step_columns", lambda array: array + 1000),
        ("step_columns", lambda array: array.astype(np.float64)),
        ("step_values", lambda array: array * np.nan),
        ("votes", lambda array: array * 0),
        ("names", lambda array: array.astype(np.float32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path, name, change):
    reranker = LinearReranker(FEATURES, learner="voted").fit(*lists(), loss)
    save_reranker(tmp_path / "model", reranker, "words")
    model = load_model(tmp_path / "model")
    arrays = {**model.arrays, name: change(model.arrays[name])}
    save_model(tmp_path / "bad", replace(model, arrays=arrays))
    with pytest.raises(ModelError, match=f"bad: array '{name}'"):
        load_reranker(tmp_path / "bad", "words", FEATURES)
