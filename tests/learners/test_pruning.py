"""The pruner that higher orders stand on is trained from the same sentences, always alike."""

import numpy as np

from headwise.learners.data import training_data
from headwise.learners.pruning import pruned, pruning_report, train_pruner
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.pruner import PrunerSettings
from toytreebank import SMALL, toy_treebank

CHOSEN = TrainingSettings(order=2, tables=SMALL, pruner=PrunerSettings(epochs=2, tables=SMALL))


def data_of(count: int = 30):
    return training_data(toy_treebank(count, 1), CHOSEN, AtomEncoder())


def test_what_it_keeps_has_the_gold_trees_and_fewer_arcs():
    told = []
    data = data_of()
    pruner = train_pruner(CHOSEN, data, lambda *part: told.append(part))
    assert told == [("pruner", 1, 2), ("pruner", 2, 2)]
    report = pruning_report(pruner, data)
    assert 90 < report["oracle_uas"] <= 100
    assert 1 <= report["heads_a_word"] < 8
    kept = pruned(data, pruner)
    assert kept.unpruned is not None
    for number, gold in enumerate(data.golds):
        own = kept.unpruned[number]
        words = np.arange(1, len(gold))
        assert own[gold[1:], words].all()
        assert not own.all()


def test_it_is_always_the_same():
    one, other = (train_pruner(CHOSEN, data_of()) for _ in range(2))
    assert np.array_equal(one.scorer.tables.weights, other.scorer.tables.weights)
