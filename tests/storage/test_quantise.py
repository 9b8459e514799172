"""Weights in 8 bits are off by no more than these allow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from headwise.errors import UsageError
from headwise.storage.quantise import quantise, restore, scale_of

TABLES = st.sampled_from([2.0**-10, 1.0, 2.0**20]).flatmap(
    lambda size: npst.arrays(
        np.float32, st.integers(0, 40), elements=st.floats(-size, size, width=32)
    )
)


@given(TABLES)
def test_8_bits_are_off_by_half_a_step(table):
    scale = scale_of(table)
    stored = quantise(table, scale)
    assert stored.dtype == np.int8
    assert (np.abs(restore(stored, scale) - table) <= scale * 0.501).all()
    assert (restore(stored, scale)[table == 0] == 0).all()


def test_a_finer_scale_cuts_what_it_cannot_reach():
    table = np.array([-900, 3, 900], np.float32)
    assert quantise(table, 1.0).tolist() == [-127, 3, 127]


def test_tables_of_zeros_and_empty_tables_have_a_scale():
    for table in (np.zeros((0, 16)), np.zeros(3), np.array([1e-40])):
        assert scale_of(table.astype(np.float32)) == 1.0


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
def test_what_is_no_weight_is_refused(wrong):
    with pytest.raises(UsageError, match="infinite or NaN"):
        scale_of(np.array([1, wrong], np.float32))
