"""What dynamic features see of trees, against the words of the definition."""

import numpy as np
import pytest

from headwise.parsers.boosting.features import (
    LEFT,
    NONE,
    RIGHT,
    first_modifiers,
    link_labels,
    modifiers_before,
    pairs_of,
)
from oracle import trees

EVERY = trees(4, projective=True, single_root=False)


@pytest.mark.parametrize("heads", EVERY[::7])
def test_contexts_are_those_of_the_definition(heads):
    size = len(heads)
    counts, nearest = modifiers_before(np.array(heads))
    firsts = first_modifiers(np.array(heads))
    for h in range(size):
        own = [m for m in range(1, size) if heads[m] == h]
        right, left = [m for m in own if m > h], [m for m in reversed(own) if m < h]
        assert firsts[h] == [*right, *left, h][0]
        for m in range(1, size):
            if m != h:
                before = [x for x in own if min(h, m) < x < max(h, m)]
                assert counts[h, m] == len(before)
                assert nearest[h, m] == min(before, key=lambda x: abs(x - m), default=h)


@pytest.mark.parametrize("heads", EVERY[::11])
def test_every_pair_has_its_class(heads):
    left, right = pairs_of(len(heads))
    for i, j, label in zip(left, right, link_labels(np.array(heads)), strict=True):
        expected = RIGHT if heads[j] == i else LEFT if i and heads[i] == j else NONE
        assert label == expected
