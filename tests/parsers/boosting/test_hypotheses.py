"""What classifiers say of all pairs and contexts, and what several of them say together."""

import numpy as np
import pytest
from boostingtoys import NaiveBayes

from headwise.errors import UsageError
from headwise.parsers.boosting.examples import RARE, SentenceColumns, as_matrix
from headwise.parsers.boosting.features import LEFT, NONE, RIGHT
from headwise.parsers.boosting.hypotheses import (
    Ensemble,
    LearntHypothesis,
    LinearHypothesis,
    OneClass,
    combined,
    three_chances,
    used_only,
)

RNG = np.random.default_rng(5)
UNSEEN = np.array([0.5, -1.0, -2.0], np.float32)


def columns_of(features: int = 9, pairs: int = 4) -> SentenceColumns:
    """Three static features, two counts, three tags before, and first modifiers among 5 tokens."""
    drawn = [
        RNG.integers(-1, features, shape).astype(np.int32)
        for shape in ((pairs, 3), (2, 2, pairs), (2, 3, pairs), (2, pairs, 5, 2))
    ]
    drawn[0][:, 0] = [0, 4, RARE, 4]
    return SentenceColumns(*drawn[:3], np.arange(5), drawn[3])


def weights_of(features: int = 9) -> np.ndarray:
    return np.vstack([RNG.normal(size=(features, 3)), np.zeros(3)]).astype(np.float32)


def test_scores_are_sums_of_weights():
    weights, found = weights_of(), columns_of()
    scores = LinearHypothesis(weights, UNSEEN).scores(found)
    assert scores.shape == (2, 2, 3, 4, 3)
    for view, count, tag, pair in np.ndindex(2, 2, 3, 4):
        own = [found.counts[view, count, pair], found.previous[view, tag, pair]]
        static = found.static[pair]
        expected = UNSEEN if static[0] == RARE else weights[static].sum(axis=0)
        expected = expected + weights[own].sum(axis=0)
        np.testing.assert_allclose(scores[view, count, tag, pair], expected, atol=1e-5)


def test_first_modifiers_add_to_the_odds_of_the_link_of_their_view():
    weights, found = weights_of(), columns_of()
    odds = LinearHypothesis(weights, UNSEEN).first_odds(found)
    for view, pair, token in np.ndindex(2, 4, 5):
        own = weights[found.firsts[view, pair, token]].sum(axis=0)
        assert odds[view, pair, token] == pytest.approx(
            own[(LEFT, RIGHT)[view]] - own[NONE], abs=1e-5
        )


def test_any_classifiers_are_asked_for_the_pairs_of_their_tags():
    found = columns_of()
    rows = as_matrix(np.array([[0], [1], [2], [3]], np.int32), slice(0, 4))
    first = NaiveBayes().fit(rows, np.array([0, 1, 0, 1]), np.ones(4))
    other = OneClass(np.array([2]))
    learnt = LearntHypothesis(np.array([0, 4, 9]), [first, other], UNSEEN)
    within = found._replace(
        static=np.array([[0, 1, RARE], [4, 5, 6], [RARE, RARE, RARE], [4, RARE, 8]], np.int32),
        counts=np.full((2, 2, 4), RARE, np.int32),
        previous=np.full((2, 3, 4), RARE, np.int32),
    )
    scores = learnt.scores(within)
    chances = np.exp(scores)
    assert chances[..., 0, :].sum(axis=-1) == pytest.approx(1.0, abs=1e-6)
    assert chances[..., 0, 2] == pytest.approx(1e-9)
    assert chances[..., (1, 3), 2] == pytest.approx(1.0)
    assert scores[..., 2, :] == pytest.approx(np.broadcast_to(UNSEEN, (2, 2, 3, 3)))
    with pytest.raises(UsageError, match="use no other base"):
        learnt.first_odds(within)


def test_classes_that_were_not_met_have_no_chance():
    rows = as_matrix(np.zeros((3, 1), np.int32), slice(0, 1))
    assert three_chances(OneClass(np.array([1])), rows).tolist() == [[0, 1, 0]] * 3


def test_linear_hypotheses_come_to_weights_and_others_to_an_ensemble():
    found, votes = columns_of(), [3.0, 1.0]
    linear = [LinearHypothesis(weights_of(), UNSEEN) for _ in range(2)]
    mean = combined(linear, votes)
    assert isinstance(mean, LinearHypothesis)
    both = Ensemble(linear, votes)
    np.testing.assert_allclose(mean.scores(found), both.scores(found), atol=1e-5)
    np.testing.assert_allclose(mean.first_odds(found), both.first_odds(found), atol=1e-5)
    learnt = LearntHypothesis(np.array([0, 9]), [OneClass(np.array([0]))], UNSEEN)
    assert isinstance(combined([linear[0], learnt], votes), Ensemble)


def test_features_without_weight_are_left_out_but_those_of_tags_are_kept():
    keys = np.array([50, 10, 40, 20, 30], np.uint64)
    weights = np.zeros((6, 3), np.float32)
    weights[2], weights[4] = [1, 0, 0], [0, 2, 0]
    index, small = used_only(keys, np.array([0]), LinearHypothesis(weights, UNSEEN))
    assert index.keys.tolist() == [30, 40, 50]
    assert small.weights.tolist() == [[0, 2, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert index.look_up(np.array([10, 40], np.uint64)).tolist() == [RARE, 1]
