import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.search.bracketing import are_kept, as_brackets, shared_brackets
from oracle import trees


def test_brackets_are_pairs_outer_before_inner() -> None:
    given_pairs = [[2, np.int64(3)], (1, 1), (2, 4), (2, 3)]
    assert as_brackets(given_pairs, 4) == ((1, 1), (2, 4), (2, 3))


@pytest.mark.parametrize(
    "bracket", [(1.5, 2), (1,), (1, 2, 3), 4, ("1", "2"), (3, 2), (0, 2), (2, 6)]
)
def test_what_is_no_bracket(bracket: object) -> None:
    with pytest.raises(UsageError, match="bracket"):
        as_brackets([bracket], 5)  # type: ignore[list-item]


def test_a_bracket_is_kept_by_the_trees_in_which_it_is_a_subtree() -> None:
    for heads in trees(4, projective=False, single_root=False):
        for low, high in ((1, 2), (2, 3), (2, 2), (1, 4)):
            under = set(range(low, high + 1))
            subtrees = [descendants(heads, top) for top in under]
            assert are_kept(np.array(heads), [(low, high)]) == (under in subtrees)


def descendants(heads: tuple[int, ...], top: int) -> set[int]:
    found = {top}
    while True:
        more = {m for m in range(1, len(heads)) if heads[m] in found} | found
        if more == found:
            return found
        found = more


def test_how_many_brackets_two_tokens_share() -> None:
    shared = shared_brackets(((1, 3), (2, 3)), 5)
    assert shared[2].tolist() == [0, 1, 2, 2, 0]
