import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="training needs JAX (the extra neural)")

from headwise.learners.neural.adam import adam_step, new_weights, rate_at


def test_the_rate_rises_and_falls_to_zero():
    rates = [float(rate_at(step, 100)) for step in range(100)]
    assert rates[0] < rates[3] < rates[4] == 1.0
    assert rates[50] > rates[90] > rates[99] > 0
    assert rates == sorted(rates[:5]) + sorted(rates[5:], reverse=True)


def test_it_finds_the_lowest_point():
    target = np.array([3.0, -2.0], np.float32)
    weights = new_weights({"x": jax.numpy.zeros(2)})
    for step in range(400):
        gradient = {"x": 2 * (weights.now["x"] - target)}
        now = jax.numpy.int32(step)
        weights = adam_step(weights, gradient, now, 400, 0.1, 0.0, 0.9)
    assert np.asarray(weights.now["x"]) == pytest.approx(target, abs=0.01)
    assert np.asarray(weights.average["x"]) == pytest.approx(target, abs=0.01)


def test_huge_gradients_do_no_harm():
    weights = new_weights({"x": jax.numpy.zeros(1)})
    step = jax.numpy.int32(10)
    weights = adam_step(weights, {"x": jax.numpy.array([1e20])}, step, 20, 0.1, 0.0, 0.9)
    assert np.isfinite(np.asarray(weights.now["x"])).all()
