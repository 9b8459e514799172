"""Probabilities of labels."""

from functools import cache

import numpy as np
import pytest

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


def test_a_high_temperature_makes_labels_equally_likely():
    encoded, tree = ENCODER.encode([strange([0, 1])]), np.array([-1, 0, 1])
    labels = np.array([-1, inventory().root, inventory().names.index("det")], np.int32)
    even = random_labeller(0).at(1e9).chances(encoded, tree, labels)
    assert even.words.tolist() == pytest.approx([1, 1, 1 / (len(inventory().names) - 1)])


@pytest.mark.parametrize("paired", [True, False])
def test_distributions_are_the_probabilities_of_each_label(paired):
    labeller = random_labeller(3, paired)
    encoded, heads = ENCODER.encode([strange([2, 0, 2, 3])]), np.array([-1, 2, 0, 2, 3])
    table = labeller.distributions(encoded, heads).chances
    assert table[1:].sum(axis=1).tolist() == pytest.approx([1.0] * 4)
    assert table[0].sum() == 0
    assert table[2, inventory().root] == 1.0
    best = labeller.label_many(encoded, heads)
    for label in range(len(inventory().names)):
        if label != inventory().root:
            asked = best.copy()
            asked[4] = label
            assert labeller.chances(encoded, heads, asked).words[4] == pytest.approx(
                table[4, label]
            )


def test_distributions_are_the_chances_of_every_label_and_sum_to_one():
    labeller = random_labeller(1)
    encoded, tree = ENCODER.encode([strange([0, 1, 1])]), np.array([-1, 0, 1, 1])
    names, found = labeller.distributions(encoded, tree)
    assert names == inventory().names
    assert found[1:].sum(axis=1).tolist() == pytest.approx([1, 1, 1])
    assert found[1, inventory().root] == 1
    best = labeller.label_many(encoded, tree)
    for word in (2, 3):
        own = labeller.chances(encoded, tree, best).words[word]
        assert found[word, best[word]] == pytest.approx(own)
