"""Weights in fewer bits, and the sizes of tables."""

import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.scoring.linear.tables import LARGEST, TableSizes, WeightTables

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


@pytest.mark.parametrize(("bits", "kind", "highest"), [(8, np.int8, 127), (16, np.int16, 32767)])
def test_a_sum_of_weights_is_rounded_once(bits, kind, highest):
    tables = random_tables()
    small = tables.quantised(bits)
    assert small.weights.dtype == kind
    sums = sums_of(small)
    assert np.abs(sums).max() == highest
    assert np.abs(sums * small.scale - sums_of(tables)).max() <= small.scale * 0.501
    assert not small.weights[tables.weights == 0].any()
    assert small.filters is tables.filters


@pytest.mark.parametrize(("bits", "highest"), [(8, 127), (16, 32767)])
def test_weights_of_directions_are_added_to_those_of_distances(bits, highest):
    small = random_tables().quantised(bits, 0.01)
    after = small.for_kernels.wide.reshape(-1, 16)
    assert not after[:, :2].any()
    wanted = sums_of(small)[: 14 << SIZES.wide].reshape(-1, 14)
    assert np.abs(wanted).max() > highest
    assert after[:, 2:].tolist() == np.clip(wanted, -highest, highest).tolist()


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


@pytest.mark.parametrize(("name", "most"), LARGEST.items())
@pytest.mark.parametrize("size", [3, 31])
def test_sizes_are_checked(name, most, size):
    with pytest.raises(UsageError, match=f"tables: {name} must be from 4 to {most}, not {size}"):
        WeightTables.empty(TableSizes(**{name: size}))
