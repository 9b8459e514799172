"""Stored lexical parsers come back, and damaged ones are refused."""

from functools import cache

import pytest

import headwise
from headwise import DependencyParser
from headwise.errors import ModelError
from headwise.parsers.lexical.parser import LexicalParser
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.text.similarity.words import WordSimilarity
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(150, 1), toy_treebank(30, 2)


@cache
def similar() -> WordSimilarity:
    return WordSimilarity(least=1, stop_words=3, sides=True).fit(one.forms for one in TRAIN)


def fitted(variant: str = "words", **settings) -> LexicalParser:
    parser = LexicalParser(variant=variant, **settings)
    return parser.fit(TRAIN, similarity=similar() if parser.needs_similarity else None)


def test_a_saved_parser_parses_the_same(tmp_path):
    parser = fitted()
    parser.save(tmp_path / "m", about={"trained on": "toys"})
    again = headwise.load(tmp_path / "m")
    assert isinstance(again, LexicalParser)
    assert again.get_params() == parser.get_params()
    assert again.predict(DEV) == parser.predict(DEV)
    assert again.report_ == parser.report_
    assert "| trained on | toys |" in (tmp_path / "m" / "README.md").read_text()
    parser.save(tmp_path / "n", about={"trained on": "toys"})
    for name in ("config.json", "weights.safetensors"):
        assert (tmp_path / "n" / name).read_bytes() == (tmp_path / "m" / name).read_bytes()


@pytest.mark.parametrize(
    "what",
    ["near", "similarity", "known", "links.modifier", "links.start", "links.before", "asked"],
)
def test_a_model_that_does_not_hold_together_is_refused(what, tmp_path):
    fitted().save(tmp_path / "m")
    model = load_model(tmp_path / "m")
    array = model.array(what)
    broken = array[:1] if what in ("known", "asked") else (array + array.dtype.type(100))
    if what == "similarity":
        broken = -array
    arrays = {**model.arrays, what: broken}
    save_model(tmp_path / "bad", ModelFile("lexical", model.settings, arrays, ""))
    with pytest.raises(ModelError, match="bad"):
        headwise.load(tmp_path / "bad")


def test_a_model_of_another_kind_is_refused(tmp_path):
    fitted().save(tmp_path / "m")
    with pytest.raises(ModelError, match="is a lexical, not a parser"):
        DependencyParser.load(tmp_path / "m")
