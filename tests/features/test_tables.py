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
    folded = tables.folded()
    error = np.abs(small.weights * small.scale - folded)
    assert error.max() <= small.scale * 0.501
    assert not small.weights[folded == 0].any()
    assert small.filters is tables.filters


def test_weights_of_directions_are_added_to_those_of_distances():
    tables = random_tables()
    before = tables.weights[: SIZES.narrow_start].reshape(-1, 16)
    folded = tables.folded()
    after = folded[: SIZES.narrow_start].reshape(-1, 16)
    assert not after[:, :2].any()
    assert after[:, 2:9].tolist() == (before[:, 2:9] + before[:, :1]).tolist()
    assert after[:, 9:].tolist() == (before[:, 9:] + before[:, 1:2]).tolist()
    assert folded[SIZES.narrow_start :].tolist() == tables.weights[SIZES.narrow_start :].tolist()


def test_nothing_learnt_stays_nothing():
    small = WeightTables.empty(SIZES).quantised(8)
    assert small.weights.dtype == np.int8
    assert not small.weights.any()


@pytest.mark.parametrize("name", ["wide", "narrow", "filters"])
@pytest.mark.parametrize("size", [3, 31])
def test_sizes_are_checked(name, size):
    with pytest.raises(UsageError, match=f"tables: {name} is 4 to 30, not {size}"):
        WeightTables.empty(TableSizes(**{name: size}))
