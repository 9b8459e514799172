"""The second stage: it learns, stays itself in 8 bits, and knows how sure it is."""

import signal

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.learners import labelling
from headwise.learners.labelling import (
    LabelledTrees,
    train_labeller,
)
from headwise.learners.labelsettings import LabellerSettings
from headwise.progress import silent
from headwise.scoring.linear.atoms import AtomEncoder
from labelledtoys import labelled_treebank, noisy

TRAIN, DEV = labelled_treebank(60, 1), labelled_treebank(30, 2)
ENCODER = AtomEncoder()


def trained(sentences=TRAIN, *, progress=silent, checkpoint=None, **settings):
    chosen = LabellerSettings(**{"epochs": 3, "members": 2, **settings})
    rest = {"progress": progress, "checkpoint": checkpoint}
    return train_labeller(sentences, ENCODER, chosen, size=14, seed=0, bits=8, **rest)


def test_it_learns():
    labeller = trained()
    trees = LabelledTrees.of(DEV, ENCODER.encode(DEV), labeller.inventory)
    assert (labeller.label_many(trees.encoded, trees.heads) == trees.labels).mean() > 0.99
    assert labeller.table.dtype == np.int8
    assert "obl:arg" in labeller.inventory.names


def test_the_same_seed_gives_the_same_weights():
    assert (trained().table == trained().table).all()


def test_small_weights_are_left_out():
    table = trained(noisy(TRAIN), drop_up_to=2).table
    assert np.abs(table[table != 0]).min() == 3


def test_what_cannot_be_learnt_is_left_out():
    bare = [Sentence.from_words(["a", "b"], heads=[0, 1])]
    assert trained(bare) is None
    rooted = Sentence.from_words(["a", "b"], heads=[0, 1], relations=["root", "root"])
    labeller = trained([*TRAIN, rooted])
    trees = LabelledTrees.of([rooted, *DEV], ENCODER.encode([rooted, *DEV]), labeller.inventory)
    assert trees.usable(labeller.inventory).tolist() == list(range(1, len(DEV) + 1))
    assert labeller.label_many(trees.encoded, trees.heads)[2] != labeller.inventory.root


def test_a_missing_relation_is_not_learnt():
    gaps = [one.with_tree(one.heads, ["_"] * len(one)) for one in TRAIN[:5]]
    some = [
        one.with_tree(one.heads, ["_" if r == "det" else r for r in one.relations])
        for one in TRAIN[5:20]
    ]
    labeller = trained([*gaps, *some, *TRAIN[20:]])
    assert "_" not in labeller.inventory.names
    trees = LabelledTrees.of(DEV, ENCODER.encode(DEV), labeller.inventory)
    assert (labeller.label_many(trees.encoded, trees.heads) == trees.labels).mean() > 0.95
    trees = LabelledTrees.of(gaps, ENCODER.encode(gaps), labeller.inventory)
    assert not len(trees.usable(labeller.inventory))


def test_while_its_kernel_is_compiled_an_interrupt_does_not_wait(tmp_path, monkeypatch):
    seen = []

    def interrupted(*arguments):
        seen.append(arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(labelling, "learn_labels", interrupted)
    with pytest.raises(KeyboardInterrupt):
        trained(checkpoint=tmp_path / "checkpoint")
    assert len(seen) == 1
    assert list(tmp_path.iterdir()) == []
