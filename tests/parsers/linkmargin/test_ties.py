"""Similar pairs of words, and what pairs weigh that were never seen, against plain loops."""

import math

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import SIMILAR, TRAIN

from headwise.parsers.linkmargin.data import margin_data
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.parsers.linkmargin.ties import similar_ties


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
