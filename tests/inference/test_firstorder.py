"""Models of projective trees as models of all trees."""

import pytest

from headwise.inference.firstorder import first_order
from headwise.parsers.graph.parser import DependencyParser
from toytreebank import SMALL, toy_treebank


@pytest.mark.parametrize("order", [1, 2])
def test_crossing_arcs_have_a_probability(order):
    parser = DependencyParser(order=order, epochs=1, tables=SMALL).fit(toy_treebank(20))
    search = parser.search()
    (sentence,) = toy_treebank(1, seed=3)
    tokens = search.encode([sentence]).sentence(0)
    over_all = first_order(search)
    assert not over_all.projective
    arc = over_all.marginals(over_all.scores_of(tokens)).arc
    assert (arc[1:, 1:] > 0).sum() == len(sentence) * (len(sentence) - 1)
    assert arc[:, 1:].sum(axis=0) == pytest.approx(1)
    assert first_order(over_all) is None
