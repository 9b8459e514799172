"""Climbing in brackets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbing import changes, random_tables
from headwise.errors import ConstraintError
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.parts import Factorisation, Part
from oracle import trees
from strategies import scores_of_tables


@st.composite
def tables(draw, max_words=6):
    """Random tables of all parts of a factorisation; some arcs are dead."""
    size = draw(st.integers(1, max_words)) + 1
    factorisation = draw(st.sampled_from(Factorisation))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    found = random_tables(size, factorisation, rng)
    found[Part.ARC][rng.random((size, size)) < draw(st.sampled_from((0.0, 0.3)))] = -np.inf
    return factorisation, found


def scores_of(factorisation, found):
    higher = {part: table for part, table in found.items() if part is not Part.ARC}
    return scores_of_tables(found[Part.ARC], higher, factorisation, crossing=True)


@settings(deadline=None, max_examples=100)
@given(tables(max_words=6), st.booleans(), st.data())
def test_brackets_are_kept(drawn, single_root, data):
    factorisation, found = drawn
    n = len(found[Part.ARC]) - 1
    low = data.draw(st.integers(1, n))
    high = data.draw(st.integers(low, n))
    brackets = {(low, high), (low, data.draw(st.integers(low, high)))}
    scores = replace(scores_of(factorisation, found), brackets=tuple(brackets))
    shapes = trees(n, projective=False, single_root=single_root)
    decoder = ClimbDecoder(single_root)

    def is_allowed(heads):
        return scores.of_tree(heads) > -np.inf

    if not any(map(is_allowed, shapes)):
        with pytest.raises(ConstraintError):
            decoder.best(scores)
        return
    start, best = decoder.start(scores), decoder.best(scores)
    assert tuple(best.heads) in shapes
    assert is_allowed(tuple(best.heads))
    assert best.score >= start.score
    for changed in changes(tuple(int(head) for head in best.heads), single_root):
        tops = [tuple(tops_of(heads, brackets)) for heads in (best.heads, changed)]
        if tops[0] == tops[1] and is_allowed(changed):
            assert scores.of_tree(changed) <= best.score + 1e-9


def tops_of(heads, brackets):
    """The word by which an arc enters each bracket."""
    for low, high in sorted(brackets):
        yield next(m for m in range(low, high + 1) if not low <= heads[m] <= high)
