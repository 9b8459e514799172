"""Pairs of words as examples, in parts of equal tags."""

import numpy as np
import pytest
from boostingtoys import TRAIN

from headwise.parsers.boosting.contexts import link_labels
from headwise.parsers.boosting.examples import RARE, VIEWS, as_matrix, link_examples, view_keys
from headwise.parsers.boosting.features import pairs_of, static_keys, tag_pair_keys
from headwise.parsers.boosting.search import encoder_of
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.unlabelled import projective_heads

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
