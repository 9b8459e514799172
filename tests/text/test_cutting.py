"""Sentences that are too long are cut, and the first place is told."""

import warnings

import pytest
from texttreebank import treebank

from headwise.errors import HeadwiseWarning
from headwise.text.cutting import LONGEST_SENTENCE, CutNotice
from headwise.text.tokeniser import Tokeniser, TokeniserTraining

LONG = "dog " * (2 * LONGEST_SENTENCE + 1)


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser.fit(treebank(100), TokeniserTraining(bits=14))


def test_cuts_are_known(tokeniser):
    found = tokeniser.tokenise(f"The dog.\n\n{LONG}")
    assert found.cuts == (3 + LONGEST_SENTENCE, 3 + 2 * LONGEST_SENTENCE)
    assert found.sentences.tolist() == [0, 3, *found.cuts, len(found.starts)]
    assert tokeniser.tokenise("The dog. The cat.").cuts == ()
    assert tokeniser.tokenise_sentence(LONG).cuts == ()


def test_the_first_cut_is_told_with_its_place(tokeniser):
    with pytest.warns(HeadwiseWarning) as caught:
        tokeniser.split(f"The dog.\n\n{LONG}")
    (message,) = [str(one.message) for one in caught]
    where = len("The dog.\n\n") + 4 * LONGEST_SENTENCE + 1
    assert f"line 3, character {where:,}: no sentence ends within 500 tokens" in message


def test_a_notice_is_given_once(tokeniser):
    notice, found = CutNotice("a.txt"), tokeniser.tokenise(LONG)
    with pytest.warns(HeadwiseWarning, match=r"a\.txt:5, character 2,008: "):
        notice.tell_of_tokens(found, offset=7, line=5)
    with warnings.catch_warnings(action="error"):
        notice.tell_of_tokens(found)
        notice.tell(1, 0, "it is late")
