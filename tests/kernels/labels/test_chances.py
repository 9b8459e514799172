"""Probabilities of labels."""

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.learners.labelling import heads_of
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labels import LabelInventory, learn_inventory
from headwise.scoring.linear.labeltemplates import (
    TREE_TEMPLATES,
    template_rows,
)
from labelledtoys import labelled_treebank

TRAIN = labelled_treebank(40, 1)
ENCODER = AtomEncoder()


def inventory_of(sentences) -> LabelInventory:
    return learn_inventory(sentences, ENCODER.encode(sentences), heads_of(sentences))


INVENTORY = inventory_of(TRAIN)


def random_labeller(seed: int, paired: bool = True) -> Labeller:
    table = np.random.default_rng(seed).integers(-60, 60, 1 << 12).astype(np.int8)
    return Labeller(INVENTORY, template_rows(TREE_TEMPLATES), table, 0.005, paired)


def strange(heads) -> Sentence:
    """A sentence whose arcs were never seen, so that every label may be."""
    count = len(heads)
    tags = [f"X{n % 2}" for n in range(count)]
    return Sentence.from_words(tags, upos=tags, xpos=tags, heads=heads)


def test_a_high_temperature_makes_labels_equally_likely():
    encoded, tree = ENCODER.encode([strange([0, 1])]), np.array([-1, 0, 1])
    labels = np.array([-1, INVENTORY.root, INVENTORY.names.index("det")], np.int32)
    even = random_labeller(0).at(1e9).chances(encoded, tree, labels)
    assert even.words.tolist() == pytest.approx([1, 1, 1 / (len(INVENTORY.names) - 1)])
