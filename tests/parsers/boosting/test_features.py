"""What the link classifier sees of a pair, against the words of the definition."""

from itertools import pairwise

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.parsers.boosting.features import (
    ACROSS,
    DISTANCES,
    LEFT,
    NONE,
    RIGHT,
    STATIC,
    count_keys,
    first_modifiers,
    first_tag_keys,
    first_word_keys,
    have_tags,
    link_labels,
    modifiers_before,
    pairs_of,
    previous_keys,
    static_keys,
    tag_pair_keys,
)
from headwise.parsers.boosting.search import encoder_of
from headwise.parsers.boosting.settings import BoostingSettings
from oracle import trees

FORMS = ["The", "old", "dog", "saw", "the", "old", "cat"]
TAGS = ["DET", "ADJ", "NOUN", "VERB", "DET", "ADJ", "NOUN"]


def tokens_of(forms, tags):
    encoder = encoder_of(BoostingSettings())
    return encoder.encode([Sentence.from_words(forms, upos=tags, xpos=tags)]).sentence(0)


def seen_of(pair, template):
    """The words and tags that a template looks at, as text."""
    i, j = pair
    words = ["<root>", *(form.lower() for form in FORMS)]
    tags = ["<outside>", "<root>", *TAGS, "<outside>"]  # of token t: t + 1
    values = {
        "left word": words[i],
        "right word": words[j],
        "left tag": tags[i + 1],
        "right tag": tags[j + 1],
        "before left": tags[i],
        "after left": tags[i + 2],
        "before right": tags[j],
        "after right": tags[j + 2],
        "distance": sum(j - i >= one for one in DISTANCES),
    }
    return tags[i + 1], tags[j + 1], *(values[name] for name in template)


def test_all_pairs_come_once_the_left_token_first():
    left, right = pairs_of(4)
    assert list(zip(left, right, strict=True)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize("column", range(len(STATIC)))
def test_keys_are_equal_where_what_is_seen_is(column):
    keys = static_keys(tokens_of(FORMS, TAGS))[:, column].tolist()
    left, right = pairs_of(len(FORMS) + 1)
    seen = [seen_of(pair, STATIC[column]) for pair in zip(left, right, strict=True)]
    assert len(set(keys)) == len(set(seen)) == len(set(zip(keys, seen, strict=True)))


def test_the_first_template_is_the_pair_of_tags():
    tokens = tokens_of(FORMS, TAGS)
    assert np.array_equal(static_keys(tokens)[:, 0], tag_pair_keys(tokens))


@pytest.mark.parametrize("column", range(len(ACROSS)))
def test_a_single_classifier_sees_words_and_tags_apart(column):
    keys = static_keys(tokens_of(FORMS, TAGS), partition=False)[:, column].tolist()
    left, right = pairs_of(len(FORMS) + 1)
    seen = [seen_of(pair, ACROSS[column])[2:] for pair in zip(left, right, strict=True)]
    assert len(set(keys)) == len(set(seen)) == len(set(zip(keys, seen, strict=True)))


def test_a_single_classifier_has_the_features_of_all_pairs_of_tags():
    tokens = tokens_of(FORMS, TAGS)
    keys = static_keys(tokens, partition=False)
    assert np.array_equal(keys[:, len(ACROSS) :], static_keys(tokens))
    assert len(set(keys[:, 0].tolist())) == 1
    assert all(set(a.tolist()).isdisjoint(b.tolist()) for a, b in pairwise(keys.T))


def test_templates_and_views_have_keys_of_their_own():
    pair, value = np.array([7], np.uint64), np.array([3], np.uint64)
    kinds = (count_keys, previous_keys, first_tag_keys, first_word_keys)
    keys = [kind(pair, link, value)[0] for kind in kinds for link in (1, 2)]
    assert len(set(keys)) == len(keys)


def test_tags_of_either_kind_are_found():
    tokens = encoder_of(BoostingSettings()).encode(
        [Sentence.from_words(["in", "of", "it"], upos=["ADP", "X", "PRON"], xpos=["Y", "IN", "Z"])]
    )
    assert have_tags(tokens.sentence(0), ("ADP", "IN")).tolist() == [False, True, True, False]
    assert not have_tags(tokens.sentence(0), ()).any()


EVERY = trees(4, projective=True, single_root=False)


@pytest.mark.parametrize("heads", EVERY[::7])
def test_contexts_are_those_of_the_definition(heads):
    size = len(heads)
    counts, nearest = modifiers_before(np.array(heads))
    firsts = first_modifiers(np.array(heads))
    for h in range(size):
        own = [m for m in range(1, size) if heads[m] == h]
        right, left = [m for m in own if m > h], [m for m in reversed(own) if m < h]
        assert firsts[h] == [*right, *left, h][0]
        for m in range(1, size):
            if m != h:
                before = [x for x in own if min(h, m) < x < max(h, m)]
                assert counts[h, m] == len(before)
                assert nearest[h, m] == min(before, key=lambda x: abs(x - m), default=h)


@pytest.mark.parametrize("heads", EVERY[::11])
def test_every_pair_has_its_class(heads):
    left, right = pairs_of(len(heads))
    for i, j, label in zip(left, right, link_labels(np.array(heads)), strict=True):
        expected = RIGHT if heads[j] == i else LEFT if i and heads[i] == j else NONE
        assert label == expected
