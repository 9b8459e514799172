"""Weights in fewer bits, and the sizes of tables."""

import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.features.tables import TableSizes, WeightTables

SIZES = TableSizes(wide=8, narrow=8, filters=8)


def random_tables() -> WeightTables:
    tables = WeightTables.empty(SIZES)
    rng = np.random.default_rng(0)
    size = len(tables.weights)
    tables.weights[:] = rng.normal(size=size) * (rng.random(size) < 0.3)
    return tables


@pytest.mark.parametrize(("bits", "kind", "highest"), [(8, np.int8, 127), (16, np.int16, 32767)])
def test_a_weight_is_its_integer_times_the_scale(bits, kind, highest):
    tables = random_tables()
    small = tables.quantised(bits)
    assert small.weights.dtype == kind
    assert np.abs(small.weights.astype(int)).max() == highest
    error = np.abs(small.weights * small.scale - tables.weights)
    assert error.max() <= small.scale * 0.501
    assert not small.weights[tables.weights == 0].any()
    assert small.filters is tables.filters


@pytest.mark.parametrize(("bits", "highest"), [(8, 127), (16, 32767)])
def test_weights_of_directions_are_added_to_those_of_distances(bits, highest):
    small = random_tables().quantised(bits, 0.01)
    before = small.weights[: SIZES.narrow_start].reshape(-1, 16).astype(int)
    after = small.for_kernels.wide.reshape(-1, 16)
    assert not after[:, :2].any()
    left, right = before[:, 2:9] + before[:, :1], before[:, 9:] + before[:, 1:2]
    assert max(np.abs(left).max(), np.abs(right).max()) > highest
    assert after[:, 2:9].tolist() == np.clip(left, -highest, highest).tolist()
    assert after[:, 9:].tolist() == np.clip(right, -highest, highest).tolist()


def test_slight_weights_may_be_left_out():
    tables = random_tables()
    full, thin = tables.quantised(8).weights, tables.quantised(8, thin=3).weights
    assert not (np.abs(thin[thin != 0]) <= 3).any()
    assert thin[np.abs(full) > 3].tolist() == full[np.abs(full) > 3].tolist()


def test_nothing_learnt_stays_nothing():
    small = WeightTables.empty(SIZES).quantised(8)
    assert small.weights.dtype == np.int8
    assert not small.weights.any()


@pytest.mark.parametrize("name", ["wide", "narrow", "filters"])
@pytest.mark.parametrize("size", [3, 31])
def test_sizes_are_checked(name, size):
    with pytest.raises(UsageError, match=f"tables: {name} is 4 to 30, not {size}"):
        WeightTables.empty(TableSizes(**{name: size}))
