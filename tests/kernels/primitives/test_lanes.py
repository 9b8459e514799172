import numba
import numpy as np
import pytest

from headwise.kernels.primitives.lanes import (
    COLUMNS,
    WIDTH,
    added,
    larger_of,
    load,
    load_within,
    spread,
    store,
    turned,
)


@numba.njit
def larger_sums(a, b, out):
    store(out, 1, larger_of(added(load(a, 0), load(b, 2)), spread(0.5)))


@numba.njit
def some_lanes(table, place, first, last, out):
    store(out, 0, load_within(spread(7.0), table, place, first, last))


@numba.njit
def four_columns(table, start, length, rows, row, column, out):
    w, x, y, z = turned(table, start, length, rows, row, column)
    store(out, 0, w)
    store(out, 8, x)
    store(out, 16, y)
    store(out, 24, z)


def test_sums_and_maxima() -> None:
    rng = np.random.default_rng(0)
    a, b, out = rng.normal(size=8), rng.normal(size=10), np.zeros(10)
    a[3] = -np.inf
    larger_sums(a, b, out)
    np.testing.assert_array_equal(out[1:9], np.maximum(a + b[2:], 0.5))
    assert out[0] == out[9] == 0.0


@pytest.mark.parametrize(("first", "last"), [(0, 8), (-3, 5), (2, 4), (6, 20), (5, 5), (7, 2)])
def test_lanes_outside_are_kept(first: int, last: int) -> None:
    table, out = np.arange(8.0), np.empty(WIDTH)
    some_lanes(table, 0, first, last, out)
    expected = [float(k) if first <= k < last else 7.0 for k in range(WIDTH)]
    assert out.tolist() == expected


def test_lanes_beyond_an_array_are_not_read() -> None:
    out = np.empty(WIDTH)
    some_lanes(np.arange(5.0), 3, 0, 2, out)
    assert out.tolist() == [3.0, 4.0, *[7.0] * 6]
    some_lanes(np.arange(5.0), -6, 6, 8, out)
    assert out.tolist() == [*[7.0] * 6, 0.0, 1.0]


@pytest.mark.parametrize("rows", [1, 3, 8, 11])
@pytest.mark.parametrize("length", [1, 3, 4, 6, 9])
def test_columns_of_a_table_whose_rows_are_a_circle(rows: int, length: int) -> None:
    rng = np.random.default_rng(rows)
    flat, out = rng.normal(size=5 + rows * length), np.empty(COLUMNS * WIDTH)
    table = flat[5:].reshape(rows, length)
    for row in range(rows):
        for column in range(0, length, COLUMNS):
            four_columns(flat, 5, length, rows, row, column, out)
            expected = np.full((COLUMNS, WIDTH), -np.inf)
            for k in range(min(COLUMNS, length - column)):
                expected[k] = [table[(row + x) % rows, column + k] for x in range(WIDTH)]
            np.testing.assert_array_equal(out.reshape(COLUMNS, WIDTH), expected)
