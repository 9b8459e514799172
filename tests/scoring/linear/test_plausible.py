"""Tables of plausible arcs come back from a model, and damaged ones are refused."""

import numpy as np
import pytest

from headwise.errors import ModelError
from headwise.kernels.arcs.plausible import EVERYTHING, PAIRS, ROWS, WIDEST, Plausible, everything
from headwise.scoring.linear.plausible import PACKED, PLAIN, plausible_arrays, plausible_of


def tables() -> Plausible:
    rng = np.random.default_rng(1)
    pairs, rows = (rng.integers(-9, 9, size).astype(np.int8) for size in (PAIRS, ROWS))
    return Plausible(np.array([3, 5, 8], np.uint64), pairs, rows, 60)


def test_tables_come_back():
    arrays = plausible_arrays(tables())
    assert set(arrays) == {*PACKED, *PLAIN}
    found = plausible_of(arrays)
    assert found.margin == 60
    for own, other in zip(tables()[:3], found[:3], strict=True):
        assert np.array_equal(own, other)
        assert own.dtype == other.dtype


def test_everything_is_plausible_without_tables():
    found = plausible_of(plausible_arrays(everything()))
    assert found.margin == EVERYTHING


DAMAGED = {
    "a margin below 0": {"margin": np.array([-1])},
    "a margin too wide": {"margin": np.array([WIDEST + 1])},
    "two margins": {"margin": np.array([60, 60])},
    "pairs of another size": {"pairs": np.zeros(PAIRS - 1, np.int8)},
    "rows of another size": {"rows": np.zeros(ROWS + 1, np.int8)},
    "rows of another type": {"rows": np.zeros(ROWS, np.int16)},
    "too many tags": {"tags": np.arange(1000, dtype=np.uint64)},
    "tags of another shape": {"tags": np.zeros((1, 1), np.uint64)},
}


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_tables_are_refused(change):
    with pytest.raises(ModelError, match="tables of plausible arcs have invalid"):
        plausible_of(plausible_arrays(tables()) | change)
