"""Counts of links and ends: the hand-worked example of docs/lexical.md, and a slow twin."""

from collections import Counter

import numpy as np
import pytest
from lexicaltoys import TREEBANK

from headwise.learners.crossing import projective_heads
from headwise.parsers.lexical.counts import Counts, count_treebank
from headwise.parsers.lexical.lexicon import FIRST, UNKNOWN
from headwise.parsers.lexical.parser import LexicalParser
from toytreebank import toy_treebank

LEFT, RIGHT = 0, 1


def links_of(counts: Counts, names) -> dict[tuple[str, str, int, int], tuple[int, int]]:
    """The table of links as a dictionary: (head, modifier, c, side) to (C, K)."""
    table = counts.links
    rows = np.repeat(np.arange(len(table.start) - 1), np.diff(table.start))
    columns = (rows, table.modifier, table.before, table.seen, table.linked)
    return {
        (names[row // 2], names[modifier], before, row % 2): (seen, linked)
        for row, modifier, before, seen, linked in zip(
            *(column.tolist() for column in columns), strict=True
        )
    }


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


@pytest.mark.parametrize("counts", [1, 2, 5])
def test_counts_are_those_of_the_slow_twin(counts):
    sentences = toy_treebank(30, 3)
    parser = LexicalParser(neighbours=0, counts=counts, lowercase=False).fit(sentences)
    names = ["<root>", "<unknown>", *parser.lexicon_.known]
    seen, linked = Counter(), Counter()
    for sentence in sentences:
        words, heads = ["<root>", *sentence.forms], projective_heads(sentence)
        for h in range(len(words)):
            for m in range(1, len(words)):
                if m == h:
                    continue
                inner = range(m + 1, h) if m < h else range(h + 1, m)
                c = min(sum(heads[x] == h for x in inner), counts - 1)
                key = words[h], words[m], c, int(m > h)
                seen[key] += 1
                linked[key] += heads[m] == h
    found = links_of(parser.counts_, names)
    real = {key: own for key, own in found.items() if "<unknown>" not in key[:2]}
    assert real == {key: (times, linked[key]) for key, times in seen.items()}


def test_blocks_change_nothing(monkeypatch):
    parser = LexicalParser(neighbours=0).fit(toy_treebank(20, 5))
    monkeypatch.setattr("headwise.parsers.lexical.counts.SENTENCES_AT_A_TIME", 3)
    again = LexicalParser(neighbours=0).fit(toy_treebank(20, 5))
    for one, other in zip(parser.counts_.links, again.counts_.links, strict=True):
        assert one.tolist() == other.tolist()
    assert again.counts_.asked.tolist() == parser.counts_.asked.tolist()


def test_a_treebank_of_one_word_can_be_counted():
    counts = count_treebank([np.array([0, FIRST], np.int32)], [np.array([-1, 0])], FIRST + 1, 2)
    assert counts.links.linked.sum() == 2  # the word, and once more as an unknown one
