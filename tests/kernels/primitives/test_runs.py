"""Runs of neighbouring entries, against slices."""

import numba
import numpy as np
import pytest

from headwise.kernels.primitives.runs import (
    add_run,
    argjoin,
    copy_run,
    expectation,
    fill_run,
    longest_run,
    raise_run,
)


@numba.njit
def changed(a, b, i, j, count):
    added, copied, filled, raised = a.copy(), a.copy(), a.copy(), a.copy()
    add_run(added, i, b, j, count)
    copy_run(copied, i, b, j, count)
    fill_run(filled, i, count, 7.0)
    raise_run(raised, i, count, 7.0)
    return added, copied, filled, raised


@numba.njit
def searched(values, count, starts):
    return argjoin(values, count), longest_run(starts)


@pytest.mark.parametrize(("i", "j", "count"), [(0, 0, 6), (2, 1, 3), (5, 0, 1), (3, 3, 0)])
def test_runs_are_slices(i, j, count):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=6), rng.normal(size=6)
    added, copied, filled, raised = changed(a, b, i, j, count)
    own, other = slice(i, i + count), slice(j, j + count)
    expected = [a.copy() for _ in range(4)]
    expected[0][own] += b[other]
    expected[1][own] = b[other]
    expected[2][own] = 7.0
    expected[3][own] += 7.0
    for found, right in zip((added, copied, filled, raised), expected, strict=True):
        np.testing.assert_array_equal(found, right)


def test_the_first_of_the_largest_and_the_longest_run():
    starts = np.array([0, 2, 2, 7, 8])
    assert searched(np.array([1.0, 3.0, 3.0, 9.0]), 3, starts) == (1, 5)
    assert searched(np.array([-np.inf, -np.inf]), 2, np.array([4])) == (0, 1)


def test_what_cannot_be_adds_nothing_to_an_expectation():
    chances, values = np.array([0.25, 0.0, 0.75]), np.array([2.0, -np.inf, 4.0])
    assert expectation(chances, values) == 3.5
