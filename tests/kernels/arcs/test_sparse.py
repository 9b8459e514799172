"""Sparse rows against dictionaries."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.kernels.arcs.sparse import combine

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
