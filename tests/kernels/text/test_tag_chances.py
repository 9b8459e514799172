"""Probabilities of tags are those of enumeration."""

from itertools import pairwise, product

import numpy as np
import pytest

from headwise.kernels.text.tag_chances import tag_chances
from headwise.text.tags import tag_weights
from tagtoys import TAGS, slots, some_tokens


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("temperature", [15.0, 60.0])
def test_probabilities_are_shares_of_all_ways_to_tag(seed, temperature):
    random = np.random.default_rng(seed)
    lists, tokens = some_tokens(random)
    weights = tag_weights(TAGS, random.integers(-50, 50, 1 << 12).astype(np.int8))
    tags, chances = tag_chances(tokens, weights, np.zeros(0, np.int32), temperature)
    for a, b in pairwise(tokens.starts):
        expected = np.zeros((b - a, len(TAGS)))
        for way in product(*lists[a:b]):
            score = sum(int(weights.table[p]) for p in slots(tokens, weights, a, b, way))
            expected[np.arange(b - a), way] += np.exp(score / temperature)
        expected /= expected.sum(axis=1, keepdims=True)
        found = np.zeros_like(expected)
        for i in range(a, b):
            kept = tags[i] >= 0
            assert sorted(tags[i, kept]) == sorted(lists[i])
            found[i - a, tags[i, kept]] = chances[i, kept]
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_token_with_one_tag_has_it_for_certain():
    _, tokens = some_tokens(np.random.default_rng(1))
    one_each = tokens._replace(
        tag_starts=np.arange(len(tokens.words) + 1),
        tags=np.zeros(len(tokens.words), np.int32),
    )
    weights = tag_weights(TAGS, np.zeros(1 << 12, np.int8))
    tags, chances = tag_chances(one_each, weights, np.zeros(0, np.int32), 1.0)
    assert (tags[:, 0] == 0).all()
    assert (tags[:, 1:] == -1).all()
    np.testing.assert_allclose(chances[:, 0], 1.0)
