"""The perceptron against its definition over dictionaries of features."""

import numpy as np
import pytest
from examples import changed, difference, example_of, random_weights, some_data

from headwise.errors import UsageError
from headwise.learners.perceptron import BayesPoint, Perceptron
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(True), NonProjectiveDecoder(True)])
def test_the_update_is_that_of_the_definition(decoder):
    data = some_data(8)
    for number in range(len(data)):
        weights = random_weights(number)
        example = example_of(data, number, weights, decoder)
        best = decoder.best(example.scores).heads
        wanted = changed(weights.tables.weights, difference(example, best))
        loss = Perceptron().learn(example, weights)
        np.testing.assert_allclose(weights.tables.weights, wanted, atol=1e-5)
        assert loss == (best != example.gold).sum() > 0


def test_a_right_tree_changes_nothing():
    data = some_data(1)
    weights = random_weights(0, 0.0)
    learner = Perceptron()
    for _ in range(20):
        loss = learner.learn(example_of(data, 0, weights), weights)
        before = weights.tables.weights.copy()
    assert loss == 0
    assert np.array_equal(before, weights.tables.weights)


def test_each_of_the_k_best_trees_counts_for_its_share():
    decoder = ProjectiveDecoder(True)
    data = some_data(6)
    for number in range(len(data)):
        weights = random_weights(number)
        example = example_of(data, number, weights, decoder)
        trees = [tree.heads for tree in decoder.kbest(example.scores, 4)]
        wanted = weights.tables.weights
        for tree in trees:
            step = {slot: v / len(trees) for slot, v in difference(example, tree).items()}
            wanted = changed(wanted, step)
        loss = Perceptron(k=4).learn(example, weights)
        np.testing.assert_allclose(weights.tables.weights, wanted, atol=1e-5)
        assert loss == (trees[0] != example.gold).sum()


def test_k_is_a_number_of_trees():
    assert Perceptron(k=5).needs_several_trees
    assert BayesPoint(k=5, members=3).needs_several_trees
    for learner in (Perceptron(k=0), BayesPoint(k=0)):
        with pytest.raises(UsageError, match="k must be 1 or more"):
            learner.check()
    assert Perceptron(k=2).joint() is None
