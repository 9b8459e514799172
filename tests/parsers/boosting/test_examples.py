"""Pairs of words as examples, in parts of equal tags; all contexts that a search may meet."""

import numpy as np
import pytest
from boostingtoys import TRAIN

from headwise.learners.crossing import projective_heads
from headwise.parsers.boosting.examples import (
    RARE,
    VIEWS,
    FeatureIndex,
    as_matrix,
    link_examples,
    view_keys,
)
from headwise.parsers.boosting.features import (
    NOBODY,
    count_keys,
    link_labels,
    pairs_of,
    previous_keys,
    static_keys,
    tag_pair_keys,
)
from headwise.parsers.boosting.search import encoder_of
from headwise.parsers.boosting.settings import BoostingSettings

SENTENCES = TRAIN[:6]
HEADS = [np.array(projective_heads(one)) for one in SENTENCES]


def examples_of(**settings):
    chosen = BoostingSettings(**settings)
    encoded = encoder_of(chosen).encode(SENTENCES)
    return chosen, encoded, link_examples(encoded, HEADS, chosen)


@pytest.mark.parametrize("dynamic", [False, True])
def test_every_pair_is_in_the_part_of_its_tags(dynamic):
    _, encoded, found = examples_of(dynamic=dynamic, cutoff=1)
    tags = np.concatenate([tag_pair_keys(encoded.sentence(n)) for n in range(len(SENTENCES))])
    assert found.parts == len(set(tags.tolist()))
    assert found.views == (2 if dynamic else 1)
    assert sorted(found.order.tolist()) == list(range(len(tags)))
    for part in range(found.parts):
        assert len(set(tags[found.pairs(part)].tolist())) == 1
        assert len(found.pairs(part)) % found.views == 0
    sizes = [len(pairs_of(len(one) + 1)[0]) for one in SENTENCES]
    assert np.diff(found.sentences).tolist() == sizes
    assert found.labels.tolist() == np.concatenate(list(map(link_labels, HEADS))).tolist()


def test_features_are_those_whose_keys_an_example_has():
    settings, encoded, found = examples_of(cutoff=1, grandchildren=("ADP",), link_score="odds")
    at = 0
    for number, heads in enumerate(HEADS):
        tokens = encoded.sentence(number)
        views = [view_keys(tokens, heads, link, settings) for link in VIEWS]
        for pair, row in enumerate(static_keys(tokens).tolist()):
            assert found.keys[found.static[at + pair]].tolist() == row
            for view, keys in enumerate(views):
                own = found.dynamic[view, at + pair]
                for column, key in zip(own, keys[pair].tolist(), strict=True):
                    assert (column == RARE) if key == 0 else found.keys[column] == key
        at += len(pairs_of(len(heads))[0])


def test_rare_features_are_left_out_but_those_of_tags_are_not():
    _, _, every = examples_of(cutoff=1, dynamic=False)
    _, _, found = examples_of(cutoff=4, dynamic=False)
    assert found.parts == every.parts
    assert (found.static[:, 0] != RARE).all()
    keys, times = np.unique(every.keys[every.static], return_counts=True)
    kept = {key for key, count in zip(keys.tolist(), times.tolist(), strict=True) if count >= 4}
    tags = set(every.keys[every.static[:, 0]].tolist())
    assert set(found.keys.tolist()) == kept | tags


def test_rows_of_ones():
    matrix = as_matrix(np.array([[5, RARE], [RARE, RARE], [7, 6]], np.int32), slice(5, 9))
    assert matrix.toarray().tolist() == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]]


def test_the_matrix_of_a_part_has_a_row_for_each_view_of_a_pair():
    _, _, found = examples_of(cutoff=1)
    for part in range(found.parts):
        rows = found.matrix(part).toarray()
        assert rows.shape == (
            len(found.pairs(part)),
            len(range(*found.features(part).indices(9**9))),
        )
        assert (rows.sum(axis=1) == found.static.shape[1] + found.dynamic.shape[2]).all()


EIGHT_HEADS = [np.array(projective_heads(one)) for one in TRAIN[:8]]


def learnt(**settings):
    chosen = BoostingSettings(cutoff=1, **settings)
    encoded = encoder_of(chosen).encode(TRAIN[:8])
    examples = link_examples(encoded, EIGHT_HEADS, chosen)
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
