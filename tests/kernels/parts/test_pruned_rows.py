"""Rows are exactly the parts over unpruned arcs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
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
