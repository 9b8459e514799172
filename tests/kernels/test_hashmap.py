import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calling import callable_from_python
from headwise.kernels.hashmap import ABSENT, build_map, look_up, look_up_all

LOOK_UP = callable_from_python(look_up)


@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=40), st.integers(0, 2**64 - 1))
def test_what_is_put_in_is_found(hashes, other):
    numbers = np.arange(len(hashes), dtype=np.int32)
    keys, values = build_map(np.array(hashes, np.uint64), numbers)
    for number, x in enumerate(hashes):
        assert LOOK_UP(keys, values, np.uint64(x)) == number
    if other not in hashes:
        assert LOOK_UP(keys, values, np.uint64(other)) == ABSENT
    found = look_up_all(keys, values, np.array([*hashes, other], np.uint64))
    assert found.tolist() == [
        *range(len(hashes)),
        hashes.index(other) if other in hashes else ABSENT,
    ]
