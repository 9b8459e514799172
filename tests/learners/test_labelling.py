"""The second stage: it learns, stays itself in 8 bits, and knows how sure it is."""

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.features.atoms import AtomEncoder
from headwise.learners.labelling import (
    LabelledTrees,
    LabellerSettings,
    fitted_label_temperature,
    train_labeller,
)
from labelledtoys import labelled_treebank

TRAIN, DEV = labelled_treebank(60, 1), labelled_treebank(30, 2)
ENCODER = AtomEncoder()


def trained(sentences=TRAIN, **settings):
    chosen = LabellerSettings(**{"epochs": 3, **settings})
    return train_labeller(sentences, ENCODER, chosen, size=14, seed=0, bits=8)


def test_it_learns():
    labeller = trained()
    trees = LabelledTrees.of(DEV, ENCODER.encode(DEV), labeller.inventory)
    assert (labeller.label_many(trees.encoded, trees.heads) == trees.labels).mean() > 0.99
    assert labeller.table.dtype == np.int8
    assert "obl:arg" in labeller.inventory.names


def test_the_same_seed_gives_the_same_weights():
    assert (trained().table == trained().table).all()


def test_the_temperature_makes_gold_labels_likeliest():
    labeller = trained(TRAIN[:6], epochs=1, margin=0.0)
    noisy = [  # so that it cannot be too sure
        one.with_tree(
            one.heads, [r if n % 7 or h == 0 else "det" for n, (r, h) in enumerate(pairs)]
        )
        for one in DEV
        for pairs in [list(zip(one.relations, one.heads, strict=True))]
    ]
    trees = LabelledTrees.of(noisy, ENCODER.encode(noisy), labeller.inventory)
    best = fitted_label_temperature(labeller, trees)

    def likelihood(temperature):
        at = labeller.at(temperature)
        return at.chances(trees.encoded, trees.heads, trees.labels).log_trees.sum()

    assert likelihood(best) > likelihood(best * 1.2)
    assert likelihood(best) > likelihood(best / 1.2)


def test_what_cannot_be_learnt_is_left_out():
    bare = [Sentence.from_words(["a", "b"], heads=[0, 1])]
    assert trained(bare) is None
    rooted = Sentence.from_words(["a", "b"], heads=[0, 1], relations=["root", "root"])
    labeller = trained([*TRAIN, rooted])
    trees = LabelledTrees.of([rooted, *DEV], ENCODER.encode([rooted, *DEV]), labeller.inventory)
    assert trees.usable(labeller.inventory).tolist() == list(range(1, len(DEV) + 1))
    assert labeller.label_many(trees.encoded, trees.heads)[2] != labeller.inventory.root
    assert np.isfinite(fitted_label_temperature(labeller, trees))


@pytest.mark.parametrize("wrong", [{"epochs": 0}, {"margin": -1.0}])
def test_settings_are_checked(wrong):
    with pytest.raises(UsageError):
        LabellerSettings(**wrong).check()
