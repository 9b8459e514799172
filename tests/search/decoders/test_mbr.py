"""Minimum Bayes risk over dependency trees against enumeration of all trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.errors import UsageError
from headwise.search.decoders.mbr import exact_mbr, mbr_predict, mbr_rerank
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation
from oracle import Oracle, trees
from strategies import make_problem


def decoder_of(projective, single_root):
    return (ProjectiveDecoder if projective else NonProjectiveDecoder)(single_root)


def right_arcs(a, b, labels=None, others=None):
    """How many words have the same head, and label, in two trees."""
    heads = np.array(a[1:]) == np.array(b[1:])
    if labels is not None:
        heads = heads & (np.array(labels[1:]) == np.array(others[1:]))
    return int(heads.sum())


@st.composite
def lists(draw, most_words=5, most_trees=6):
    """Candidates of a sentence: heads, labels, probabilities, and the kind of trees they are."""
    n = draw(st.integers(1, most_words))
    projective, single_root = draw(st.booleans()), draw(st.booleans())
    everything = trees(n, projective=projective, single_root=single_root)
    count = draw(st.integers(1, most_trees))
    chosen = draw(st.lists(st.sampled_from(everything), min_size=count, max_size=count))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    labels = rng.integers(0, 3, (count, n + 1))
    probabilities = rng.integers(0, 4, count) + (0.0 if draw(st.booleans()) else rng.random(count))
    probabilities[draw(st.integers(0, count - 1))] += 1.0
    return np.array(chosen), labels, probabilities / probabilities.sum(), projective, single_root


@settings(max_examples=80, deadline=None)
@given(lists())
def test_prediction_is_the_best_of_all_trees(problem):
    heads, _, weights, projective, single_root = problem
    found = mbr_predict(decoder_of(projective, single_root), heads, weights)
    everything = trees(heads.shape[1] - 1, projective=projective, single_root=single_root)
    values = {
        tree: sum(w * right_arcs(tree, one) for one, w in zip(heads, weights, strict=True))
        for tree in everything
    }
    assert found.relations is None
    assert found.expected == pytest.approx(max(values.values()))
    assert values[tuple(found.heads.tolist())] == pytest.approx(found.expected)


@settings(max_examples=80, deadline=None)
@given(lists(most_words=4))
def test_labelled_prediction_is_the_best_of_all_labelled_trees(problem):
    heads, labels, weights, projective, single_root = problem
    found = mbr_predict(decoder_of(projective, single_root), heads, weights, labels)

    def value(tree):
        """The best that labels can make of a tree: each word's label is chosen alone."""
        total = 0.0
        for word in range(1, len(tree)):
            same = [heads[:, word] == tree[word]] & (labels[:, word] == np.arange(3)[:, None])
            total += (same * weights).sum(axis=1).max()
        return total

    everything = trees(heads.shape[1] - 1, projective=projective, single_root=single_root)
    assert found.expected == pytest.approx(max(map(value, everything)))
    real = sum(
        w * right_arcs(found.heads, one, found.relations, own)
        for one, own, w in zip(heads, labels, weights, strict=True)
    )
    assert real == pytest.approx(found.expected)


@settings(max_examples=80, deadline=None)
@given(lists(), st.booleans())
def test_reranking_is_the_candidate_of_least_risk_under_every_loss(problem, labelled):
    heads, labels, weights, projective, single_root = problem
    own = labels if labelled else None

    def loss(chosen, right):
        pair = (labels[chosen], labels[right]) if labelled else ()
        return heads.shape[1] - 1 - right_arcs(heads[chosen], heads[right], *pair)

    risks = [
        sum(w * loss(chosen, right) for right, w in enumerate(weights))
        for chosen in range(len(heads))
    ]
    number, risk = mbr_rerank(heads, weights, own)
    assert risk == pytest.approx(min(risks))
    assert number == next(i for i, one in enumerate(risks) if one < min(risks) + 1e-9)
    assert mbr_rerank(heads, weights, loss=loss) == (number, pytest.approx(risk))
    found = mbr_predict(decoder_of(projective, single_root), heads, weights, own)
    assert found.expected >= heads.shape[1] - 1 - risk - 1e-9  # equation 1 is no worse than 2


def test_any_loss_can_be_given():
    heads = np.array([[-1, 0, 1, 2], [-1, 0, 1, 1], [-1, 2, 0, 2]])
    weights = np.array([0.4, 0.3, 0.3])

    def root(chosen, right):
        return float((heads[chosen] == 0).argmax() != (heads[right] == 0).argmax())

    assert mbr_rerank(heads, weights, loss=root) == (0, pytest.approx(0.3))
    assert mbr_rerank(heads, weights, loss=lambda chosen, right: -float(chosen))[0] == 2
    with pytest.raises(UsageError, match="finite"):
        mbr_rerank(heads, weights, loss=lambda chosen, right: np.nan)


@settings(max_examples=60, deadline=None)
@given(lists(), st.integers(0, 5))
def test_with_all_mass_on_one_candidate_it_is_the_answer(problem, number):
    heads, labels, weights, projective, single_root = problem
    number %= len(heads)
    weights = np.zeros(len(heads))
    weights[number] = 3.0  # need not sum to 1
    found = mbr_predict(decoder_of(projective, single_root), heads, weights, labels)
    assert found.heads.tolist() == heads[number].tolist()
    assert found.relations[1:].tolist() == labels[number, 1:].tolist()
    assert heads[mbr_rerank(heads, weights)[0]].tolist() == heads[number].tolist()


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 4),
    st.sampled_from(list(Factorisation)),
    st.booleans(),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.5, 1.0]),
)
def test_exact_mbr_is_mbr_of_the_list_of_all_trees_at_every_order(n, parts, single, seed, factor):
    problem = make_problem(n, parts, seed)
    oracle = Oracle(problem.tables, single_root=single)
    heads = np.array([tree for _, tree in oracle.ranked])
    weights = np.exp(factor * (oracle.scores - oracle.scores.max()))
    decoder = ProjectiveDecoder(single)
    found = exact_mbr(decoder, problem.scores(), factor)
    listed = mbr_predict(decoder, heads, weights)
    assert found.expected == pytest.approx(listed.expected)
    assert found.heads.tolist() == listed.heads.tolist()


def test_exact_mbr_without_projectivity():
    problem = make_problem(4, Factorisation.ARCS, 7)
    oracle = Oracle(problem.tables, projective=False, single_root=True)
    heads = np.array([tree for _, tree in oracle.ranked])
    decoder = NonProjectiveDecoder()
    listed = mbr_predict(decoder, heads, oracle.probabilities)
    assert exact_mbr(decoder, problem.scores()).heads.tolist() == listed.heads.tolist()


def test_equal_trees_are_decided_for_the_most_probable_then_the_first():
    heads = np.array([[-1, 2, 0, 2], [-1, 0, 1, 2]])
    labels = np.array([[0, 1, 1, 1], [0, 2, 2, 2]])
    for order in ([0, 1], [1, 0]):
        found = mbr_predict(ProjectiveDecoder(), heads[order], np.ones(2), labels[order])
        assert found.heads.tolist() == heads[order[0]].tolist()
        # Word 3 has one head, and two relations of the same weight.
        assert found.relations[3] == labels[order[0], 3]
        assert mbr_rerank(heads[order], np.ones(2))[0] == 0


@pytest.mark.parametrize("weights", [[0.0, 0.0], [np.nan, 1.0], [-0.1, 1.0], [1.0]])
def test_probabilities_are_checked(weights):
    heads = np.array([[-1, 0], [-1, 0]])
    with pytest.raises(UsageError):
        mbr_predict(ProjectiveDecoder(), heads, np.array(weights))


def test_candidates_are_checked():
    with pytest.raises(UsageError, match="non-empty"):
        mbr_rerank(np.empty((0, 3), np.int64), np.empty(0))
    with pytest.raises(UsageError, match="outside"):
        mbr_rerank(np.array([[-1, 2]]), np.ones(1))
    with pytest.raises(UsageError, match="relations"):
        mbr_rerank(np.array([[-1, 0]]), np.ones(1), np.zeros((1, 3), np.int64))
