"""What arrays of a model are checked for, one check at a time."""

import numpy as np
import pytest

from headwise.errors import ModelError
from headwise.storage.arraychecks import (
    check_array,
    check_ascending,
    check_indices,
    check_map,
    check_power_of_two,
    check_starts,
    check_weights,
)

INTS = np.array([0, 2, 5], np.int32)


def test_what_is_sound_passes():
    check_array("a", INTS, np.int32, (3,))
    check_array("a", INTS, (np.float64, np.int32), (None,))
    check_indices("a", INTS, 6)
    check_indices("a", INTS - 1, 5, minimum=-1)
    check_indices("a", INTS[:0], 0)
    check_starts("a", INTS, 5, fewest=2, fewest_rows=2)
    check_starts("a", INTS[:1], 0)
    check_ascending("a", INTS)
    check_weights("a", np.array([-1.0, 1.0]), -1.0, 1.0)
    check_weights("a", np.empty(0))
    check_power_of_two("a", 8, maximum=8)
    check_map("a", np.zeros(4, np.uint64), np.array([-1, 0, 1, -1], np.int32), 2)


FAILURES = {
    "type": lambda: check_array("a", INTS, np.int64, (3,)),
    "types": lambda: check_array("a", INTS, (np.int64, np.float32), (3,)),
    "length": lambda: check_array("a", INTS, np.int32, (2,)),
    "dimensions": lambda: check_array("a", INTS[None], np.int32, (None,)),
    "too large": lambda: check_indices("a", INTS, 5),
    "too small": lambda: check_indices("a", INTS - 1, 9),
    "unsigned": lambda: check_indices("a", np.array([2**64 - 1], np.uint64), 2**63),
    "backwards": lambda: check_starts("a", INTS[::-1], 5),
    "wrapped": lambda: check_starts("a", np.array([0, 2**31 - 1, -(2**31), 5], np.int32), 5),
    "wrong end": lambda: check_starts("a", INTS, 6),
    "wrong start": lambda: check_starts("a", INTS[1:], 5),
    "empty": lambda: check_starts("a", INTS[:0], 0),
    "empty row": lambda: check_starts("a", np.array([0, 0, 5]), 5, fewest=1),
    "too few rows": lambda: check_starts("a", INTS[:1], 0, fewest_rows=1),
    "twice": lambda: check_ascending("a", np.array([1, 1])),
    "NaN": lambda: check_weights("a", np.array([0.0, np.nan])),
    "infinite": lambda: check_weights("a", np.array([0.0, np.inf])),
    "sums overflow": lambda: check_weights("a", np.array([1e38], np.float32)),
    "not a power": lambda: check_power_of_two("a", 6),
    "one line": lambda: check_power_of_two("a", 1),
    "too many lines": lambda: check_power_of_two("a", 16, maximum=8),
    "full map": lambda: check_map("a", np.zeros(2, np.uint64), np.zeros(2, np.int32), 1),
    "odd map": lambda: check_map("a", np.zeros(3, np.uint64), np.full(3, -1, np.int32), 1),
    "map to nothing": lambda: check_map(
        "a", np.zeros(2, np.uint64), np.array([-1, 1], np.int32), 1
    ),
    "map of floats": lambda: check_map("a", np.zeros(2), np.full(2, -1, np.int32), 1),
}


@pytest.mark.parametrize("check", FAILURES.values(), ids=FAILURES)
def test_what_is_not_is_refused_by_name(check):
    with pytest.raises(ModelError, match="array 'a"):
        check()
