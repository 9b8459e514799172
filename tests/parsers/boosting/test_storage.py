"""Stored boosted parsers come back, and damaged ones are refused."""

import numpy as np
import pytest
from boostingtoys import DEV, TRAIN, boosted

import headwise
from headwise import Pipeline
from headwise.errors import ModelError
from headwise.parsers.boosting.parser import BoostedParser
from headwise.storage.modelfile import ModelFile, load_model, save_model


def test_a_saved_parser_parses_the_same(tmp_path):
    parser = boosted()
    parser.save(tmp_path / "m", about={"trained on": "toys"})
    again = headwise.load(tmp_path / "m")
    assert isinstance(again, BoostedParser)
    assert again.get_params() == parser.get_params()
    assert again.predict(DEV) == parser.predict(DEV)
    assert again.report_ == parser.report_
    assert "| trained on | toys |" in (tmp_path / "m" / "README.md").read_text()
    Pipeline(parser=parser).save(tmp_path / "p")
    assert list(Pipeline.load(tmp_path / "p").annotate(DEV)) == parser.predict(DEV)


@pytest.mark.parametrize("what", ["keys", "unseen", "weights.values", "weights.shape"])
def test_a_model_that_does_not_hold_together_is_refused(what, tmp_path):
    boosted(TRAIN[:5]).save(tmp_path / "m")
    model = load_model(tmp_path / "m")
    broken = {
        "keys": model.array("keys")[::-1],
        "unseen": model.array("unseen")[:1],
        "weights.values": np.full_like(model.array("weights.values"), np.nan),
        "weights.shape": np.array([2, 3]),
    }[what]
    save_model(
        tmp_path / "bad",
        ModelFile("boosting", model.settings, {**model.arrays, what: broken}, ""),
    )
    with pytest.raises(ModelError, match="bad"):
        headwise.load(tmp_path / "bad")
