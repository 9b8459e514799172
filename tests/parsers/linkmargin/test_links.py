"""Treebanks as links, against loops over words."""

import numpy as np

from headwise.parsers.linkmargin.association import Association
from headwise.parsers.linkmargin.links import PairTable, linked, pair_keys, triangle

SENTENCES = [np.array([0, 3, 2, 3], np.int32), np.array([0, 2], np.int32)]
HEADS = [np.array([-1, 2, 0, 2]), np.array([-1, 0])]
FORMS = [["b", "a", "b"], ["a"]]


def test_links_are_sorted_by_their_right_end():
    matrix = np.array([[f"{i}{j}" for j in range(4)] for i in range(4)])
    assert triangle(matrix).tolist() == ["01", "02", "12", "03", "13", "23"]


def test_keys_do_not_know_which_word_comes_first():
    assert pair_keys(np.array([0, 3, 2], np.int32), 10).tolist() == [3, 2, 23]
    assert pair_keys(np.array([0, 2, 3], np.int32), 10).tolist() == [2, 3, 23]


def test_every_link_has_its_pair():
    links, table = linked(SENTENCES, HEADS, 10, FORMS, None)
    assert links.token.tolist() == [0, 4, 6]
    assert links.start.tolist() == [0, 6, 7]
    assert links.gold.tolist() == [-1, 2, 0, 2, -1, 0]
    assert len(links.pmi) == 0
    expected = [
        tuple(sorted((int(one[i]), int(one[j]))))
        for one in SENTENCES
        for j in range(len(one))
        for i in range(j)
    ]
    found = [(int(table.low[p]), int(table.high[p])) for p in links.pair]
    assert found == expected
    assert table.keys.tolist() == sorted(set(table.keys.tolist()))


def test_numbers_are_those_of_the_association():
    together = Association(("a", "b"), np.array([1]), np.array([2.5], np.float32))
    links, _ = linked(SENTENCES, HEADS, 10, FORMS, together)
    assert links.pmi.tolist() == [0, 0, 2.5, 0, 0, 2.5, 0]


def test_pairs_are_told_by_their_two_words():
    table = PairTable(10, np.array([3, 22, 29]))
    assert table.low.tolist() == [0, 2, 2]
    assert table.high.tolist() == [3, 2, 9]
