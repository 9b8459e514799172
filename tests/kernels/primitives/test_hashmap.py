import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calling import callable_from_python
from headwise.kernels.primitives.hashmap import ABSENT, build_map, look_up, look_up_all, map_of

LOOK_UP = callable_from_python(look_up)


@pytest.mark.parametrize("make", [build_map, map_of])
@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=40), st.integers(0, 2**64 - 1))
def test_what_is_put_in_is_found(make, hashes, other):
    numbers = np.arange(len(hashes), dtype=np.int32)
    keys, values = make(np.array(hashes, np.uint64), numbers)
    for number, x in enumerate(hashes):
        assert LOOK_UP(keys, values, np.uint64(x)) == number
    if other not in hashes:
        assert LOOK_UP(keys, values, np.uint64(other)) == ABSENT
    found = look_up_all(keys, values, np.array([*hashes, other], np.uint64))
    assert found.tolist() == [
        *range(len(hashes)),
        hashes.index(other) if other in hashes else ABSENT,
    ]


@given(st.lists(st.integers(0, 20), max_size=60))
def test_both_ways_give_maps_of_one_size_in_which_the_first_of_equals_counts(hashes):
    # Small numbers: many are equal, and others want neighbouring slots.
    given_hashes, numbers = np.array(hashes, np.uint64), np.arange(len(hashes), dtype=np.int32)
    maps = [make(given_hashes, numbers) for make in (build_map, map_of)]
    assert len(maps[0][0]) == len(maps[1][0])
    for keys, values in maps:
        assert look_up_all(keys, values, given_hashes).tolist() == [*map(hashes.index, hashes)]


def test_hashes_made_to_share_a_slot_are_refused():
    """Each would be looked for after all before it: a model of a million would never load."""
    x = np.arange(1, 5000, dtype=np.uint64) << np.uint64(29)
    same = x ^ (x >> np.uint64(29))  # whose home is slot 0, or near it
    with pytest.raises(ValueError, match="share a slot"):
        map_of(same, np.zeros(len(same), np.int32))
