"""Sparse rows against dictionaries, and Hildreth's algorithm against another solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from headwise.kernels.arcs.sparse import SparseRows, combine, hildreth

entries = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(-2, 2)), max_size=40)


@settings(max_examples=60)
@given(entries)
def test_combined_entries_are_sums_by_row_and_place(listed):
    listed = sorted(listed, key=lambda entry: entry[0])
    row, place, value = (np.array([e[i] for e in listed], np.int64) for i in range(3))
    found = combine(5, row, place << 40, value.astype(np.float64))
    wanted: dict[tuple[int, int], float] = {}
    for r, p, v in listed:
        wanted[r, p << 40] = wanted.get((r, p << 40), 0.0) + v
    pairs = {}
    for r in range(5):
        for k in range(found.start[r], found.start[r + 1]):
            key = r, int(found.slots[found.column[k]])
            assert key not in pairs
            pairs[key] = found.value[k]
    assert pairs == wanted
    assert len(set(found.slots.tolist())) == len(found.slots)


def random_rows(rng, count, columns):
    dense = rng.integers(-2, 3, (count, columns)).astype(np.float64)
    filled = dense != 0
    start = np.concatenate([[0], np.cumsum(filled.sum(axis=1))])
    rows = SparseRows(np.arange(columns), start, np.nonzero(filled)[1], dense[filled])
    return dense, rows


def solved(dense, wanted, most):
    """The same problem by its dual, with a general solver."""
    gram = dense @ dense.T

    def loss(alpha):
        return 0.5 * alpha @ gram @ alpha - alpha @ wanted

    start = np.zeros(len(wanted))
    bounds = [(0.0, most)] * len(wanted)
    options = {"ftol": 1e-14, "maxiter": 2000}
    found = minimize(
        loss, start, jac=lambda a: gram @ a - wanted, bounds=bounds, method="SLSQP", options=options
    )
    return dense.T @ found.x


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("most", [0.05, 1e6])
def test_hildreth_finds_the_optimum(seed, most):
    rng = np.random.default_rng(seed)
    dense, rows = random_rows(rng, 4, 12)
    wanted = rng.normal(0.5, 1.0, 4)
    v, alpha = hildreth(rows, wanted, most, 20000, 1e-12)
    np.testing.assert_allclose(v, solved(dense, wanted, most), atol=1e-4)
    # The conditions of Karush, Kuhn and Tucker.
    np.testing.assert_allclose(v, dense.T @ alpha, atol=1e-9)
    reached = dense @ v
    assert ((alpha >= 0) & (alpha <= most)).all()
    assert (reached[alpha < most] >= wanted[alpha < most] - 1e-6).all()
    assert (reached[alpha > 0] <= wanted[alpha > 0] + 1e-6).all()


def test_rows_without_features_and_fulfilled_rows_move_nothing():
    rows = SparseRows(np.arange(2), np.array([0, 0, 2]), np.array([0, 1]), np.array([1.0, 1.0]))
    v, alpha = hildreth(rows, np.array([5.0, -1.0]), 1.0, 10, 1e-9)
    assert not v.any()
    assert not alpha.any()
