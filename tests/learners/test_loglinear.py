"""Log-linear learning: its gradient against differences of the likelihood itself."""

import numpy as np
import pytest
from examples import changed, example_of, random_weights, some_data

from headwise.learners.loglinear import LogLinear
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder


def log_likelihood(decoder, data, number, weights):
    example = example_of(data, number, weights)
    found = decoder.marginals(example.scores)
    return example.scores.of_tree(example.gold) - found.log_partition


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(True), NonProjectiveDecoder(True)])
def test_the_gradient_is_that_of_the_likelihood(decoder):
    data, rng = some_data(3), np.random.default_rng(0)
    for number in range(len(data)):
        weights = random_weights(number)
        example = example_of(data, number, weights)
        found = decoder.marginals(example.scores)
        rows = example.gradient(found)
        gradient = dict(zip(rows.slots.tolist(), rows.value.tolist(), strict=True))
        table = weights.tables.weights.copy()
        for place in rng.choice(rows.slots, 12, replace=False).tolist():
            ends = []
            for step in (0.02, -0.02):
                weights.tables.weights[:] = changed(table, {place: step})
                ends.append(log_likelihood(decoder, data, number, weights))
            weights.tables.weights[:] = table
            assert (ends[0] - ends[1]) / 0.04 == pytest.approx(gradient[place], abs=3e-3)


@pytest.mark.parametrize("decay", [0.0, 0.5])
def test_steps_are_those_of_adagrad(decay):
    decoder = ProjectiveDecoder(True)
    data, weights = some_data(2), random_weights(1)
    learner = LogLinear(rate=0.3, decay=decay)
    squares: dict[int, float] = {}
    for number in (0, 1, 0):
        example = example_of(data, number, weights)
        found = decoder.marginals(example.scores)
        rows = example.gradient(found)
        before, change = weights.tables.weights.copy(), {}
        for place, value in zip(rows.slots.tolist(), rows.value.tolist(), strict=True):
            at = place & ~(1 << 62)
            g = value - decay * float(before[at])
            squares[at] = squares.get(at, 0.0) + g * g
            change[place] = 0.3 * g / np.sqrt(squares[at]) if squares[at] else 0.0
        loss = learner.learn(example, weights)
        np.testing.assert_allclose(
            weights.tables.weights, changed(before, change), atol=1e-4, rtol=1e-4
        )
        assert loss == pytest.approx(found.log_partition - example.scores.of_tree(example.gold))


def test_its_memory_is_part_of_its_state():
    data, weights = some_data(1), random_weights(1)
    learner = LogLinear()
    assert learner.state() == {}
    learner.learn(example_of(data, 0, weights), weights)
    other = LogLinear()
    other.restore(learner.state())
    assert other.squares is not None
    assert (other.squares == learner.squares).all()
    assert (other.squares > 0).any()
