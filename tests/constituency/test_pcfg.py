"""Search against enumeration of all derivations."""

from functools import cache

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


def all_scores(grammar: TreebankGrammar, forms: list[str]) -> list[float]:
    """The scores of all derivations, best first, straight from the rules."""
    rules, words = grammar.grammar.rules, grammar.lexicon.look_up(forms)
    binary = list(zip(rules.left, rules.right, rules.whole, rules.weight, strict=True))
    chains = list(zip(rules.top, rules.bottom, rules.chain_weight, strict=True))

    @cache
    def lower(i: int, j: int) -> dict[int, list[float]]:
        found: dict[int, list[float]] = {}
        if j - i == 1:
            for x in range(words.starts[i], words.starts[j]):
                found.setdefault(int(words.symbol[x]), []).append(float(words.weight[x]))
        for k in range(i + 1, j):
            lefts, rights = upper(i, k), upper(k, j)
            for left, right, whole, weight in binary:
                if left in lefts and right in rights:
                    made = found.setdefault(int(whole), [])
                    made += [weight + a + b for a in lefts[left] for b in rights[right]]
        return found

    @cache
    def upper(i: int, j: int) -> dict[int, list[float]]:
        found = {symbol: list(scores) for symbol, scores in lower(i, j).items()}
        for top, bottom, weight in chains:
            if bottom in lower(i, j):
                found.setdefault(int(top), []).extend(weight + s for s in lower(i, j)[bottom])
        return found

    return sorted(upper(0, len(forms)).get(grammar.grammar.start, []), reverse=True)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_k_best_are_those_of_all(grammar, sentence):
    forms = sentence.split()
    wanted = all_scores(grammar, forms)
    chart = grammar.chart(forms, None)
    goal = grammar.goal(chart)
    if not wanted:
        assert goal is None
        return
    assert chart.values[goal] == pytest.approx(wanted[0])
    for k in (1, 7, len(wanted) + 5):
        found = grammar.derivations(chart, goal, min(k, 3000))
        assert [one.score for one in found] == pytest.approx(wanted[: min(k, 3000)])


def test_words_that_no_tree_covers_give_pieces(parser):
    forms = [".", "the", ".", "of", "of", "dogs", "the"]
    found = parser.kbest(forms, 3)
    assert found.forms == forms
    assert len(found) == 1
    assert found.best.root.label == "ROOT"
