"""Models inside pipelines that spaCy saves."""

import shutil

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from headwise.integrations.spacy import tokenizer
from headwise.integrations.spacy.stored import shared_model
from toypipelines import toy_pipeline

TEXT = "The dogs see a cat. The dog doesn't see a tree."


def test_a_saved_pipeline_has_its_model_with_it(tmp_path, toy_model):
    source = tmp_path / "source"
    shutil.copytree(toy_model, source)
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": str(source), "confidence": True})
    nlp.tokenizer = tokenizer(nlp, str(source))
    expected = nlp(TEXT)
    nlp.to_disk(tmp_path / "saved")
    nlp.to_disk(tmp_path / "saved")  # over the one that is there
    shutil.rmtree(source)
    again = spacy.load(tmp_path / "saved")
    assert again(TEXT).to_json() == expected.to_json()
    assert again(TEXT)[1]._.head_probability == expected[1]._.head_probability


def test_a_pipeline_as_bytes_has_its_model_with_it(toy_model):
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": str(toy_model)})
    expected = nlp(TEXT)
    data = nlp.to_bytes()
    other = spacy.blank("en")
    other.add_pipe("headwise", config={"model": "no-such-model"})
    other.from_bytes(data)
    assert other(TEXT).to_json() == expected.to_json()
    assert next(iter(other(TEXT).sents))._.kbest(2)


def test_a_model_is_shared_until_its_folder_changes(tmp_path):
    toy_pipeline().save(tmp_path / "m")
    first = shared_model(str(tmp_path / "m"))
    assert shared_model(str(tmp_path / "m")) is first
    toy_pipeline().save(tmp_path / "m", about={"note": "another"}, force=True)
    assert shared_model(str(tmp_path / "m")) is not first
