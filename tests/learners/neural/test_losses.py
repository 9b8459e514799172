"""Losses over trees are what enumeration says, and gradients what differences say."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="training needs JAX (the extra neural)")

import oracle
from headwise.learners.neural.batches import batches_of, filled
from headwise.learners.neural.losses import (
    LOSSES,
    cross_entropy,
    local_loss,
    neighbour_loss,
    sentences_in,
    structured,
    total_loss,
)
from headwise.learners.neural.network import Outputs, neighbour_scores, relation_scores
from headwise.learners.neural.settings import DropoutRates
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS, UNKNOWN
from headwise.scoring.neural.wordfeatures import WORD
from headwise.search.decoders.choice import decoder_of
from headwise.search.scores import Scores
from toynetworks import TINY, random_parameters, toy_numbers, toy_vectors


def random_scores(n, seed):
    return np.random.default_rng(seed).standard_normal((n + 1, n + 1))


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_losses_by_enumeration(n, projective):
    arcs = random_scores(n, n)
    trees = oracle.trees(n, projective=projective, single_root=True)
    gold = np.array(trees[len(trees) // 2])
    words = np.arange(1, n + 1)
    totals = np.array([arcs[list(tree[1:]), words].sum() for tree in trees])
    wrong = np.array([sum(h != g for h, g in zip(t[1:], gold[1:], strict=True)) for t in trees])
    own = arcs[gold[1:], words].sum()
    decoder = decoder_of(projective=projective, higher=False, single_root=True)
    gold_arcs = np.zeros_like(arcs)
    gold_arcs[gold[1:], words] = 1.0
    crf, marginals = LOSSES["crf"](decoder, Scores(arcs), gold)
    assert crf == pytest.approx(np.log(np.exp(totals).sum()) - own)
    likely = np.exp(totals) / np.exp(totals).sum()
    expected = np.zeros_like(arcs)
    for tree, chance in zip(trees, likely, strict=True):
        expected[list(tree[1:]), words] += chance
    assert marginals == pytest.approx(expected - gold_arcs, abs=1e-9)
    hinge, found = LOSSES["hinge"](decoder, Scores(arcs), gold)
    assert hinge == pytest.approx((totals + wrong).max() - own)
    best = trees[int((totals + wrong).argmax())]
    assert (found + gold_arcs)[list(best[1:]), words].tolist() == [1.0] * n


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_losses_of_partial_trees_by_enumeration(seed, projective):
    n, words = 4, np.arange(1, 5)
    arcs, random = random_scores(n, seed), np.random.default_rng(seed)
    trees = oracle.trees(n, projective=projective, single_root=True)
    gold = np.array(trees[random.integers(len(trees))])
    gold[1 + random.permutation(n)[:2]] = -1
    known = gold[1:] >= 0
    totals = np.array([arcs[list(tree[1:]), words].sum() for tree in trees])
    agree = np.array([bool((np.array(t[1:]) == gold[1:])[known].all()) for t in trees])
    decoder = decoder_of(projective=projective, higher=False, single_root=True)
    crf, gradient = LOSSES["crf"](decoder, Scores(arcs), gold)
    likely = np.exp(totals) / np.exp(totals).sum()
    assert crf == pytest.approx(-np.log(likely[agree].sum()))
    expected = np.zeros_like(arcs)
    given = np.where(agree, likely, 0) / likely[agree].sum()
    for tree, chance in zip(trees, likely - given, strict=True):
        expected[list(tree[1:]), words] += chance
    assert gradient == pytest.approx(expected, abs=1e-9)
    hinge, _ = LOSSES["hinge"](decoder, Scores(arcs), gold)
    wrong = np.array([(np.array(t[1:]) != gold[1:])[known].sum() for t in trees])
    assert hinge == pytest.approx((totals + wrong).max() - totals[agree].max())


@pytest.mark.parametrize("name", ["local", "crf", "hinge"])
def test_gradients_are_differences(name):
    data = toy_numbers(4)
    rows = filled(data, batches_of(data.sizes, range(4), 128)[0])
    decoder = decoder_of(projective=True, higher=False, single_root=True)
    random = np.random.default_rng(2)
    arcs = random.standard_normal((*rows.heads.shape, rows.heads.shape[1])).astype(np.float32)
    same = rows.sentence[:, :, None] == rows.sentence[:, None, :]
    arcs = np.where(same & ~rows.first[:, None, :], arcs, np.float32(-1e9))
    for place in range(arcs.shape[1]):
        arcs[:, place, place] = -1e9

    def loss(values):
        if name == "local":
            return local_loss(values, rows, 0.0)
        return structured(LOSSES[name], decoder, values, rows)

    gradient = np.asarray(jax.grad(loss)(arcs))
    row, here = next(sentences_in(rows))
    for head, modifier in [(here.start, here.start + 1), (here.start + 2, here.start + 1)]:
        step = 0.05
        up, down = arcs.copy(), arcs.copy()
        up[row, head, modifier] += step
        down[row, head, modifier] -= step
        slope = (float(loss(up)) - float(loss(down))) / (2 * step)
        assert gradient[row, head, modifier] == pytest.approx(slope, abs=0.02)


def toy_rows():
    """Sentences of which several share a row, which has room left."""
    data = toy_numbers(6)
    return filled(data, batches_of(data.sizes, range(6), 192)[0])


def test_neighbours_are_the_words_beside_a_token_in_its_sentence():
    rows, random = toy_rows(), np.random.default_rng(1)
    parameters = random_parameters(2)
    guessed = 9  # of more words: the others are unknown
    for name in ("neighbours.words", "neighbours.words.bias"):
        parameters[name] = parameters[name][..., :guessed]
    states = random.standard_normal((*rows.heads.shape, 2 * TINY.units)).astype(np.float32)
    nothing = np.empty(0)
    outputs = Outputs(nothing, nothing, nothing, {}, states)
    after, before = (
        np.asarray(jax.nn.log_softmax(one)) for one in neighbour_scores(parameters, outputs)
    )
    expected = 0.0
    for row, here in sentences_in(rows):
        words = rows.features[row, here, WORD]
        assert (words >= guessed).any()
        words = np.where(words < guessed, words, UNKNOWN)
        for place, word in enumerate(words[1:], 1):  # the first one is the root
            expected -= after[row, here.start + place - 1, word]
            if place + 1 < len(words):
                expected -= before[row, here.start + place + 1, word]
    assert float(neighbour_loss(parameters, outputs, rows)) == pytest.approx(expected, rel=1e-4)


def test_the_total_is_the_mean_of_its_parts_and_smooths_heads_and_relations_only():
    rows, parameters = toy_rows(), random_parameters(2)
    given = (parameters, toy_vectors().as_floats(), rows, jax.random.key(0))
    rates = DropoutRates(words=0.0, features=0.0, layers=0.0)
    total, outputs = total_loss(*given, rates, None, None, 0.2, 0.7)
    relations = relation_scores(parameters, outputs, rows.heads)
    parts = [local_loss(outputs.arcs, rows, 0.2), cross_entropy(relations, rows.relations, 0.2)]
    parts += [
        cross_entropy(outputs.tags[name], rows.tags[:, :, number])
        for number, name in enumerate(TAG_COLUMNS)
        if name in outputs.tags
    ]
    words = int((rows.heads != ABSENT).sum())
    assert float(total) == pytest.approx(
        float(sum(parts) + 0.7 * neighbour_loss(parameters, outputs, rows)) / words, rel=1e-4
    )
