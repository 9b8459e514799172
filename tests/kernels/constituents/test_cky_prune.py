"""What coarse grammars leave out."""

import pytest
from bracketbank import small_treebank

from headwise.constituency.annotation import Annotation, plain
from headwise.constituency.markov import Smoothing
from headwise.constituency.pcfg import TreebankGrammar

SENTENCES = [
    "she sees the man with a dog .",
    "dogs bark .",
    "cats and dogs and cats",
    "look .",
    "zebras see running",
    "the man of dogs helps",
]


@pytest.fixture(scope="module", params=[(1, 1, 1), (2, 2, 2), (3, 1, 0)], ids=str)
def grammar(request) -> TreebankGrammar:
    vertical, horizontal, reach = request.param
    trees = [plain(tree) for tree in small_treebank()]
    annotation = Annotation(vertical=vertical, tag_vertical=min(vertical, 2))
    return TreebankGrammar.learn(trees, annotation, horizontal, Smoothing(1.0, reach, 1e-9))


@pytest.mark.parametrize("margin", [0.5, 3.0])
def test_a_licence_keeps_every_tree_within_its_margin(grammar, margin):
    forms = SENTENCES[0].split()
    chart = grammar.chart(forms, None)
    goal = grammar.goal(chart)
    everything = grammar.derivations(chart, goal, 200)
    near = [one.score for one in everything if one.score >= everything[0].score - margin + 1e-9]
    licence = grammar.near_best(chart, goal, margin, grammar.grammar.parents)
    pruned = grammar.chart(forms, None, licence)
    found = grammar.derivations(pruned, grammar.goal(pruned), 200)
    assert [one.score for one in found[: len(near)]] == pytest.approx(near)
    assert len(pruned.values) < len(chart.values)
