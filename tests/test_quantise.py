"""Weights in fewer bits are off by no more than those bits allow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from headwise.errors import UsageError
from headwise.quantise import quantise, restore, scale_of

TABLES = st.sampled_from([2.0**-10, 1.0, 2.0**20]).flatmap(
    lambda size: npst.arrays(
        np.float32, st.integers(0, 40), elements=st.floats(-size, size, width=32)
    )
)


@given(TABLES, TABLES)
def test_8_bits_are_off_by_half_a_step(one, other):
    scale = scale_of([one, other], 8)
    for table in (one, other):
        stored = quantise(table, 8, scale)
        assert stored.dtype == np.int8
        assert (np.abs(restore(stored, scale) - table) <= scale * 0.501).all()
        assert (restore(stored, scale)[table == 0] == 0).all()


@given(TABLES)
def test_16_bits_are_off_in_the_last_digit(table):
    scale = scale_of([table], 16)
    stored = quantise(table, 16, scale)
    assert stored.dtype == np.float16
    assert np.allclose(restore(stored, scale), table, rtol=2**-11, atol=scale * 2**-24)


@given(TABLES)
def test_32_bits_are_the_weights_themselves(table):
    scale = scale_of([table], 32)
    assert (restore(quantise(table, 32, scale), scale) == table).all()


def test_a_finer_scale_cuts_what_it_cannot_reach():
    table = np.array([-900, 3, 900], np.float32)
    assert quantise(table, 8, 1.0).tolist() == [-127, 3, 127]


def test_tables_of_zeros_and_no_tables_have_a_scale():
    assert scale_of([], 8) == scale_of([np.zeros((0, 16), np.float32)], 16) == 1.0
    assert scale_of([np.zeros(3, np.float32)], 8) == 1.0
    assert scale_of([np.array([1e-40], np.float32)], 8) == 1.0


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
def test_what_is_no_weight_is_refused(wrong):
    with pytest.raises(UsageError, match="infinite or no number"):
        scale_of([np.zeros(2, np.float32), np.array([1, wrong], np.float32)], 8)
