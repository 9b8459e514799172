"""Pipelines as model folders."""

from dataclasses import replace

import pytest

import headwise
from headwise.errors import ModelError
from headwise.pipeline import models
from headwise.pipeline.pipeline import Pipeline
from headwise.storage.modelfile import ModelFile, describe_model, load_model, read_card, save_model
from toypipelines import toy_pipeline, toy_trees

TEXT = "The dogs see a cat. The dog doesn't see a tree."


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "toy"
    report = {"dev": {"gold tags": {"uas": 99.0}, "raw text": {"tokens": 98.5, "uas": None}}}
    toy_pipeline().save(path, about={"licence": "a | b"}, report=report)
    return path


def test_it_is_one_folder_of_data(model):
    assert sorted(one.name for one in model.iterdir()) == [
        "README.md", "config.json", "weights.safetensors",
    ]  # fmt: skip
    loaded = headwise.load(model)
    assert isinstance(loaded, Pipeline)
    assert loaded(TEXT) == toy_pipeline()(TEXT)
    assert loaded.name == "toy"
    assert describe_model(model).weights_sha256.startswith(loaded.version)


def test_the_same_pipeline_gives_the_same_bytes(model, tmp_path):
    headwise.load(model).save(tmp_path / "again")
    weights = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("toy", "again")]
    assert weights[0] == weights[1]


def test_the_card_has_scores_and_stages(model):
    card = read_card(model)
    assert "| licence | a \\| b |" in card
    assert "| stages | tokeniser, tagger, lemmas, parser |" in card
    assert "| | gold tags | raw text |" in card
    assert "| tokens |  | 98.50 |" in card
    assert "| UAS | 99.00 | – |" in card
    assert "## Its parser" in card


def test_stages_that_are_missing_stay_so(tmp_path):
    Pipeline(tagger=toy_pipeline().tagger).save(tmp_path / "m")
    loaded = headwise.load(tmp_path / "m")
    assert (loaded.tokeniser, loaded.lemmas, loaded.parser) == (None, None, None)
    gold = toy_trees(2, seed=5)
    assert [one.upos for one in loaded.annotate(gold, own_tags=True)] == [o.upos for o in gold]


@pytest.mark.parametrize("stage", ["tokeniser", "tagger", "lemmas", "parser"])
def test_damage_is_told_with_its_place(model, tmp_path, stage):
    good = load_model(model)
    stages = {**good.settings["stages"], stage: {}}
    bad = replace(good, settings={**good.settings, "stages": stages})
    save_model(tmp_path / "bad", bad)
    with pytest.raises(ModelError, match="bad: "):
        headwise.load(tmp_path / "bad")


def test_stages_of_the_future(tmp_path):
    save_model(
        tmp_path / "m",
        ModelFile("pipeline", {"stages": {"translator": {}}, "about": {}, "report": {}}, {}, ""),
    )
    with pytest.raises(ModelError, match="stages that this version of Headwise does not know"):
        headwise.load(tmp_path / "m")


def test_the_embedded_model(model, tmp_path, monkeypatch):
    monkeypatch.setattr(models, "EMBEDDED", tmp_path / "embedded")
    with pytest.raises(ModelError, match="comes without its model 'en': train one"):
        headwise.load()
    toy_pipeline().save(tmp_path / "embedded" / "en")
    assert headwise.load()(TEXT) == headwise.load("en")(TEXT) == toy_pipeline()(TEXT)
    monkeypatch.chdir(tmp_path)
    Pipeline(tagger=toy_pipeline().tagger).save("en")  # a folder here goes before
    assert headwise.load("en").parser is None
    assert headwise.load().parser is not None


def test_a_parser_alone_is_a_pipeline_too(tmp_path):
    toy_pipeline().parser.save(tmp_path / "m")
    assert models.as_pipeline(tmp_path / "m").tokeniser is None
    save_model(tmp_path / "other", ModelFile("checkpoint", {}, {}, ""))
    with pytest.raises(ModelError, match="is a checkpoint: no dependency parser"):
        models.as_pipeline(tmp_path / "other")
