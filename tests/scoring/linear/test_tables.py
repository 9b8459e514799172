"""Weights in fewer bits, and the sizes of tables."""

import pickle

import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.scoring.linear import tables as module
from headwise.scoring.linear.tables import LARGEST, TableSizes, WeightTables, folded_in_place

SIZES = TableSizes(wide=8, narrow=8, filters=8)


def random_tables() -> WeightTables:
    tables = WeightTables.empty(SIZES)
    rng = np.random.default_rng(0)
    size = len(tables.weights)
    tables.weights[:] = rng.normal(size=size) * (rng.random(size) < 0.3)
    return tables


def sums_of(tables: WeightTables) -> np.ndarray:
    """What arcs look up: weights of directions and distances with those of directions added."""
    wide = tables.weights[: SIZES.narrow_start].reshape(-1, 16).astype(float)
    both = np.hstack([wide[:, 2:9] + wide[:, :1], wide[:, 9:] + wide[:, 1:2]]).ravel()
    return np.concatenate([both, tables.weights[SIZES.narrow_start :].astype(float)])


def test_slight_weights_may_be_left_out():
    tables = random_tables()
    full, thin = tables.quantised(8), tables.quantised(8, drop_up_to=3)
    assert not (np.abs(thin.weights[thin.weights != 0]) <= 3).any()
    assert np.count_nonzero(thin.weights) < np.count_nonzero(full.weights)
    # What a direction loses, its distances make up for: no sum is wrong by more than one weight.
    assert np.abs(sums_of(thin) - sums_of(full)).max() <= 3


def test_nothing_learnt_stays_nothing():
    small = WeightTables.empty(SIZES).quantised(8)
    assert small.weights.dtype == np.int8
    assert not small.weights.any()


@pytest.mark.parametrize("kind", [np.int8, np.int16])
@pytest.mark.parametrize("at_a_time", [64, 1 << 20])
def test_a_wide_table_is_folded_in_place_and_unfolded(kind, at_a_time, monkeypatch):
    monkeypatch.setattr(module, "FOLDED_AT_A_TIME", at_a_time)
    empty, rng, limits = WeightTables.empty(SIZES), np.random.default_rng(1), np.iinfo(kind)
    weights = rng.integers(limits.min, limits.max, len(empty.weights), kind, endpoint=True)
    weights *= rng.random(len(weights)) < 0.2
    weights[:160] = 0
    learnt = weights.copy()
    plain = WeightTables(SIZES, learnt, empty.filters, 0.5)
    folded = folded_in_place(WeightTables(SIZES, weights, empty.filters, 0.5))
    assert np.shares_memory(folded.for_kernels.wide, weights)
    for name in ("wide", "narrow", "scale"):
        assert np.array_equal(getattr(folded.for_kernels, name), getattr(plain.for_kernels, name))
    assert np.array_equal(folded.as_learnt(), learnt)
    assert np.array_equal(plain.as_learnt(), learnt)
    again = pickle.loads(pickle.dumps(folded))
    assert np.array_equal(again.for_kernels.wide, plain.for_kernels.wide)
    assert np.array_equal(again.as_learnt(), learnt)


def test_a_table_is_not_folded_twice():
    tables = WeightTables.empty(SIZES).quantised(8)
    folded_in_place(tables)
    with pytest.raises(ValueError, match="read-only"):
        folded_in_place(tables)


@pytest.mark.parametrize(("name", "most"), LARGEST.items())
@pytest.mark.parametrize("size", [3, 31])
def test_sizes_are_checked(name, most, size):
    with pytest.raises(UsageError, match=f"tables: {name} must be from 4 to {most}, not {size}"):
        WeightTables.empty(TableSizes(**{name: size}))
