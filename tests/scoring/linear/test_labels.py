"""The labels of a treebank."""

from dataclasses import replace

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.learners.labelling import heads_of
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labels import KNOWN, LabelInventory, has_labels, learn_inventory
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


def test_what_was_seen_often_has_the_labels_it_was_seen_with():
    assert INVENTORY.names[INVENTORY.root] == "root"
    seen = random_labeller(7).label_many(ENCODER.encode(TRAIN), heads_of(TRAIN))
    names = [INVENTORY.names[n] for n in seen]
    tags = [tag for one in TRAIN for tag in ("", *one.upos)]
    assert tags.count("DET") > KNOWN
    assert {name for name, tag in zip(names, tags, strict=True) if tag == "DET"} == {"det"}


def test_a_treebank_may_call_its_root_as_it_likes():
    other = [s.with_tree(s.heads, [r.upper() for r in s.relations]) for s in TRAIN]
    inventory = inventory_of(other)
    assert inventory.names[inventory.root] == "ROOT"
    assert not has_labels([Sentence.from_words(["a"], heads=[0])])


def test_numbers_of_labels_that_are_not_known():
    assert INVENTORY.numbers([["root", "nothing"]]).tolist() == [-1, INVENTORY.root, -1]
    assert replace(random_labeller(0), scale=2.0).weights.scale == 2.0
