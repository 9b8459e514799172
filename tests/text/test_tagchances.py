"""Probabilities of tags, by column."""

import numpy as np
import pytest

from headwise.text.tagchances import tag_distributions
from headwise.text.tagger import Tagger, TaggerTraining
from toytreebank import toy_treebank


@pytest.mark.parametrize("feats", [True, False])
def test_columns_are_distributions_whose_best_are_the_tags(feats):
    treebank = toy_treebank(60)
    training = TaggerTraining(members=1, epochs=2, bits=14, feats=feats)
    tagger = Tagger.fit(treebank[:40], training)
    own = treebank[40:]
    found = tag_distributions(tagger, own, 20.0)
    assert list(found) == (["upos", "xpos", "feats"] if feats else ["upos", "xpos"])
    words = sum(map(len, own))
    for names, chances in found.values():
        assert chances.shape == (words, len(names))
        np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    names, chances = found["upos"]
    best = [names[one] for one in chances.argmax(axis=1)]
    right = [tag for one in own for tag in one.upos]
    assert np.mean([a == b for a, b in zip(best, right, strict=True)]) > 0.9
    assert (
        tag_distributions(tagger, own, 200.0)["upos"][1].max(axis=1).mean()
        < chances.max(axis=1).mean()
    )
