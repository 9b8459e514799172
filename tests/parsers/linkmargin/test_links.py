"""Treebanks as links, associations and ties of pairs, against loops over words."""

import math

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import SIMILAR, TRAIN

from headwise.parsers.linkmargin.data import margin_data
from headwise.parsers.linkmargin.links import (
    Association,
    PairTable,
    count_association,
    linked,
    pair_keys,
    similar_ties,
    triangle,
)
from headwise.parsers.linkmargin.settings import LinkMarginSettings

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


def test_association_is_pmi_of_windows():
    text = [["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"]]
    found = count_association([*text, [], ["a"]]).matrix(["a", "b", "c", "e"])
    assert np.isclose(found[1, 2], math.log(4))  # P(a, b) = 1/4, P(a) = P(b) = 1/4
    assert found[1, 2] == found[2, 1]
    assert found[0].any() == found[1, 3] == found[1, 4] == 0
    nothing = Association((), np.empty(0, np.int64), np.empty(0, np.float32))
    assert not nothing.matrix(["a"]).any()


@pytest.fixture(scope="module")
def data():
    return margin_data(TRAIN, LinkMarginSettings(), made_similarity(SIMILAR), None)


def similar(lexicon, a: int, b: int) -> float:
    """How similar two words are, 0 if neither names the other."""
    row = dict(zip(lexicon.near[a].tolist(), lexicon.similarity[a].tolist(), strict=True))
    return row.get(b, 0.0)


def test_ties_are_of_the_most_similar_pairs(data):
    table, lexicon = data.table, data.lexicon
    ties = similar_ties(table, lexicon, 3)
    pairs = list(zip(table.low.tolist(), table.high.tolist(), strict=True))
    expected: dict[tuple[int, int], float] = {}
    for p, (a, b) in enumerate(pairs):
        found = []
        for q, (c, d) in enumerate(pairs):
            ways = ((c, d), (d, c))
            products = [similar(lexicon, a, x) * similar(lexicon, b, y) for x, y in ways]
            if q != p and max(products) > 0:
                found.append((math.sqrt(max(products)), q))
        best = sorted(found, reverse=True)[:3]
        assert len(best) == min(3, len(found))
        for how, q in best:
            expected.setdefault((min(p, q), max(p, q)), how)
    for p, q, how in zip(ties.first, ties.second, ties.similarity, strict=True):
        (a, b), (c, d) = pairs[p], pairs[q]
        ways = [
            math.sqrt(similar(lexicon, u, x) * similar(lexicon, v, y))
            for (u, v), (s, t) in (((a, b), (c, d)), ((c, d), (a, b)))
            for x, y in ((s, t), (t, s))
        ]
        assert any(np.isclose(how, one) for one in ways)
    assert len(ties) >= 0.9 * len(expected)  # among equals, others may be taken
