"""Streams of random numbers, against SplitMix64 in plain Python."""

import numba
import numpy as np

from headwise.kernels.primitives.randomness import draw, random_bits, uniform

WORD = (1 << 64) - 1


@numba.njit
def stream(seed, count, cumulative):
    state = np.array([seed], np.uint64)
    bits = np.array([random_bits(state) for _ in range(count)])
    state[0] = seed
    numbers = np.array([uniform(state) for _ in range(count)])
    state[0] = seed
    drawn = np.array([draw(cumulative, state) for _ in range(count)])
    return bits, numbers, drawn


def split_mix(seed: int, count: int) -> list[int]:
    found = []
    for step in range(1, count + 1):
        z = (seed + step * 0x9E3779B97F4A7C15) & WORD
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
        found.append(z ^ z >> 31)
    return found


def test_streams_are_those_of_split_mix():
    cumulative = np.array([0.0, 1.0, 1.0, 4.0])
    bits, numbers, drawn = stream(np.uint64(12345), 4000, cumulative)
    expected = split_mix(12345, 4000)
    assert bits.tolist() == expected
    assert numbers.tolist() == [(one >> 11) / 2**53 for one in expected]
    assert set(drawn.tolist()) == {1, 3}  # the others have no weight
    assert abs((drawn == 1).mean() - 0.25) < 0.03
    assert 0.0 <= numbers.min() < numbers.max() < 1.0
