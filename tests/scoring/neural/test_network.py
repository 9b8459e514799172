"""Whole numbers give the same answers in any batch; with floats, see tests of training."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.learners.neural.batches import NumberedSentences
from headwise.learners.neural.quantising import float_network, quantised
from headwise.scoring.neural import encoder, network
from headwise.scoring.neural.layers import LEVELS
from headwise.scoring.neural.network import EXACT, Network, distance_scores
from toynetworks import random_parameters, random_parser, toy_numbers, toy_vectors


def answers(network: Network, data: NumberedSentences, which: list[int]) -> dict[int, tuple]:
    """All that a network says of each of some sentences, encoded together."""
    pieces = [np.arange(*data.starts[n : n + 2]) for n in which]
    starts = np.cumsum([0, *map(len, pieces)])
    rows = np.concatenate(pieces)
    encoded = network.encode(starts, data.features[rows], data.tags[rows])
    arcs = np.split(network.arc_scores(encoded), np.cumsum(np.diff(starts) ** 2)[:-1])
    heads = np.repeat(starts[:-1], np.diff(starts))
    relations = np.concatenate([s for _, s in network.relation_scores(encoded, heads)])
    tags = np.concatenate([s["upos"] for _, s in network.tag_scores(encoded)])
    return {
        n: (arcs[i], relations[starts[i] : starts[i + 1]], tags[starts[i] : starts[i + 1]])
        for i, n in enumerate(which)
    }


@settings(max_examples=15)
@given(st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True), st.integers(1, 60))
def test_answers_are_the_same_in_any_batch_and_order(which, tokens):
    own, data = random_parser().search().network, toy_numbers()
    wanted = answers(own, data, list(range(12)))
    before = encoder.TOKENS_AT_A_TIME
    encoder.TOKENS_AT_A_TIME = network.TOKENS_AT_A_TIME = max(tokens, 2)
    try:
        found = answers(own, data, which)
    finally:
        encoder.TOKENS_AT_A_TIME = network.TOKENS_AT_A_TIME = before
    for n in which:
        for a, b in zip(found[n], wanted[n], strict=True):
            assert (a == b).all()


def test_activations_are_whole_numbers_within_bounds():
    network, data = random_parser().search().network, toy_numbers()
    encoded = network.encode(data.starts, data.features, data.tags)
    for values, most in (
        (encoded.states, LEVELS),
        (encoded.heads, LEVELS),
        (encoded.relation_heads, LEVELS),
        (encoded.relation_modifiers, LEVELS),
        (encoded.modifiers, EXACT),
    ):
        assert (values == np.rint(values)).all()
        assert np.abs(values).max() <= most
    assert len(np.unique(encoded.states)) > 20  # they are no constants either


def test_whole_numbers_are_near_to_floats():
    data, far = toy_numbers(), []
    for seed in range(4):  # random networks differ: their scores have more or less to tell apart
        parameters = random_parameters(seed)
        exact = float_network(parameters, toy_vectors())
        coarse = Network.of(*quantised(parameters, toy_vectors(), data))
        a, b = (
            one.arc_scores(one.encode(data.starts, data.features, data.tags))
            for one in (exact, coarse)
        )
        far.append(np.abs(a - b).mean() / a.std())
        assert np.corrcoef(a, b)[0, 1] > 0.99
    assert np.mean(far) < 0.05


def test_tags_that_are_given_count():
    network, data = random_parser().search().network, toy_numbers()
    absent = np.full_like(data.tags, -1)
    with_tags = network.arc_scores(network.encode(data.starts, data.features, data.tags))
    without = network.arc_scores(network.encode(data.starts, data.features, absent))
    assert (with_tags != without).any()


def test_a_part_of_encoded_sentences_is_what_it_was():
    network, data = random_parser().search().network, toy_numbers()
    encoded = network.encode(data.starts, data.features, data.tags)
    sizes = np.diff(data.starts)
    begin = int((sizes[:3] ** 2).sum())
    end = begin + int((sizes[3:5] ** 2).sum())
    assert (network.arc_scores(encoded.part(3, 5)) == network.arc_scores(encoded)[begin:end]).all()


@pytest.mark.parametrize("size", [1, 2, 30])
def test_distances(size):
    table = np.arange(42, dtype=np.float32)
    found = distance_scores(table, size)
    for head in range(size):
        for modifier in range(size):
            wanted = 41 if head == 0 else min(max(modifier - head, -20), 20) + 20
            assert found[head, modifier] == wanted


def test_long_sentences_need_little_more_than_their_scores():
    network, size = random_parser().search().network, 1001
    data = toy_numbers()
    rows = np.arange(size) % len(data.features)
    encoded = network.encode(np.array([0, size]), data.features[rows], data.tags[rows])
    network.arc_scores(encoded.part(0, 1))  # what is kept for short ones
    tracemalloc.start()
    found = network.arc_scores(encoded)
    peak = tracemalloc.get_traced_memory()[1] - found.nbytes
    tracemalloc.stop()
    assert peak < 1.2 * 4 * size**2  # the scores once more, in 32 bits
    plain = encoded.heads @ encoded.modifiers.T * np.float32(network.steps["arcs"])
    assert (
        found.reshape(size, size) == plain + distance_scores(network.arrays["arcs.distance"], size)
    ).all()
