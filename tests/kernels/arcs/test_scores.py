"""Scores of arcs against a slow scorer that follows the definition of features."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcweights import (
    FEATURES,
    TYPES,
    plausible_of,
    scores_of,
    weights_of,
)
from headwise.scoring.linear import AtomEncoder
from slowarcs import (
    MARGINS,
    keep_plain_twice,
    places,
    sentences,
)


@pytest.mark.parametrize("kind", TYPES)
@settings(max_examples=30)
@given(batch=st.lists(sentences(), min_size=1, max_size=3), margin=MARGINS)
def test_scores_are_the_sums_of_the_weights_of_features(kind, batch, margin):
    encoded = AtomEncoder().encode(batch, batch)
    weights = keep_plain_twice(weights_of(kind, plausible=plausible_of(encoded, margin)))
    table = np.concatenate([weights.wide, weights.narrow]).astype(np.float64)
    out = scores_of(FEATURES, encoded, weights)
    at = 0
    for number, sentence in enumerate(batch):
        size = len(sentence) + 1
        scores = out[at : at + size * size].reshape(size, size)
        at += size * size
        tokens = encoded.sentence(number)
        for h in range(size):
            for m in range(size):
                if m in (0, h):
                    assert scores[h, m] == -np.inf
                    continue
                slow = [*places(FEATURES.templates, tokens, h, m, weights)]
                assert scores[h, m] == 0.5 * table[slow].sum()
