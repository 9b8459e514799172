"""Scores of higher parts, and of unpruned arcs, against slow scorers that follow the definition."""

import numpy as np
import pytest
from hypothesis import given, settings

from slowparts import (
    places,
    problems,
    scorer,
)


@pytest.mark.parametrize("kind", [np.float32, np.int8])
@settings(max_examples=25)
@given(problem=problems())
def test_parts_score_the_sums_of_the_weights_of_their_features(kind, problem):
    tokens, unpruned = problem
    found = scorer(kind)
    scores = found.scores_of(tokens, unpruned)
    table = found.arcs.tables.weights.astype(np.float64)
    dense = found.arcs.scores(tokens)
    alive = scores.arc > -np.inf
    assert np.array_equal(scores.arc[alive], dense[alive])
    for part in found.parts:
        slow = [
            0.5 * sum(table[place] for place in places(part, indices, tokens.atoms))
            for indices in scores.index.tokens(part).tolist()
        ]
        assert scores.higher[part].tolist() == slow
