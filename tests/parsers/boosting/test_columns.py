"""Features of all contexts that a search may come to, against keys made one by one."""

import numpy as np
import pytest
from boostingtoys import TRAIN

from headwise.parsers.boosting.columns import FeatureIndex
from headwise.parsers.boosting.examples import RARE, VIEWS, link_examples
from headwise.parsers.boosting.features import (
    NOBODY,
    count_keys,
    pairs_of,
    previous_keys,
    static_keys,
    tag_pair_keys,
)
from headwise.parsers.boosting.search import encoder_of
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.unlabelled import projective_heads

HEADS = [np.array(projective_heads(one)) for one in TRAIN[:8]]


def learnt(**settings):
    chosen = BoostingSettings(cutoff=1, **settings)
    encoded = encoder_of(chosen).encode(TRAIN[:8])
    examples = link_examples(encoded, HEADS, chosen)
    return chosen, encoded.sentence(7), FeatureIndex.of(np.sort(examples.keys))


def test_features_are_found_by_their_keys():
    index = FeatureIndex.of(np.array([3, 5, 9], np.uint64))
    assert index.look_up(np.array([[9, 4], [3, 5]], np.uint64)).tolist() == [[2, RARE], [0, 1]]


def test_contexts_have_the_numbers_of_their_keys():
    settings, tokens, index = learnt()
    found = index.of_sentence(tokens, settings)
    assert np.array_equal(index.keys[found.static], static_keys(tokens))
    pair = tag_pair_keys(tokens)
    tags = [
        NOBODY,
        *(tokens.tags[np.argmax(found.tags == n)] for n in range(1, found.tags.max() + 1)),
    ]
    for view, link in enumerate(VIEWS):
        for count in range(settings.counts):
            keys = count_keys(pair, link, np.array([count], np.uint64))
            assert np.array_equal(found.counts[view, count], index.look_up(keys))
        for number, tag in enumerate(tags):
            keys = previous_keys(pair, link, np.array([tag], np.uint64))
            assert np.array_equal(found.previous[view, number], index.look_up(keys))
    assert found.firsts is None


def test_without_dynamic_features_there_is_one_context():
    settings, tokens, index = learnt(dynamic=False)
    found = index.of_sentence(tokens, settings)
    pairs = len(pairs_of(len(tokens.tags))[0])
    assert found.counts.shape == found.previous.shape == (1, 1, pairs)
    assert (found.counts == RARE).all()
    assert not found.tags.any()


@pytest.mark.parametrize("tags", [("VERB", "NOUN"), ("PUNCT",)])
def test_first_modifiers_are_seen_of_some_tags_only(tags):
    settings, tokens, index = learnt(grandchildren=tags, link_score="odds")
    found = index.of_sentence(tokens, settings)
    left, right = pairs_of(len(tokens.tags))
    words = ["", *TRAIN[7].upos]
    for view, modifier in enumerate((left, right)):
        seen = np.array([words[m] in tags for m in modifier])
        assert (found.firsts[view][~seen] == RARE).all()
        assert not seen.any() or (found.firsts[view][seen] != RARE).any()
