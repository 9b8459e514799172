import math

import numpy as np
import pytest

from headwise.kernels.neural.lstm import lstm_step, sigmoid, tanh


def test_tanh_and_sigmoid_are_near_the_real_ones():
    for x in np.linspace(-12, 12, 2001, dtype=np.float32):
        assert tanh(x) == pytest.approx(math.tanh(x), abs=1e-4)
        assert sigmoid(x) == pytest.approx(1 / (1 + math.exp(-x)), abs=1e-4)
    assert -1 <= tanh(np.float32(-50)) < -0.9999


def slow_step(gates, cell):
    i, f, o, z = np.split(gates.astype(np.float64), 4)
    cell = cell / (1 + np.exp(-f)) + np.tanh(z) / (1 + np.exp(-i))
    return cell, np.tanh(cell) / (1 + np.exp(-o))


@pytest.mark.parametrize("levels", [0, 127])
def test_a_step_is_the_formula(levels):
    random = np.random.default_rng(0)
    units, sentences = 5, 4
    inputs = random.standard_normal((7, 4 * units)).astype(np.float32)
    products = random.standard_normal((sentences, 4 * units)).astype(np.float32)
    scale = random.uniform(0.5, 2, 4 * units).astype(np.float32)
    cells = random.standard_normal((sentences, units)).astype(np.float32)
    states = np.zeros((sentences, units), np.float32)
    outputs = np.full((9, 2 * units), 77, np.float32)
    index, tokens = np.array([6, 0, 0]), np.array([8, 1, 3])
    old = cells.copy()
    lstm_step(
        inputs, index, products, scale, np.float32(levels), cells, states, tokens, units, outputs
    )
    for sentence in range(3):
        gates = inputs[index[sentence]] + products[sentence] * scale
        cell, state = slow_step(gates, old[sentence])
        assert cells[sentence] == pytest.approx(cell, abs=1e-3)
        wanted = np.floor(state * levels + 0.5) if levels else state
        assert states[sentence] == pytest.approx(wanted, abs=1 if levels else 1e-3)
        assert (outputs[tokens[sentence], units:] == states[sentence]).all()
    assert (cells[3] == old[3]).all()  # a sentence that has ended stays as it was
    assert (outputs[:, :units] == 77).all()
    assert (outputs[0] == 77).all()
