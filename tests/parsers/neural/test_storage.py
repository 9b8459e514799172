import numpy as np
import pytest

from headwise.errors import HeadwiseError, ModelError
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.models import load
from headwise.storage.modelfile import ModelFile, load_model, save_model
from toynetworks import random_parser
from toytreebank import toy_treebank


@pytest.fixture
def model(tmp_path):
    random_parser().save(tmp_path / "model", about={"trained on": "toys"})
    return tmp_path / "model"


def changed(model, path, *, settings=None, arrays=None):
    found = load_model(model)
    new = {**found.arrays, **(arrays or {})}
    new = {name: array for name, array in new.items() if array is not None}
    save_model(path, ModelFile(found.kind, {**found.settings, **(settings or {})}, new, ""))
    return path


def test_a_loaded_parser_gives_the_same_answers(model):
    sentences = [one.forms for one in toy_treebank(10, 4)]
    ours, loaded = random_parser(), NeuralParser.load(model)
    for a, b in zip(ours.predict(sentences), loaded.predict(sentences), strict=True):
        assert (a.heads, a.relations, a.upos) == (b.heads, b.relations, b.upos)
    a, b = ours.marginals(sentences[0]), load(model).marginals(sentences[0])
    assert (a.arc == b.arc).all()


def test_the_same_parser_gives_the_same_bytes(model, tmp_path):
    NeuralParser.load(model).save(tmp_path / "again", about={"trained on": "toys"})
    for name in ("config.json", "weights.safetensors", "README.md"):
        assert (model / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


@pytest.mark.parametrize(
    "arrays",
    [
        {"words": None},
        {"words": np.zeros((3, 12), np.int8)},
        {"words": np.zeros((10, 12), np.float32)},
        {"vectors": np.zeros(4, np.int8)},
        {"vectors": np.zeros((5, 2000), np.int8)},
        {"encoder.0.input": np.zeros((2, 3, 56), np.int8)},
        {"encoder.0.input.scale": np.full((2, 56), np.nan, np.float32)},
        {"arcs.distance": np.full(42, 1e30, np.float32)},
        {"names.relations": np.frombuffer(b"a\tb", np.uint8)},
        {"names.words": np.frombuffer(b"a\na", np.uint8)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(model, tmp_path, arrays):
    with pytest.raises(ModelError):
        load(changed(model, tmp_path / "other", arrays=arrays))


@pytest.mark.parametrize(
    "settings",
    [
        {"steps": {}},
        {"temperatures": {"heads": 0.0}},
        {"temperatures": {"tags": float(10**9)}},
        {"projective": "yes"},
        {"training": {"sizes": {"units": 100_000}}},
        {"report": 3},
    ],
)
def test_settings_that_mean_nothing_are_refused(model, tmp_path, settings):
    with pytest.raises(HeadwiseError):
        load(changed(model, tmp_path / "other", settings=settings))


def test_the_card_says_what_it_is(model):
    card = (model / "README.md").read_text()
    assert "BiLSTM of 2 × 14 units" in card
    assert "| trained on | toys |" in card
