import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.folds import folds_of
from headwise.errors import UsageError


@given(st.integers(2, 40), st.integers(2, 40))
def test_every_item_is_in_one_part_and_learnt_from_in_all_others(count, folds):
    items = list(range(count))
    if folds > count:
        with pytest.raises(UsageError, match="cannot be cut"):
            list(folds_of(items, folds))
        return
    found = list(folds_of(items, folds))
    assert len(found) == folds
    assert [item for _, own in found for item in own] == items
    for others, own in found:
        assert own
        assert sorted([*others, *own]) == items
