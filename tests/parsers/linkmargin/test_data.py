"""A treebank to learn links from."""

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import SIMILAR, TRAIN

from headwise.corpus.sentence import Sentence
from headwise.parsers.linkmargin.data import margin_data, words_of
from headwise.parsers.linkmargin.links import NO_TIES, SCALES
from headwise.parsers.linkmargin.settings import LinkMarginSettings


def data_of(sentences=TRAIN, similarity=None, **settings):
    return margin_data(sentences, LinkMarginSettings(**settings), similarity, None)


def test_sentences_and_words_are_counted():
    data = data_of()
    assert len(data) == len(TRAIN)
    assert data.words == sum(map(len, TRAIN))
    assert data.ties is NO_TIES
    assert data.single_root


def test_case_is_kept_if_so_chosen():
    sentence = Sentence.from_words(["The", "the"], heads=[2, 0])
    assert words_of(sentence, True) == ["the", "the"]
    assert tuple(words_of(sentence, False)) == ("The", "the")
    assert len(data_of([sentence], lowercase=True).lexicon.known) == 1
    assert len(data_of([sentence], lowercase=False).lexicon.known) == 2


def test_crossing_arcs_are_lifted():
    crossing = Sentence.from_words(["a", "b", "c", "d"], heads=[3, 4, 0, 3])
    assert data_of([crossing]).links.gold.tolist() == [-1, 3, 3, 0, 3]


def test_ties_are_made_where_they_count():
    similarity = made_similarity(SIMILAR)
    assert data_of(similarity=similarity).ties is NO_TIES
    tied = data_of(similarity=similarity, laplacian=1.0)
    assert len(tied.ties.first) > 0
    assert (tied.ties.similarity > 0).all()


@pytest.mark.parametrize(
    ("features", "scales"),
    [
        (("pairs",), (0.0, 0.0, 0.0)),
        (("pairs", "pmi"), (SCALES[0], 0.0, 0.0)),
        (("pairs", "distance"), (0.0, SCALES[1], SCALES[2])),
    ],
)
def test_features_that_are_not_chosen_have_no_scale(features, scales):
    data = data_of(features=features)
    programme = data.programme(LinkMarginSettings(features=features), 3.0)
    assert programme.scales == pytest.approx(scales)
    assert programme.beta == 3.0
    assert programme.pairs == len(np.unique(data.links.pair))
