"""Search finds what enumeration finds."""

from itertools import pairwise, product

import numpy as np
import pytest

from calling import callable_from_python
from headwise.kernels.tag_features import Tokens
from headwise.kernels.tag_search import (
    BEAM,
    pair_keys,
    place,
    tag_sentences,
    triple_keys,
    triple_places,
)
from headwise.text.tags import Tag, tag_weights

PLACE = callable_from_python(place)
TAGS = [Tag(u, x, f) for u in "AB" for x in "xy" for f in "_m"]


def score(tokens: Tokens, weights, a: int, b: int, tags) -> int:
    """The score of the tags of a sentence, feature by feature."""
    table, shift, outside = weights.table, weights.shift, len(TAGS)
    total = 0
    for i in range(a, b):
        for part in weights.part_of[tags[i - a]]:
            for x in tokens.features[i][tokens.features[i] != 0]:
                total += int(table[PLACE(x ^ weights.part_keys[part], shift)])
        previous = tags[i - a - 1] if i > a else outside
        before = tags[i - a - 2] if i > a + 1 else outside
        for x in pair_keys(tokens, weights, i, b, previous, tags[i - a]):
            total += int(table[PLACE(np.uint64(x), shift)])
        keys = tuple(map(np.uint64, triple_keys(tokens, weights, i, a, previous, tags[i - a])))
        total += sum(int(table[p]) for p in triple_places(weights, keys, before))
    return total


def some_tokens(random: np.random.Generator) -> tuple[list[np.ndarray], Tokens]:
    """Tokens of three sentences, and the tags that each may have."""
    starts = np.array([0, 1, 3, 7])
    lists = [random.permutation(len(TAGS))[: random.integers(2, 5)] for _ in range(starts[-1])]
    return lists, Tokens(
        features=random.integers(0, 4, (starts[-1], 6)).astype(np.uint64),
        words=random.integers(0, 5, starts[-1]).astype(np.uint64),
        classes=random.integers(0, 5, starts[-1]).astype(np.uint64),
        tag_starts=np.cumsum([0, *map(len, lists)]),
        tags=np.concatenate(lists).astype(np.int32),
        starts=starts,
    )


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
        return sum(int(weights.table[PLACE(x ^ key, weights.shift)]) for x in seen for key in keys)

    for i, tags in enumerate(lists):
        parts = weights.part_of
        upos = max(local(i, parts[tag, 2:]) for tag in tags)
        left = [tag for tag in tags if local(i, parts[tag, 2:]) == upos]
        assert local(i, parts[found[i]]) == max(local(i, parts[tag]) for tag in left)
