"""Differences and gradients of trees over parts."""

import numpy as np
from hypothesis import given, settings

import oracle
from headwise.kernels.arcs.entries import MIRRORED
from headwise.scoring.linear.partscorer import kernel_columns
from headwise.search.decoders.base import Marginals
from headwise.search.parts import Part
from slowparts import (
    SIZES,
    places,
    problems,
    scorer,
    trees,
)


@settings(max_examples=25)
@given(problem=problems())
def test_rows_are_the_features_that_trees_differ_in(problem):
    tokens, unpruned = problem
    n = len(unpruned) - 1
    found = scorer()
    gold, tree = trees(n), np.array([-1, *range(n)])
    rows = found.differences(tokens, gold, np.stack([tree, gold]))
    assert rows.start[1] == rows.start[2]  # gold less gold
    expected: dict[int, float] = {}
    for heads, sign in ((gold, 1.0), (tree, -1.0)):
        for part, indices in oracle.parts(tuple(heads.tolist())):
            for place in places(part, indices, tokens.atoms) if part is not Part.ARC else ():
                expected[place] = expected.get(place, 0.0) + sign
    got = {
        int(rows.slots[column]): value
        for column, value in zip(rows.column, rows.value, strict=True)
        if (rows.slots[column] & ~MIRRORED) >= SIZES.parts_start and value
    }
    assert got == {place: value for place, value in expected.items() if value}


@settings(max_examples=25)
@given(problem=problems())
def test_a_gradient_at_a_tree_is_the_difference_to_it(problem):
    """If all the probability is on one tree, expected features are the features of that tree."""
    tokens, unpruned = problem
    n = len(unpruned) - 1
    found = scorer()
    gold, tree = trees(n), np.array([-1, *range(n)])
    scores = found.scores_of(tokens, np.ones_like(unpruned))
    arc = np.zeros((n + 1, n + 1))
    arc[tree[1:], np.arange(1, n + 1)] = 1.0
    higher = {part: np.zeros_like(values) for part, values in scores.higher.items()}
    for part, positions in scores.index.of_tree(tree).items():
        if part in higher:
            higher[part][positions] = 1.0
    by_gradient = found.gradient(tokens, gold, scores, Marginals(0.0, 0.0, arc, higher))
    by_tree = found.differences(tokens, gold, tree[None])
    assert vector(by_gradient) == vector(by_tree)


def vector(rows):
    return {
        int(rows.slots[column]): value
        for column, value in zip(rows.column, rows.value, strict=True)
        if value
    }


def test_stop_columns_are_those_of_the_kernel():
    assert kernel_columns(Part.STOP, np.array([[3, 1, 5]])).tolist() == [[1, 3, 3, 3, 5]]
