import numpy as np
import pytest

import oracle
from headwise.errors import UsageError
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part


def test_the_order_of_parts() -> None:
    index = PartIndex.dense(3, Factorisation.GRAND_SIBLINGS)
    assert index.tokens(Part.ARC).tolist() == [
        [0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 1], [2, 3], [3, 2], [3, 1],
    ]  # fmt: skip
    assert index.tokens(Part.SIBLING)[:6].tolist() == [
        [0, 0, 1], [0, 0, 2], [0, 1, 2], [0, 0, 3], [0, 1, 3], [0, 2, 3],
    ]  # fmt: skip
    assert index.tokens(Part.GRANDCHILD)[3:7].tolist() == [
        [0, 1, 2], [3, 1, 2], [0, 1, 3], [0, 2, 1],
    ]  # fmt: skip
    assert index.tokens(Part.STOP)[:6].tolist() == [
        [0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 1, 2], [0, 1, 3], [1, 0, 1],
    ]  # fmt: skip


@pytest.mark.parametrize("crossing", [True, False])
def test_the_parts_of_a_tree(crossing: bool) -> None:
    index = PartIndex.dense(5, Factorisation.GRAND_TRI_SIBLINGS, crossing=crossing)
    for heads in oracle.trees(5, projective=not crossing, single_root=True)[::7]:
        for part, positions in index.of_tree(heads).items():
            expected = sorted(
                tokens for kind, tokens in oracle.parts_of_tree(heads) if kind is part
            )
            assert sorted(map(tuple, index.tokens(part)[positions].tolist())) == expected


def test_wrong_calls() -> None:
    index = PartIndex.dense(3, Factorisation.SIBLINGS)
    for part, tokens in (
        (Part.SIBLING, [[1, 2, 4]]),
        (Part.SIBLING, [[-1, 2, 3]]),
        (Part.SIBLING, [[1, 2]]),
        (Part.STOP, [[1, 2, 2]]),
    ):
        with pytest.raises(UsageError):
            index.find(part, np.array(tokens))
    for heads in ([-1, 0, 1], [-1, 0, 1, 2, 3], [-1, 0, 1, 9]):
        with pytest.raises(UsageError):
            index.of_tree(heads)
    with pytest.raises(UsageError, match="square"):
        PartIndex.over(np.ones((3, 4), bool), Factorisation.ARCS)
    with pytest.raises(UsageError, match="arcs have no sibling parts"):
        PartIndex.dense(3, Factorisation.ARCS).count(Part.SIBLING)
