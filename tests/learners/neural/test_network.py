"""The network in JAX and in NumPy is one network."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("jax", reason="training needs JAX (the extra neural)")

from headwise.learners.neural.batches import batches_of, filled
from headwise.learners.neural.development import outputs_of
from headwise.learners.neural.losses import sentences_in
from headwise.learners.neural.network import FORBIDDEN, relation_scores
from headwise.learners.neural.quantising import float_network
from headwise.scoring.neural.vocabulary import ABSENT
from toynetworks import TINY, random_parameters, toy_numbers, toy_vectors


@pytest.mark.parametrize(("shown", "characters"), [(True, True), (False, True), (False, False)])
def test_numpy_computes_what_jax_does(shown, characters):
    sizes = TINY if characters else replace(TINY, characters=0)
    data, parameters = toy_numbers(characters=characters), random_parameters(4, sizes)
    tags = data.tags if shown else np.full_like(data.tags, ABSENT)
    network = float_network(parameters, toy_vectors())
    encoded = network.encode(data.starts, data.features, tags)
    arcs = np.split(network.arc_scores(encoded), np.cumsum(data.sizes**2)[:-1])
    named = np.concatenate([one["upos"] for _, one in network.tag_scores(encoded)])
    gold = np.maximum(data.heads, 0) + np.repeat(data.starts[:-1], data.sizes)
    related = np.concatenate([one for _, one in network.relation_scores(encoded, gold)])
    for batch in batches_of(data.sizes, range(len(data)), 256):
        rows = filled(data, batch)
        given = rows.tags if shown else np.full_like(rows.tags, ABSENT)
        outputs = outputs_of(parameters, toy_vectors().as_floats(), rows, given)
        relations = np.asarray(relation_scores(parameters, outputs, rows.heads))
        numbers = [number for row in batch.rows for number in row]
        for number, (row, here) in zip(numbers, sentences_in(rows), strict=True):
            start, end = data.starts[number : number + 2]
            theirs = np.asarray(outputs.arcs)[row, here, here]
            allowed = theirs > FORBIDDEN / 2
            ours = arcs[number].reshape(theirs.shape)
            assert allowed.sum() == (len(ours) - 1) ** 2
            assert ours[allowed] == pytest.approx(theirs[allowed], rel=1e-3, abs=5e-3)
            tags_there = np.asarray(outputs.tags["upos"])[row, here]
            assert named[start:end] == pytest.approx(tags_there, rel=1e-3, abs=5e-3)
            wanted = relations[row, here][1:]
            assert related[start + 1 : end] == pytest.approx(wanted, rel=1e-3, abs=5e-3)


def test_sentences_of_a_row_do_not_see_each_other():
    """Whatever stands beside it, a sentence has the same scores."""
    data, parameters = toy_numbers(), random_parameters()
    vectors = toy_vectors().as_floats()
    alone = filled(data, batches_of(data.sizes, [0], 64)[0])
    together = filled(data, batches_of(data.sizes, range(8), 640)[0])
    size = int(data.sizes[0])
    a, b = (
        np.asarray(outputs_of(parameters, vectors, rows, rows.tags).arcs)[0, :size, :size]
        for rows in (alone, together)
    )
    assert a == pytest.approx(b, rel=1e-4, abs=1e-3)
