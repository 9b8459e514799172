"""Arcs that a pruner keeps, by definition."""

from dataclasses import replace

import numpy as np
import pytest

from headwise.corpus.tree import is_tree
from headwise.kernels.charts import order1
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.pruner import Pruner, PrunerSettings
from toytreebank import SMALL, toy_treebank

SENTENCES = toy_treebank(40, 3)
SETTINGS = PrunerSettings(tables=SMALL, share=0.05, training_share=0.01, max_heads=3)


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    chosen = {"order": 2, "tables": SMALL, "pruner": SETTINGS, "epochs": 1, "labels": "none"}
    return DependencyParser(**chosen).fit(SENTENCES)


def pruner_of(parser: DependencyParser, **changes) -> Pruner:
    assert parser.pruner_ is not None
    return replace(parser.pruner_, settings=replace(SETTINGS, **changes))


def probabilities(pruner: Pruner, tokens) -> np.ndarray:
    arc = pruner.scorer.scores(tokens)
    return order1.marginals(arc, np.zeros_like(arc), pruner.single_root)[1]


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("most", [1, 3, 100])
def test_an_arc_lives_if_it_is_likely_enough_and_among_the_likeliest(parser, share, most):
    pruner = pruner_of(parser, share=share, max_heads=most)
    encoded = parser.search().encode(SENTENCES[:10])
    for number, unpruned in enumerate(pruner.unpruned_each(encoded)):
        chances = probabilities(pruner, encoded.sentence(number))
        for word in range(1, len(unpruned)):
            own = np.sort(chances[:, word])[::-1]
            least = max(share * own[0], own[most - 1] if most < len(own) else 0.0)
            far = np.abs(chances[:, word] - least) > 1e-6 * least + 1e-12
            expected = (chances[:, word] >= least) & (chances[:, word] > 0)
            assert (unpruned[:, word] == expected)[far].all()
            assert unpruned[:, word].sum() <= most


def test_there_is_a_tree_over_what_lives(parser):
    pruner = pruner_of(parser, share=0.99, max_heads=1)
    for number in range(10):
        tokens = parser.search().encode(SENTENCES[number : number + 1]).sentence(0)
        unpruned = pruner.unpruned(tokens)
        arc = np.where(unpruned, 0.0, -np.inf)
        tree, total = order1.best_trees(arc.ravel(), np.array([len(arc)]), pruner.single_root)
        assert total[0] > -np.inf
        assert is_tree(tree.tolist())
