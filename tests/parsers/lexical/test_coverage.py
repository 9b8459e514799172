"""Similar words that do not cover the treebank are said so."""

import pytest
from lexicaltoys import TREEBANK, made_similarity

from headwise.errors import HeadwiseWarning, InputError
from headwise.parsers.lexical.parser import LexicalParser
from toytreebank import toy_treebank

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
