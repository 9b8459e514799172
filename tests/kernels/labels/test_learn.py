"""Weights of labels stay within their bounds."""

import numpy as np
import pytest

from headwise.learners.labelcheckpoint import LabelRun
from headwise.learners.labelling import (
    LabelledTrees,
    inventory_of,
    learn_epoch,
)
from headwise.learners.labelsettings import LabellerSettings
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labeltemplates import TREE_TEMPLATES
from labelledtoys import labelled_treebank, noisy

TRAIN, DEV = labelled_treebank(60, 1), labelled_treebank(30, 2)
ENCODER = AtomEncoder()


@pytest.mark.parametrize("end", [32767, -32767])
def test_weights_stay_within_two_bytes(end):
    inventory = inventory_of(noisy(TRAIN), ENCODER)
    trees = LabelledTrees.of(noisy(TRAIN), ENCODER.encode(TRAIN), inventory)
    run = LabelRun.at(None, {}, 14, LabellerSettings())
    run.table[:] = end
    labeller = Labeller(inventory, TREE_TEMPLATES, run.table)
    learn_epoch(trees, labeller, LabellerSettings(), run, trees.usable(inventory))
    assert (run.table != end).any()
    assert (np.sign(run.table) == np.sign(end)).all()
