"""LexicalParser as its users meet it."""

import warnings

import numpy as np
import pytest
from lexicaltoys import TREEBANK, made_similarity

import headwise
from headwise import DependencyParser, Pipeline, Sentence
from headwise.errors import HeadwiseWarning, InputError, ModelError, TreeError, UsageError
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.lexical.settings import VARIANTS
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.text.similarity.words import WordSimilarity
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(150, 1), toy_treebank(30, 2)
SIMILAR = WordSimilarity(least=1, stop_words=3, sides=True).fit(one.forms for one in TRAIN)


def fitted(variant: str = "words", **settings) -> LexicalParser:
    parser = LexicalParser(variant=variant, **settings)
    return parser.fit(TRAIN, similarity=SIMILAR if parser.needs_similarity else None)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_model_learns_the_toy_treebank(variant):
    found = fitted(variant).scores(DEV)
    assert found["uas"] > 0.75
    assert found["uas"] <= found["undirected"] <= 1
    assert fitted(variant).score(DEV) == found["uas"]


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


def test_a_pipeline_may_end_in_a_lexical_parser(tmp_path):
    Pipeline(parser=fitted()).save(tmp_path / "p")
    again = Pipeline.load(tmp_path / "p")
    assert isinstance(again.parser, LexicalParser)
    assert list(again.annotate(DEV)) == fitted().predict(DEV)


def test_words_can_be_given_as_they_are():
    (one,) = fitted().predict([["the", "tree", "grows", "."]])
    assert one.heads == (2, 3, 0, 3)
    assert one.relations == ("dep", "dep", "root", "dep")
    assert fitted().predict([Sentence.from_words([])])[0].heads == ()


@pytest.mark.filterwarnings("ignore:.*have crossing arcs")
def test_crossing_arcs_are_lifted_and_long_sentences_left_out():
    crossing = Sentence.from_words(["a", "b", "c", "d"], heads=[3, 4, 0, 3])
    parser = LexicalParser(neighbours=0).fit([crossing, *TRAIN])
    assert parser.report_["left_out"] == 0
    parser = LexicalParser(neighbours=0, longest=4).fit([crossing, *TRAIN])
    assert parser.report_["left_out"] > 0


def test_similarities_are_asked_for_where_they_are_needed():
    with pytest.raises(UsageError, match="smooths by similar words: give a similarity model"):
        LexicalParser().fit(TRAIN)
    with pytest.raises(UsageError, match="uses no similar words"):
        LexicalParser(variant="tags").fit(TRAIN, similarity=SIMILAR)


def test_similarities_that_do_not_cover_the_treebank_are_said_so():
    other = made_similarity({"chien": {"chat": 0.5}})
    with pytest.raises(InputError, match="knows no word of the treebank"):
        LexicalParser().fit(TRAIN, similarity=other)
    some = made_similarity({"dogs": {"cats": 0.5}})
    with pytest.warns(HeadwiseWarning, match=r"covers 33 % of the treebank's tokens .*'bark'"):
        parser = LexicalParser().fit(TREEBANK, similarity=some)
    assert parser.report_["covered_tokens"] == pytest.approx(1 / 3)
    assert parser.predict([["cats", "bark"]])[0].heads == (2, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "letters"}, "expected one of 'words', 'one-word', .*, not 'letters'"),
        ({"counts": 0}, "counts must be from 1 to 100"),
        ({"neighbours": -1}, "neighbours must be 0 or more"),
        ({"unseen": 0.5}, "unseen must be above 0"),
        ({"longest": 0}, "longest must be 1 or more"),
        ({"tags": "feats"}, "expected one of 'upos', 'xpos', not 'feats'"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        LexicalParser(**settings).fit(TRAIN)


def test_bad_data_is_refused():
    with pytest.raises(InputError, match="no sentence to learn from"):
        LexicalParser(neighbours=0).fit([])
    with pytest.raises(TreeError, match="word 1 has no head"):
        LexicalParser(neighbours=0).fit([Sentence.from_words(["a"])])
    with pytest.raises(InputError, match="no XPOS tags"):
        LexicalParser(variant="tags", tags="xpos").fit(TREEBANK)
    with pytest.raises(InputError, match="more than 1 words"):
        LexicalParser(neighbours=0, longest=1).fit(TREEBANK)
    with pytest.raises(UsageError, match="not fitted"):
        LexicalParser().predict(DEV)


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


def test_parameters_can_be_asked_for_and_changed():
    parser = LexicalParser(counts=3)
    assert parser.set_params(neighbours=0).get_params()["counts"] == 3
    assert parser.fit(TREEBANK).neighbours == 0
    with pytest.raises(UsageError, match="unknown parameter 'epochs'"):
        parser.set_params(epochs=1)


def test_a_model_of_another_kind_is_refused(tmp_path):
    fitted().save(tmp_path / "m")
    with pytest.raises(ModelError, match="is a lexical, not a parser"):
        DependencyParser.load(tmp_path / "m")


def test_training_is_deterministic_and_answers_do_not_depend_on_company():
    parser, again = fitted(), fitted()
    for one, other in zip(parser.counts_.links, again.counts_.links, strict=True):
        assert np.array_equal(one, other)
    alone = [parser.predict([sentence])[0] for sentence in DEV]
    assert alone == parser.predict(DEV)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(Pipeline(parser=parser).annotate(DEV, jobs=2)) == alone
