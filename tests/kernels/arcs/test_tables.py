"""Rounded weights."""

import numpy as np
import pytest

from headwise.scoring.linear.tables import TableSizes, WeightTables

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
