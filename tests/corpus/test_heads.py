"""The HEAD column as numbers, checked quickly and with patience."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.heads import checked_heads, known_heads
from headwise.errors import InputError, SourceLocation


@given(st.lists(st.none() | st.integers(-2, 7), max_size=6), st.integers(0, 6))
def test_the_quick_look_and_the_patient_one_agree(heads, count):
    quick = known_heads(heads, count)
    sound = len(heads) == count and all(one is None or 0 <= one <= count for one in heads)
    assert (quick is not None) == sound
    if sound:
        assert quick == checked_heads(heads, count, None) == tuple(heads)
    else:
        with pytest.raises(InputError):
            checked_heads(heads, count, None)


def test_what_is_wrong_is_said_with_its_place():
    place = SourceLocation("a.conllu", 3, "s1")
    with pytest.raises(InputError, match="the head of word 2 is 3, not one of 0 to 2") as caught:
        checked_heads([0, 3], 2, place)
    assert caught.value.location == place
    with pytest.raises(InputError, match="1 heads for 2 words"):
        checked_heads([0], 2, place)


def test_numbers_of_arrays_become_plain_numbers():
    found = checked_heads(np.array([2, 0]), 2, None)
    assert found == (2, 0)
    assert [type(head) for head in found] == [int, int]


def test_the_quick_look_leaves_very_long_sentences_to_the_patient_one():
    heads = [*range(1500), 1400]
    assert known_heads(heads, 1501) is None
    assert checked_heads(heads, 1501, None) == tuple(heads)
