"""Counting in blocks."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headwise.text.similarity.countedkeys import KeyCounts


@given(st.lists(st.lists(st.integers(0, 20), max_size=30), max_size=5))
def test_counting_in_blocks_is_counting(blocks):
    counts = KeyCounts()
    for block in blocks:
        counts.add(np.array(block, np.int64))
    keys, times = counts.total()
    expected = Counter(key for block in blocks for key in block)
    assert dict(zip(keys.tolist(), times.tolist(), strict=True)) == expected
