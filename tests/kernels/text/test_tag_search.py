"""Search finds what enumeration finds."""

from itertools import pairwise, product

import numpy as np
import pytest

from headwise.kernels.text.tag_search import BEAM, tag_sentences
from headwise.text.tags import tag_weights
from tagtoys import SLOT_OF, TAGS, slots, some_tokens


def score(tokens, weights, a: int, b: int, tags) -> int:
    """The score of the tags of a sentence, feature by feature."""
    return sum(int(weights.table[p]) for p in slots(tokens, weights, a, b, tags))


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_all_tags_is_found(seed):
    random = np.random.default_rng(seed)
    lists, tokens = some_tokens(random)
    weights = tag_weights(TAGS, random.integers(-50, 50, 1 << 12).astype(np.int8))
    found = tag_sentences(tokens, weights, np.zeros(0, np.int32))
    assert max(map(len, lists)) <= BEAM
    for a, b in pairwise(tokens.starts):
        all_ways = product(*lists[a:b])
        best = max(score(tokens, weights, a, b, way) for way in all_ways)
        assert score(tokens, weights, a, b, found[a:b]) == best


def test_without_a_gap_each_token_gets_its_best_tag_alone():
    random = np.random.default_rng(1)
    lists, tokens = some_tokens(random)
    weights = tag_weights(TAGS, random.integers(-50, 50, 1 << 12).astype(np.int8), gap=0)
    found = tag_sentences(tokens, weights, np.zeros(0, np.int32))

    def local(i: int, parts) -> int:
        seen = tokens.features[i][tokens.features[i] != 0]
        keys = weights.part_keys[parts]
        return sum(
            int(weights.table[SLOT_OF(x ^ key, weights.shift)]) for x in seen for key in keys
        )

    for i, tags in enumerate(lists):
        parts = weights.part_of
        upos = max(local(i, parts[tag, 2:]) for tag in tags)
        left = [tag for tag in tags if local(i, parts[tag, 2:]) == upos]
        assert local(i, parts[found[i]]) == max(local(i, parts[tag]) for tag in left)
