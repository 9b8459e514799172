"""Features of pairs of words."""

import numpy as np
import pytest

from arcweights import (
    FEATURES,
    scores_of,
    weights_of,
)
from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.pairs import LOOKS
from headwise.scoring.linear import AtomEncoder, FeatureSet
from slowarcs import keep_plain_twice, places


@pytest.mark.parametrize("kind", ["float", "16 bits"])
def test_more_templates_than_looks_that_are_under_way_at_a_time(kind):
    offsets = [offset for offset in range(-9, 10) if offset]
    rows = [
        f"distance h{h}.{tag} h.word m{m:+d}.tag"
        for h in range(-8, 0)
        for m in offsets
        for tag in ("tag", "upos")
    ]
    features = FeatureSet.parse(rows)
    assert len(features.templates) > LOOKS
    sentence = Sentence.from_words(["a", "b", "c"], upos=["X", "Y", "X"], heads=[0, 1, 2])
    encoded, weights = AtomEncoder().encode([sentence]), keep_plain_twice(weights_of(kind))
    table = np.concatenate([weights.wide, weights.narrow]).astype(np.float64)
    out = scores_of(features, encoded, weights).reshape(4, 4)
    tokens = encoded.sentence(0)
    for h, m in ((0, 1), (1, 2), (3, 1), (2, 3)):
        slow = [*places(features.templates, tokens, h, m, weights)]
        assert out[h, m] == 0.5 * table[slow].sum()


def test_pairs_of_words_never_seen_together_cost_nothing():
    """With empty filters, only templates of such pairs are left out."""
    sentence = Sentence.from_words(["forests", "tree", "a"], lemmas=["x", "y", "z"])
    encoded = AtomEncoder().encode([sentence])
    weights = keep_plain_twice(weights_of("float", seen=0.0))
    out = scores_of(FEATURES, encoded, weights)
    table = np.concatenate([weights.wide, weights.narrow]).astype(np.float64)
    tokens = encoded.sentence(0)
    kept = [t for t in FEATURES.templates if t.filtered_by < 0]
    assert 0 < len(kept) < len(FEATURES.templates)
    slow = [*places(kept, tokens, 1, 2, weights)]
    assert out.reshape(4, 4)[1, 2] == 0.5 * table[slow].sum()
