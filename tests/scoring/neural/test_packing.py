"""Sentences in rows."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.scoring.neural.packing import LENGTHS, MAX_ARCS, packed


@settings(max_examples=60)
@given(
    st.lists(st.one_of(st.integers(2, 140), st.sampled_from([128, 129, 512, 513, 2001])),
             min_size=1, max_size=40),
    st.sampled_from([1, 256, 2**16]),
)  # fmt: skip
def test_every_token_has_a_place_of_its_own(sizes, most_tokens):
    starts = np.cumsum([0, *sizes])
    seen = np.zeros(starts[-1], int)
    for rows in packed(starts, most_tokens):
        length, count = rows.shape
        assert length in LENGTHS
        assert count == 1 or (length * count <= most_tokens and length**2 * count <= MAX_ARCS)
        assert len(set(rows.places.tolist())) == len(rows.places)
        seen[rows.tokens] += 1
        for sentence, row, start in zip(rows.sentences, rows.rows, rows.offsets, strict=True):
            own = rows.places[
                (rows.tokens >= starts[sentence]) & (rows.tokens < starts[sentence + 1])
            ]
            assert (own % count == row).all()
            assert (own // count == np.arange(start, start + sizes[sentence])).all()
            assert start + sizes[sentence] <= length
    assert (seen == 1).all()
