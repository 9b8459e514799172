"""Brackets that cross."""

from hypothesis import given
from hypothesis import strategies as st

from headwise.search.bracketing import as_brackets
from headwise.search.levels import crossing_pair


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 5)), max_size=4))
def test_brackets_that_cross_are_found(pairs: list[tuple[int, int]]) -> None:
    brackets = as_brackets([(low, min(low + more, 9)) for low, more in pairs], 9)
    crossing = any(a < c <= b < d for a, b in brackets for c, d in brackets)
    found = crossing_pair(brackets)
    assert (found is not None) == crossing
    if found is not None:
        (a, b), (c, d) = found
        assert a < c <= b < d
