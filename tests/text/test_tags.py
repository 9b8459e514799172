"""Tags in three parts, as weights see them."""

import numpy as np

from headwise.text.tags import NO_GAP, Tag, tag_weights, upos_hashes

TAGS = [
    Tag("NOUN", "NN", "Number=Sing"),
    Tag("NOUN", "NN", "Number=Plur"),
    Tag("NOUN", "NNP", "Number=Sing"),
    Tag("VERB", "NN", "Number=Sing"),
]


def weights(tags=TAGS, size: int = 1 << 10, **options):
    return tag_weights(tags, np.zeros(size, np.int16), **options)


def test_tags_share_the_parts_that_they_have_in_common():
    parts = weights().part_of
    whole, middle, coarse = parts.T.tolist()
    assert len(set(whole)) == 4
    assert middle[0] == middle[1]
    assert len(set(middle)) == 3
    assert coarse[0] == coarse[1] == coarse[2] != coarse[3]
    assert not set(whole) & set(middle) & set(coarse)


def test_every_part_has_a_key_of_its_own():
    found = weights()
    assert len(set(found.part_keys.tolist())) == len(found.part_keys) == parts_of(found)
    assert len(found.transition_keys) == len(found.coarse_keys) == len(TAGS) + 1  # and outside
    assert found.transition_keys[-1] == found.coarse_keys[-1]
    assert found.transition_keys[0] == found.transition_keys[1] != found.transition_keys[2]


def parts_of(found) -> int:
    return int(found.part_of.max()) + 1


def test_the_shift_is_that_of_the_size():
    for bits in (4, 10, 20):
        found = weights(size=1 << bits)
        assert (np.uint64(2**64 - 1) >> found.shift) == (1 << bits) - 1
    assert weights().gap == NO_GAP
    assert weights(gap=7).gap == 7


def test_parts_of_different_columns_are_never_one():
    a, b = tag_weights([Tag("X", "Y", "_"), Tag("Y", "X", "_")], np.zeros(16, np.int8)).part_of
    assert not set(a.tolist()) & set(b.tolist())


def test_equal_upos_have_equal_hashes():
    a, b, c, d = upos_hashes(TAGS).tolist()
    assert a == b == c != d
