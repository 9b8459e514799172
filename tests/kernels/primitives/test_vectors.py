import numba
import numpy as np
import pytest

from headwise.kernels.primitives.vectors import LINE, add_line


@numba.njit
def added(sums, start, table, line):
    add_line(sums, start, table, line)


@pytest.mark.parametrize(
    ("to", "source"),
    [
        (np.float32, np.float32),
        (np.int16, np.int8),
        (np.int32, np.int8),
        (np.int32, np.int16),
    ],
)
def test_a_line_is_added_where_it_should_be(to, source):
    rng = np.random.default_rng(0)
    sums = rng.integers(-100, 100, 64).astype(to)
    table = rng.integers(-128, 128, 64).astype(source)
    expected = sums.copy()
    expected[5 : 5 + LINE] += table[33 : 33 + LINE].astype(to)
    added(sums, 5, table, 33)
    np.testing.assert_array_equal(sums, expected)
