"""The perceptron against its definition over dictionaries of features."""

import numpy as np
import pytest
from examples import changed, difference, example_of, random_weights, some_data

from headwise.learners.perceptron import Perceptron
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
