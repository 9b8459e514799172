"""Single instructions, against what Python and NumPy give."""

import math
import struct

import numba
import numpy as np
import pytest

from headwise.kernels.primitives.intrinsics import bits_of_float, float_from_bits, larger


@numba.njit
def of_two(a, b):
    return larger(a, b), bits_of_float(a), float_from_bits(bits_of_float(a))


@pytest.mark.parametrize("a", [0.0, -1.5, 1e300, 5e-324, -math.inf, math.inf])
@pytest.mark.parametrize("b", [-2.0, 3.0, -math.inf])
def test_the_larger_one_and_the_bits(a, b):
    largest, bits, again = of_two(a, b)
    assert largest == max(a, b)
    assert bits == struct.unpack("<q", struct.pack("<d", a))[0]
    assert again == a
    assert math.copysign(1.0, again) == math.copysign(1.0, a)


def test_single_precision_too():
    found = of_larger(np.float32(0.1), np.float32(0.2))
    assert found == np.float32(0.2)


@numba.njit
def of_larger(a, b):
    return larger(a, b)
