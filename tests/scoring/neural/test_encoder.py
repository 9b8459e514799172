"""The encoder of a network: sentences in chunks, and what it reads of words."""

import numpy as np

from headwise.scoring.neural.encoder import TOKENS_AT_A_TIME, chunks
from toynetworks import random_parser, toy_numbers


def test_chunks_have_every_sentence_once_and_are_bounded():
    sizes = np.array([3, 50, 2001, 7, 7, 7, *[2] * 300])
    starts = np.cumsum([0, *sizes])
    found = list(chunks(starts))
    assert sorted(np.concatenate(found).tolist()) == list(range(len(sizes)))
    for chunk in found:
        assert len(chunk) == 1 or sizes[chunk].max() * len(chunk) <= TOKENS_AT_A_TIME
        assert (np.diff(sizes[chunk]) <= 0).all()


def test_words_that_come_again_are_read_once():
    encoder, data = random_parser().search().network.encoder, toy_numbers()
    twice = np.concatenate([data.features, data.features])
    gates, index = encoder.distinct_inputs(twice)
    assert len(gates[0]) == len(np.unique(data.features, axis=0))
    assert (index[: len(data.features)] == index[len(data.features) :]).all()
