"""What a pruner keeps: by share, by number, in training and where nothing would be left."""

from dataclasses import replace

import numpy as np
import pytest

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


def test_in_training_more_live_and_gold_arcs_always(parser):
    pruner = pruner_of(parser, share=0.5, training_share=0.2, max_heads=1)
    encoded = parser.search().encode(SENTENCES)
    golds = [np.array([-1, *one.heads], np.int64)[::1] for one in SENTENCES]
    wrong = [np.array([-1, *([2] + [1] * (len(gold) - 2))], np.int64) for gold in golds]
    kept, bare = pruner.unpruned_with(encoded, wrong), pruner.unpruned_each(encoded)
    for unpruned, own, gold in zip(kept, bare, wrong, strict=True):
        assert unpruned[gold[1:], np.arange(1, len(gold))].all()
        assert (unpruned >= own).all()
    softer = pruner_of(parser, share=0.2, max_heads=100).unpruned_each(encoded)
    same = pruner_of(parser, share=0.9, training_share=0.2, max_heads=100).unpruned_with(
        encoded, golds
    )
    for unpruned, own, gold in zip(same, softer, golds, strict=True):
        own[gold[1:], np.arange(1, len(gold))] = True
        assert (unpruned == own).all()


def test_heads_that_are_given_live_alone(parser):
    tokens = parser.search().encode(SENTENCES[:1]).sentence(0)
    head = next(h for h in (0, 2, 3) if h != SENTENCES[0].heads[0])
    unpruned = pruner_of(parser).unpruned(tokens, [head])
    assert np.flatnonzero(unpruned[:, 1]).tolist() == [head]
