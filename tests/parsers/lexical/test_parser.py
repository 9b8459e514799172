"""LexicalParser as its users meet it."""

import warnings
from functools import cache

import numpy as np
import pytest
from lexicaltoys import TREEBANK

from headwise import Pipeline, Sentence
from headwise.errors import InputError, TreeError, UsageError
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.lexical.settings import VARIANTS
from headwise.text.similarity.words import WordSimilarity
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(150, 1), toy_treebank(30, 2)


@cache
def similar() -> WordSimilarity:
    return WordSimilarity(least=1, stop_words=3, sides=True).fit(one.forms for one in TRAIN)


def fitted(variant: str = "words", **settings) -> LexicalParser:
    parser = LexicalParser(variant=variant, **settings)
    return parser.fit(TRAIN, similarity=similar() if parser.needs_similarity else None)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_model_learns_the_toy_treebank(variant):
    found = fitted(variant).scores(DEV)
    assert found["uas"] > 0.75
    assert found["uas"] <= found["undirected"] <= 1
    assert fitted(variant).score(DEV) == found["uas"]


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
        LexicalParser(variant="tags").fit(TRAIN, similarity=similar())


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


def test_training_is_deterministic_and_answers_do_not_depend_on_company():
    parser, again = fitted(), fitted()
    for one, other in zip(parser.counts_.links, again.counts_.links, strict=True):
        assert np.array_equal(one, other)
    alone = [parser.predict([sentence])[0] for sentence in DEV]
    assert alone == parser.predict(DEV)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(Pipeline(parser=parser).annotate(DEV, jobs=2)) == alone
