"""Parts are found by their indices, and nothing else is."""

from itertools import product

import numpy as np
import pytest

from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part


@pytest.mark.parametrize("factorisation", Factorisation)
@pytest.mark.parametrize("crossing", [False, True])
def test_only_parts_are_found(factorisation: Factorisation, crossing: bool) -> None:
    """Whatever tokens are asked for: the position of that part, or -1 if it is none."""
    rng = np.random.default_rng(3)
    index = PartIndex.over(rng.random((4, 4)) < 0.8, factorisation, crossing=crossing)
    for part in factorisation.parts:
        axes = [range(2) if name == "side" else range(4) for name in part.indices]
        asked = np.array(list(product(*axes)))
        known = {tuple(row): i for i, row in enumerate(index.tokens(part).tolist())}
        expected = [known.get(tuple(row), -1) for row in asked.tolist()]
        assert index.find(part, asked).tolist() == expected


def test_dead_parts_are_not_found() -> None:
    unpruned = np.ones((4, 4), bool)
    unpruned[1, 2] = False
    index = PartIndex.over(unpruned, Factorisation.GRAND_TRI_SIBLINGS)
    positions = index.of_tree([-1, 0, 1, 2])
    assert (positions[Part.ARC] >= 0).tolist() == [True, False, True]
    assert (positions[Part.GRANDCHILD] >= 0).tolist() == [True, False, False]
    crossing_tree = [-1, 3, 0, 2, 1][:4]
    assert (index.of_tree(crossing_tree)[Part.GRANDCHILD] >= 0).tolist()[0] is False
