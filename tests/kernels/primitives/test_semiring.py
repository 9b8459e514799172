import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba.core.errors import TypingError

from headwise.kernels.primitives.semiring import (
    LINEAR,
    LOG,
    MAX,
    exponential,
    join,
    join1,
    join3,
    join_and,
    join_back,
)

values = st.one_of(st.floats(-800, 800), st.just(-np.inf))
rows = st.integers(1, 70).flatmap(lambda length: arrays(np.float64, (3, length), elements=values))


@numba.njit
def all_joins(semiring, a, b, c):
    n = len(a)
    return (
        join1(semiring, a, 0, n),
        join(semiring, a, 0, b, 0, n),
        join3(semiring, a, 0, b, 0, c, 0, n),
    )


@numba.njit
def only_join1(semiring, a):
    return join1(semiring, a, 0, len(a))


@numba.njit
def only_join3(semiring, a):
    return join3(semiring, a, 0, a, 0, a, 0, len(a))


@numba.njit
def linear_join(a, b):
    return join(LINEAR, a, 0, b, 0, len(a))


@numba.njit
def join_and_last(semiring, a, b):
    return join_and(semiring, a[-1] + b[-1], a, 0, b, 0, len(a) - 1)


@numba.njit
def exponentials(values):
    return np.array([exponential(value) for value in values])


@numba.njit
def back(semiring, weight, total, a, b, a_bar, b_bar):
    join_back(semiring, weight, total, a, 0, b, 0, len(a), a_bar, b_bar)


@settings(deadline=None)
@given(rows)
def test_joins(table: np.ndarray) -> None:
    a, b, c = table
    assert all_joins(MAX, a, b, c) == (a.max(), (a + b).max(), (a + b + c).max())
    expected = [np.logaddexp.reduce(terms) for terms in (a, a + b, a + b + c)]
    np.testing.assert_allclose(all_joins(LOG, a, b, c), expected, rtol=1e-12, atol=1e-12)
    assert join_and_last(MAX, a, b) == (a + b).max()
    np.testing.assert_allclose(join_and_last(LOG, a, b), expected[1], rtol=1e-12, atol=1e-12)


@settings(deadline=None)
@given(st.integers(1, 50), st.integers(0, 2**32 - 1))
def test_derivatives_share_the_whole_weight(length: int, seed: int) -> None:
    a, b = np.random.default_rng(seed).normal(size=(2, length))
    total = float(np.logaddexp.reduce(a + b))
    for semiring, x, y, whole in (
        (LOG, a, b, total),
        (LINEAR, np.exp(a), np.exp(b), float(linear_join(np.exp(a), np.exp(b)))),
    ):
        a_bar, b_bar = np.zeros(length), np.ones(length)
        back(semiring, 0.25, whole, x, y, a_bar, b_bar)
        np.testing.assert_allclose(a_bar, 0.25 * np.exp(a + b - total), rtol=1e-12)
        np.testing.assert_allclose(b_bar - 1.0, a_bar, rtol=1e-9)


def test_the_exponential_is_as_exact_as_it_can_be() -> None:
    x = np.concatenate([np.linspace(-700, 700, 10_001), np.linspace(-1, 1, 1001)])
    np.testing.assert_allclose(exponentials(x), np.exp(x), rtol=5e-16)
    assert exponentials(np.array([-np.inf, -1e9, -708.0, 0.0])).tolist() == [0.0, 0.0, 0.0, 1.0]


def test_the_empty_join_is_zero() -> None:
    nothing = np.empty(0)
    assert all_joins(LOG, nothing, nothing, nothing) == (-np.inf,) * 3
    assert linear_join(nothing, nothing) == 0.0
    assert all_joins(MAX, nothing, nothing, nothing)[1] == -np.inf


@pytest.mark.parametrize("name", ["join1", "join3"])
def test_what_the_linear_semiring_lacks_is_an_error(name: str) -> None:
    row = np.ones(2)
    with pytest.raises(TypingError, match=f"{name} is not defined for the semiring LINEAR"):
        {"join1": only_join1, "join3": only_join3}[name](LINEAR, row)


def test_a_maximum_has_no_derivative() -> None:
    row = np.ones(2)
    with pytest.raises(TypingError, match="join_back is not defined for the semiring MAX"):
        back(MAX, 1.0, 1.0, row, row, row, row)


def test_semirings_have_types_of_their_own() -> None:
    assert len({numba.typeof(tag) for tag in (MAX, LOG, LINEAR)}) == 3
    with pytest.raises(TypeError, match="only compiled kernels"):
        join(MAX, np.zeros(1), 0, np.zeros(1), 0, 1)
