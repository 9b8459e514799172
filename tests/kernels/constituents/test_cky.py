"""Charts grow with their sentences."""

import numpy as np
import pytest
from bracketbank import small_treebank

from headwise.constituency.annotation import Annotation, plain
from headwise.constituency.markov import Smoothing
from headwise.constituency.pcfg import TreebankGrammar


@pytest.fixture(scope="module", params=[(1, 1, 1), (2, 2, 2), (3, 1, 0)], ids=str)
def grammar(request) -> TreebankGrammar:
    vertical, horizontal, reach = request.param
    trees = [plain(tree) for tree in small_treebank()]
    annotation = Annotation(vertical=vertical, tag_vertical=min(vertical, 2))
    return TreebankGrammar.learn(trees, annotation, horizontal, Smoothing(1.0, reach, 1e-9))


def test_long_sentences_grow_the_chart(grammar):
    forms = ("she sees the man with " + "a dog of " * 40 + "cats .").split()
    chart = grammar.chart(forms, None)
    goal = grammar.goal(chart)
    if goal is not None:
        (best,) = grammar.derivations(chart, goal, 1)
        assert len(best.tags) == len(forms)
        assert best.score == pytest.approx(chart.values[goal])
    assert np.isfinite(chart.values[chart.values > -np.inf]).all()
