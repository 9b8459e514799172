"""Stored similarities come back, and damaged ones are refused."""

import numpy as np
import pytest

from headwise.errors import ModelError
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.text.similarity.words import WordSimilarity

TEXT = [line.split() for line in ("the big dog saw the cat", "a dog saw", "cat", "", "the the cat")]


def test_what_is_saved_comes_back(tmp_path):
    learnt = WordSimilarity(least=1, neighbours=3).fit(TEXT)
    learnt.save(tmp_path / "s", about={"text": "a | b"})
    again = WordSimilarity.load(tmp_path / "s")
    assert again.similar("dog") == learnt.similar("dog") != []
    assert again.similar("nowhere") == []
    assert again.tokens_ == 13
    assert "a \\| b" in (tmp_path / "s" / "README.md").read_text()


@pytest.mark.parametrize("what", ["near", "cosine", "words", "settings"])
def test_a_file_that_does_not_hold_together_is_refused(what, tmp_path):
    WordSimilarity(least=1, neighbours=3).fit(TEXT).save(tmp_path / "s")
    model = load_model(tmp_path / "s")
    arrays, own = dict(model.arrays), dict(model.settings)
    if what == "near":
        arrays["near"] = arrays["near"] + np.int32(50)
    elif what == "cosine":
        arrays["cosine"] = arrays["cosine"] - np.float32(np.nan)
    elif what == "words":
        arrays["words"] = np.frombuffer(b"a\na", np.uint8)
    else:
        own = {"learning": {"least": "many"}}
    save_model(tmp_path / "bad", ModelFile("similarity", own, arrays, ""))
    with pytest.raises(ModelError, match="bad"):
        WordSimilarity.load(tmp_path / "bad")
