"""Whole models together."""

import pytest

from headwise.corpus.formats import write_sentences
from headwise.errors import UsageError
from headwise.inference.temperatures import UNFITTED
from headwise.pipeline.ensembles import ensemble_of, save_ensemble
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from toyensembles import linear_pipeline, with_spaces
from toynetworks import random_parser
from toytreebank import toy_treebank


def test_the_first_model_gives_the_other_stages():
    network = Pipeline(parser=random_parser(), name="network")
    both = ensemble_of([network, linear_pipeline()])
    assert both.tokeniser is linear_pipeline().tokeniser
    assert both.lemmas is linear_pipeline().lemmas
    assert both.tagger is None
    assert both.found_tags == ("upos", "xpos", "feats")
    assert both.name == "network+linear"
    (document,) = both.pipe(["the tree grows."])
    assert [word.upos for word in document.sentences[0]] == ["DET", "NOUN", "VERB", "PUNCT"]
    assert document.sentences[0].has_tree


def test_models_become_one(tmp_path):
    linear_pipeline().save(tmp_path / "a")
    random_parser().save(tmp_path / "b")
    write_sentences(tmp_path / "dev.conllu", [with_spaces(one) for one in toy_treebank(6, 2)])
    made, report = save_ensemble(
        [tmp_path / "a", tmp_path / "b"], tmp_path / "m", dev=tmp_path / "dev.conllu"
    )
    assert report["dev"]["own tags"]["upos"] > 50
    again = as_pipeline(tmp_path / "m")
    assert again.parser.temperatures_ == made.parser.temperatures_ != UNFITTED
    bare = [one.forms for one in toy_treebank(6, 3)]
    assert [one.heads for one in again.parser.predict(bare)] == [
        one.heads for one in made.parser.predict(bare)
    ]
    card = (tmp_path / "m" / "README.md").read_text()
    assert "| members | a, b |" in card
    with pytest.raises(UsageError, match="already exists"):
        save_ensemble([tmp_path / "a", tmp_path / "b"], tmp_path / "m")
    with pytest.raises(UsageError, match="two models or more, not of 1"):
        save_ensemble([tmp_path / "a"], tmp_path / "other")
    with pytest.raises(UsageError, match="a is given twice"):
        save_ensemble([tmp_path / "a", tmp_path / "b", tmp_path / "b" / ".." / "a"], tmp_path / "x")


def test_what_cannot_be_one():
    with pytest.raises(UsageError, match="one member or more"):
        ensemble_of([])
    with pytest.raises(UsageError, match="has no parser"):
        ensemble_of([Pipeline(tokeniser=linear_pipeline().tokeniser, name="t")])
