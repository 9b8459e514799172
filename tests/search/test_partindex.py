from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from headwise.errors import UsageError
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part


@settings(deadline=None)
@given(
    st.integers(1, 5),
    st.sampled_from(Factorisation),
    st.booleans(),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1.0, 0.6]),
)
def test_exactly_the_parts_over_living_arcs(
    n: int, factorisation: Factorisation, crossing: bool, seed: int, share: float
) -> None:
    """Every part of a tree over unpruned arcs is indexed, once; positions and tokens agree."""
    unpruned = np.random.default_rng(seed).random((n + 1, n + 1)) < share
    index = PartIndex.over(unpruned, factorisation, crossing=crossing)
    wanted: dict[Part, set[tuple[int, ...]]] = {part: set() for part in factorisation.parts}
    for heads in oracle.trees(n, projective=not crossing, single_root=False):
        if all(unpruned[heads[m], m] for m in range(1, n + 1)):
            for part, tokens in oracle.parts_of_tree(heads):
                if part in wanted:
                    wanted[part].add(tokens)
    for part in factorisation.parts:
        tokens = index.tokens(part)
        assert len(tokens) == index.count(part)
        assert (index.find(part, tokens) == np.arange(len(tokens))).all()
        assert wanted[part] <= {tuple(map(int, row)) for row in tokens}


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


def test_dead_parts_are_not_found() -> None:
    unpruned = np.ones((4, 4), bool)
    unpruned[1, 2] = False
    index = PartIndex.over(unpruned, Factorisation.GRAND_TRI_SIBLINGS)
    positions = index.of_tree([-1, 0, 1, 2])
    assert (positions[Part.ARC] >= 0).tolist() == [True, False, True]
    assert (positions[Part.GRANDCHILD] >= 0).tolist() == [True, False, False]
    crossing_tree = [-1, 3, 0, 2, 1][:4]
    assert (index.of_tree(crossing_tree)[Part.GRANDCHILD] >= 0).tolist()[0] is False


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
