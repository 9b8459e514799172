"""Words as numbers, the similar words that stand in for them, and how many these cover."""

import numpy as np
import pytest
from lexicaltoys import TREEBANK, made_similarity

from headwise.errors import HeadwiseWarning, InputError
from headwise.kernels.text.lexical_chances import NONE
from headwise.parsers.lexical.lexicon import (
    FIRST,
    ROOT,
    UNKNOWN,
    UNKNOWN_SIMILARITY,
    plain_lexicon,
    similar_numbers,
    with_similar_words,
)
from headwise.parsers.lexical.parser import LexicalParser
from toytreebank import toy_treebank

WORDS = ["dogs", "bark", "dogs", "cats", "bark", "dogs"]
SIMILAR = made_similarity(
    {"dogs": {"cats": 0.8, "wolves": 0.7}, "wolves": {"dogs": 0.7, "foxes": 0.6}, "foxes": {}}
)


def test_the_most_frequent_words_come_first_and_equals_by_name():
    lexicon = plain_lexicon([*WORDS, "ants"])
    assert lexicon.known == ("dogs", "bark", "ants", "cats")
    assert lexicon.size == FIRST + 4
    assert lexicon.encode(["cats", "zebra", "dogs"]).tolist() == [ROOT, FIRST + 3, UNKNOWN, FIRST]


def test_without_similar_words_each_stands_for_itself():
    lexicon = plain_lexicon(WORDS)
    found = lexicon.neighbours(lexicon.encode(["dogs", "zebra"]))
    assert found.own.tolist() == [ROOT, FIRST, UNKNOWN]
    assert found.word.tolist() == [[ROOT], [FIRST], [UNKNOWN]]
    assert found.similarity.tolist() == [[1.0]] * 3


def test_similar_words_of_the_treebank_stand_in():
    lexicon = plain_lexicon(WORDS)
    number = lexicon.numbers
    assert [n for n, _ in similar_numbers(lexicon, SIMILAR, "dogs", 5)] == [number["cats"]]
    found = with_similar_words(lexicon, SIMILAR, 2)
    assert found.others == ("wolves",)  # foxes are like no word of the treebank
    dogs, wolves, bark = (found.numbers[word] for word in ("dogs", "wolves", "bark"))
    assert found.near[dogs].tolist() == [dogs, number["cats"], NONE]
    np.testing.assert_allclose(found.similarity[dogs], [1.0, 0.8, 0.0], rtol=1e-6)
    assert found.near[wolves].tolist() == [NONE, dogs, NONE]
    assert found.near[bark].tolist() == [bark, UNKNOWN, NONE]
    assert found.similarity[bark, 1] == np.float32(UNKNOWN_SIMILARITY)
    asked = found.neighbours(found.encode(["wolves"]))
    assert asked.own.tolist() == [ROOT, NONE]  # nothing is known of the word itself


TRAIN, DEV = toy_treebank(150, 1), toy_treebank(30, 2)


def test_similarities_that_do_not_cover_the_treebank_are_said_so():
    other = made_similarity({"chien": {"chat": 0.5}})
    with pytest.raises(InputError, match="knows no word of the treebank"):
        LexicalParser().fit(TRAIN, similarity=other)
    some = made_similarity({"dogs": {"cats": 0.5}})
    with pytest.warns(HeadwiseWarning, match=r"covers 33 % of the treebank's tokens .*'bark'"):
        parser = LexicalParser().fit(TREEBANK, similarity=some)
    assert parser.report_["covered_tokens"] == pytest.approx(1 / 3)
    assert parser.predict([["cats", "bark"]])[0].heads == (2, 0)
