# mypy: allow-untyped-defs
"""Streams of random numbers, each a state of its own."""

import numpy as np

from headwise.kernels.runtime.jit import helper, maker


@helper
def random_bits(state):
    """The next 64 bits of a stream (SplitMix64). IN/OUT: state, one unsigned integer."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@helper
def uniform(state):
    """The next number in [0, 1) of a stream. IN/OUT: state."""
    return np.float64(random_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@maker
def draw(cumulative, state):
    """An index drawn by cumulative weights; one of weight 0 is never drawn."""
    point = uniform(state) * cumulative[-1]
    return np.searchsorted(cumulative, point, side="right")
