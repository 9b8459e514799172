"""Members of ensembles: what they see, and which tags they give."""

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.parsers.ensemble.member import Member, one_hot
from toyensembles import linear_member, linear_parser
from toynetworks import random_parser

FORMS = ["the", "tree", "grows", "."]


def test_a_member_gives_tags_and_lemmas_where_there_are_none():
    (found,) = linear_member().prepared([Sentence.from_words(FORMS)])
    assert found.upos == ("DET", "NOUN", "VERB", "PUNCT")
    assert found.lemmas[2] == "grow"
    given = Sentence.from_words(FORMS, upos=["X"] * 4, xpos=["X"] * 4, lemmas=["y"] * 4)
    assert linear_member().prepared([given])[0].upos == given.upos
    assert Member(random_parser()).prepared([given]) == [given]


def test_which_tags_a_member_finds():
    assert linear_member().found_tags == ("upos", "xpos", "feats")
    assert "NOUN" in linear_member().tag_names("upos")
    assert set(Member(random_parser()).tag_names("upos")) == linear_member().tag_names("upos")
    alone = Member(linear_parser())
    assert (alone.found_tags, alone.tag_names("upos")) == ((), set())
    assert Member(random_parser()).tag_names("feats") == set()


def test_a_tagger_is_sure_of_its_tags():
    given = [Sentence.from_words(FORMS[:2], upos=["A", "B"])] * 2
    table = one_hot(given, "upos", ["C", "B", "A"])
    assert np.array_equal(table, [[0, 0, 0], [0, 0, 1], [0, 1, 0]] * 2)
    assert not one_hot(given, "upos", ["C"]).any()
