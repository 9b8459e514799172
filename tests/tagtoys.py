"""TagTokens to be tagged, and where the weights of their tags are, feature by feature."""

from collections.abc import Iterator

import numpy as np

from calling import callable_from_python
from headwise.kernels.text.tag_features import TagTokens
from headwise.kernels.text.tag_search import pair_keys, slot_of, triple_keys, triple_slots
from headwise.text.tags import Tag

SLOT_OF = callable_from_python(slot_of)
TAGS = [Tag(u, x, f) for u in "AB" for x in "xy" for f in "_m"]


def slots(tokens: TagTokens, weights, a: int, b: int, tags) -> Iterator[int]:
    """Where the weights of the tags of a sentence are, some of them more than once."""
    shift, outside = weights.shift, len(TAGS)
    for i in range(a, b):
        for part in weights.part_of[tags[i - a]]:
            for x in tokens.features[i][tokens.features[i] != 0]:
                yield SLOT_OF(x ^ weights.part_keys[part], shift)
        previous = tags[i - a - 1] if i > a else outside
        before = tags[i - a - 2] if i > a + 1 else outside
        for x in pair_keys(tokens, weights, i, b, previous, tags[i - a]):
            yield SLOT_OF(np.uint64(x), shift)
        keys = tuple(map(np.uint64, triple_keys(tokens, weights, i, a, previous, tags[i - a])))
        yield from triple_slots(weights, keys, before)


def some_tokens(random: np.random.Generator) -> tuple[list[np.ndarray], TagTokens]:
    """TagTokens of three sentences, and the tags that each may have."""
    starts = np.array([0, 1, 3, 7])
    lists = [random.permutation(len(TAGS))[: random.integers(2, 5)] for _ in range(starts[-1])]
    return lists, TagTokens(
        features=random.integers(0, 4, (starts[-1], 6)).astype(np.uint64),
        words=random.integers(0, 5, starts[-1]).astype(np.uint64),
        classes=random.integers(0, 5, starts[-1]).astype(np.uint64),
        tag_starts=np.cumsum([0, *map(len, lists)]),
        tags=np.concatenate(lists).astype(np.int32),
        starts=starts,
    )
