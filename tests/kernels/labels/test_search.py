"""Labels of trees against enumeration."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.corpus.sentence import Sentence
from headwise.learners.labelling import heads_of
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labels import LabelInventory, learn_inventory
from headwise.scoring.linear.labeltemplates import (
    TREE_TEMPLATES,
)
from labelledtoys import labelled_treebank

TRAIN = labelled_treebank(40, 1)
ENCODER = AtomEncoder()


def inventory_of(sentences) -> LabelInventory:
    return learn_inventory(sentences, ENCODER.encode(sentences), heads_of(sentences))


@cache
def inventory() -> LabelInventory:
    return inventory_of(TRAIN)


def random_labeller(seed: int, paired: bool = True) -> Labeller:
    table = np.random.default_rng(seed).integers(-60, 60, 1 << 12).astype(np.int8)
    return Labeller(inventory(), TREE_TEMPLATES, table, 0.005, paired)


def strange(heads) -> Sentence:
    """A sentence whose arcs were never seen, so that every label may be."""
    count = len(heads)
    tags = [f"X{n % 2}" for n in range(count)]
    return Sentence.from_words(tags, upos=tags, xpos=tags, heads=heads)


@pytest.mark.parametrize("paired", [True, False])
@given(
    st.integers(0, 10**6), st.sampled_from([[0, 1, 1], [2, 0, 2], [2, 3, 0], [0, 0, 2], [3, 3, 0]])
)
@settings(max_examples=10, deadline=None)
def test_labels_and_probabilities_are_those_of_enumeration(paired, seed, heads):
    labeller, sentence = random_labeller(seed, paired), strange(heads)
    encoded, tree = ENCODER.encode([sentence]), np.array([-1, *heads])
    others = [n for n in range(len(inventory().names)) if n != inventory().root]
    ways = [
        np.array([-1, *way], np.int32)
        for way in product(*([inventory().root] if h == 0 else others for h in heads))
    ]
    found = [labeller.chances(encoded, tree, way) for way in ways]
    likely = np.exp([float(one.log_trees[0]) for one in found])
    assert likely.sum() == pytest.approx(1)
    best = labeller.label_many(encoded, tree)
    chosen = next(n for n, way in enumerate(ways) if (way == best).all())
    assert likely[chosen] == pytest.approx(likely.max())
    for word in range(1, len(tree)):
        agreeing = [p for way, p in zip(ways, likely, strict=True) if way[word] == best[word]]
        assert found[chosen].words[word] == pytest.approx(sum(agreeing))


def test_tables_smaller_than_the_number_of_labels_are_no_danger():
    table = np.arange(2, dtype=np.int8)
    labeller = Labeller(inventory(), TREE_TEMPLATES, table)
    assert labeller.weights.numbers.max() < len(table)
    assert len(labeller.label_many(ENCODER.encode(TRAIN), heads_of(TRAIN)))
