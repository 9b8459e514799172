"""Counts of links and ends: the hand-worked example of docs/lexical.md, and a slow twin."""

import pytest
from lexicaltoys import TREEBANK, links_of

from headwise.parsers.lexical.lexicon import UNKNOWN
from headwise.parsers.lexical.parser import LexicalParser

LEFT, RIGHT = 0, 1


@pytest.fixture(scope="module")
def example() -> LexicalParser:
    return LexicalParser(neighbours=0).fit(TREEBANK)


def test_links_are_counted_as_by_hand(example):
    names = ["<root>", "<unknown>", *example.lexicon_.known]
    found = links_of(example.counts_, names)
    assert found["bark", "dogs", 0, LEFT] == (2, 2)
    assert found["bark", "big", 1, LEFT] == (1, 0)  # "dogs" is in between
    assert found["bark", "loudly", 0, RIGHT] == (1, 1)
    assert found["dogs", "bark", 0, RIGHT] == (2, 0)
    assert found["dogs", "big", 0, LEFT] == (1, 1)
    assert found["<root>", "bark", 0, RIGHT] == (2, 2)
    assert found["<root>", "dogs", 0, RIGHT] == (2, 0)
    assert found["<root>", "loudly", 1, RIGHT] == (1, 0)
    assert ("bark", "big", 0, LEFT) not in found


def test_ends_are_counted_as_by_hand(example):
    number = example.lexicon_.numbers
    asked, ended = example.counts_.asked, example.counts_.ended
    assert asked[number["bark"], RIGHT].tolist() == [2, 1, 0, 0]
    assert ended[number["bark"], RIGHT].tolist() == [1, 1, 0, 0]
    assert asked[number["bark"], LEFT].tolist() == [2, 2, 0, 0]
    assert ended[number["bark"], LEFT].tolist() == [0, 2, 0, 0]
    assert ended[number["dogs"], LEFT].tolist() == [1, 1, 0, 0]


def test_words_that_occur_once_are_counted_as_unknown_too(example):
    names = ["<root>", "<unknown>", *example.lexicon_.known]
    found = links_of(example.counts_, names)
    assert found["dogs", "<unknown>", 0, LEFT] == (1, 1)  # big
    assert found["<unknown>", "dogs", 0, RIGHT] == (1, 0)
    assert found["<unknown>", "<unknown>", 0, RIGHT] == (1, 0)  # big, loudly
    assert example.counts_.asked[UNKNOWN, LEFT, 0] == 2
    assert example.counts_.links.rate[RIGHT, 0] == pytest.approx(3 / 12)
