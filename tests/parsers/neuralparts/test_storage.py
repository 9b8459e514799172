import numpy as np
import pytest

from headwise.errors import HeadwiseError, ModelError
from headwise.parsers.neuralparts.parser import NeuralPartsParser
from headwise.pipeline.models import as_pipeline, load
from headwise.storage.modelfile import ModelFile, load_model, save_model
from toyneuralparts import parts_parser
from toytreebank import toy_treebank


@pytest.fixture
def model(tmp_path):
    parts_parser().save(tmp_path / "model", about={"trained on": "toys"})
    return tmp_path / "model"


def changed(model, path, *, settings=None, arrays=None):
    found = load_model(model)
    new = {**found.arrays, **(arrays or {})}
    new = {name: array for name, array in new.items() if array is not None}
    save_model(path, ModelFile(found.kind, {**found.settings, **(settings or {})}, new, ""))
    return path


@pytest.mark.parametrize("projective", [True, False])
def test_a_loaded_parser_gives_the_same_answers(tmp_path, projective):
    ours = parts_parser(projective=projective)
    ours.save(tmp_path / "m")
    loaded = NeuralPartsParser.load(tmp_path / "m")
    sentences = [one.forms for one in toy_treebank(10, 4)]
    for a, b in zip(ours.predict(sentences), loaded.predict(sentences), strict=True):
        assert (a.heads, a.relations, a.upos) == (b.heads, b.relations, b.upos)
    a, b = ours.marginals(sentences[0]), loaded.marginals(sentences[0])
    assert (a.arc == b.arc).all()


def test_it_is_a_stage_of_a_pipeline(model):
    pipeline = as_pipeline(model)
    assert pipeline.parser.kind == load(model).kind == "neural-parts"
    words = ["the", "old", "tree", "grows"]
    assert pipeline.parser.parse(words).heads == parts_parser().parse(words).heads


def test_the_same_parser_gives_the_same_bytes(model, tmp_path):
    NeuralPartsParser.load(model).save(tmp_path / "again", about={"trained on": "toys"})
    for name in ("config.json", "weights.safetensors", "README.md"):
        assert (model / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_the_card_says_what_the_network_does_alone(model):
    card = (model / "README.md").read_text("utf-8")
    assert "the network alone" in card
    assert "what its network keeps" in card


@pytest.mark.parametrize(
    "arrays",
    [
        {"base/words": None},
        {"base/words": np.zeros((3, 12), np.int8)},
        {"weights": np.zeros(7, np.int8)},
        {"weights.values_deflated": None},
    ],
)
def test_arrays_that_do_not_fit_are_refused(model, tmp_path, arrays):
    with pytest.raises(ModelError):
        load(changed(model, tmp_path / "other", arrays=arrays))


@pytest.mark.parametrize(
    "settings",
    [
        {"factor": 0.0},
        {"factor": "x"},
        {"temperatures": {"heads": -1.0}},
        {"part_templates": []},
        {"part_templates": ["uncle h.tag"]},
        {"tag_reduction": ["??"]},
        {"base": {}},
        {"base": {"kind": "neural"}},
    ],
)
def test_settings_without_meaning_are_refused(model, tmp_path, settings):
    with pytest.raises(HeadwiseError):
        load(changed(model, tmp_path / "other", settings=settings))
