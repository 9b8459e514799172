"""Labels of given trees: all ways to label a small tree are enumerated."""

import numpy as np

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


INVENTORY = inventory_of(TRAIN)


def random_labeller(seed: int, paired: bool = True) -> Labeller:
    table = np.random.default_rng(seed).integers(-60, 60, 1 << 12).astype(np.int8)
    return Labeller(INVENTORY, TREE_TEMPLATES, table, 0.005, paired)


def test_no_sentence_sees_another():
    labeller, heads = random_labeller(3), heads_of(TRAIN)
    together = labeller.label_many(ENCODER.encode(TRAIN), heads).tolist()
    alone = [labeller.label_many(ENCODER.encode([s]), heads_of([s])).tolist() for s in TRAIN]
    assert together == [label for one in alone for label in one]


def test_the_root_s_label_is_on_its_arcs_and_no_others():
    heads = heads_of(TRAIN)
    labels = random_labeller(5).label_many(ENCODER.encode(TRAIN), heads)
    assert (labels[heads == 0] == INVENTORY.root).all()
    assert (labels[heads > 0] != INVENTORY.root).all()
    assert (labels[heads < 0] == -1).all()
