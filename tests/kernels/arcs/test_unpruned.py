"""Some arcs score as all do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcweights import (
    FEATURES,
    plausible_of,
    scores_of,
    weights_of,
)
from headwise.kernels.arcs.unpruned import score_unpruned_many
from headwise.scoring.linear import AtomEncoder
from slowarcs import MARGINS, sentences


@pytest.mark.parametrize("kind", ["float", "8 bits"])
@settings(max_examples=20)
@given(sentence=sentences(), data=st.data())
def test_some_arcs_score_as_all_do(kind, sentence, data):
    tokens = AtomEncoder().encode([sentence], [sentence])
    plausible = plausible_of(tokens, data.draw(MARGINS))
    weights, templates = weights_of(kind, 0.5, plausible), FEATURES.compiled()
    size = len(sentence) + 1
    scores = scores_of(FEATURES, tokens, weights)
    every = [(h, m) for h in range(size) for m in range(1, size) if h != m]
    some = data.draw(st.lists(st.sampled_from(every), unique=True))
    heads = np.array([h for h, _ in some], np.int64)
    modifiers = np.array([m for _, m in some], np.int64)
    alive = score_unpruned_many(
        templates,
        tokens.tokens,
        tokens.starts,
        weights,
        heads,
        modifiers,
        np.array([0, len(heads)]),
    )
    assert alive.tolist() == scores.reshape(size, size)[heads, modifiers].tolist()
