"""Layers compute with whole numbers."""

import numpy as np

from headwise.scoring.neural.layers import LEVELS, HiddenLayer, Layer, whole

WEIGHTS = np.array([[3, -100], [127, 5]], np.int8)
SCALE, BIAS = np.array([0.5, 2.0], np.float32), np.array([1.0, -3.0], np.float32)
INPUTS = np.array([[2, 1], [127, -127], [0, 127]], np.float32)


def test_a_layer_is_a_product_a_scale_and_a_bias():
    found = Layer(WEIGHTS, SCALE, BIAS)(INPUTS)
    assert (found == INPUTS @ WEIGHTS.astype(np.float32) * SCALE + BIAS).all()


def test_hidden_layers_are_cut_at_0_and_in_whole_steps():
    layer = Layer(WEIGHTS, SCALE, BIAS)
    found = HiddenLayer(layer, 70.0)(INPUTS)
    assert (found == np.clip(np.rint(np.maximum(layer(INPUTS), 0) / 70), 0, LEVELS)).all()
    assert found.max() == 115  # 127 · 127 halves and 1, in steps of 70
    assert (HiddenLayer(layer, 0)(INPUTS) == np.maximum(layer(INPUTS), 0)).all()


def test_numbers_beyond_the_largest_are_cut():
    found = whole(np.array([-9.0, 0.4, 3.0], np.float32), 1.0, 2)
    assert found.tolist() == [-2.0, 0.0, 2.0]
