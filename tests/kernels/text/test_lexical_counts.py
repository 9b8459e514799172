"""Counts of links against plain Python."""

from collections import Counter

import numpy as np
import pytest
from lexicaltoys import links_of

from headwise.learners.crossing import projective_heads
from headwise.parsers.lexical.counts import count_treebank
from headwise.parsers.lexical.lexicon import FIRST
from headwise.parsers.lexical.parser import LexicalParser
from toytreebank import toy_treebank


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
