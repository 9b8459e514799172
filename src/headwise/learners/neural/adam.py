"""Adam (Kingma & Ba 2015) with clipped gradients and an average of the weights.

By hand: an optimiser library would be a dependency for thirty lines, and its state would have to be
taken apart for checkpoints.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from headwise.learners.neural.network import Parameters

BETA_1, BETA_2 = 0.9, 0.95
"""How much of the means of gradients and of their squares each step keeps."""

EPSILON = 1e-8
LONGEST_GRADIENT = 5.0
"""Gradients that are longer are shortened to this."""

WARM_UP = 0.05
"""The share of all steps in which the learning rate rises; from then on it falls to zero."""


class Weights(NamedTuple):
    """All that a step changes: weights, means of gradients and of squares, averaged weights."""

    now: Parameters
    mean: Parameters
    square: Parameters
    average: Parameters


def new_weights(parameters: Parameters) -> Weights:
    """The weights before the first step."""
    mean, square = (
        {name: jnp.zeros_like(value) for name, value in parameters.items()} for _ in range(2)
    )
    average = {name: jnp.array(value) for name, value in parameters.items()}
    return Weights(dict(parameters), mean, square, average)


def rate_at(step: jax.Array | int, steps: jax.Array | int) -> jax.Array:
    """The share of the highest learning rate that counts in a step, the first being 0."""
    warm = jnp.maximum(WARM_UP * steps, 1.0)
    rising, falling = (step + 1) / warm, (steps - step) / jnp.maximum(steps - warm, 1.0)
    return jnp.clip(jnp.minimum(rising, falling), 0.0, 1.0)


def adam_step(
    weights: Weights,
    gradient: Parameters,
    step: jax.Array,
    steps: jax.Array | int,
    rate: float,
    decay: float,
    averaging: float,
) -> Weights:
    """The weights after a step of all `steps`."""
    length = jnp.sqrt(sum(jnp.sum(jnp.square(one)) for one in gradient.values()))
    shorten = jnp.minimum(1.0, LONGEST_GRADIENT / jnp.maximum(length, 1e-12))
    now_rate = rate * rate_at(step, steps)
    count = (step + 1).astype(jnp.float32)
    first, second = 1 - BETA_1**count, 1 - BETA_2**count
    kept = jnp.minimum(averaging, count / (10.0 + count))  # early weights are soon forgotten
    now, mean, square, average = {}, {}, {}, {}
    for name, slope in gradient.items():
        slope = slope * shorten  # noqa: PLW2901, RUF100
        mean[name] = BETA_1 * weights.mean[name] + (1 - BETA_1) * slope
        square[name] = BETA_2 * weights.square[name] + (1 - BETA_2) * slope * slope
        change = (mean[name] / first) / (jnp.sqrt(square[name] / second) + EPSILON)
        now[name] = weights.now[name] - now_rate * (change + decay * weights.now[name])
        average[name] = kept * weights.average[name] + (1 - kept) * now[name]
    return Weights(now, mean, square, average)
