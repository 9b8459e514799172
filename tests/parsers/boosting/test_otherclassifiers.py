"""Linear classifiers of others as weights."""

import numpy as np
import pytest
from boostingtoys import TRAIN, NaiveBayes, Softmax
from scipy.sparse import csr_array

from headwise.parsers.boosting.classifier import log_normalised
from headwise.parsers.boosting.hypotheses import LEAST, LinearHypothesis, OneClass, three_chances
from headwise.parsers.boosting.otherclassifiers import is_linear, weights_of
from headwise.parsers.boosting.parser import BoostedParser

FLOOR = np.log(LEAST)
"""Probabilities of classifiers are kept above it; weights give smaller ones, too."""


@pytest.fixture
def rows():
    rng = np.random.default_rng(1)
    found = (rng.random((30, 5)) < 0.5).astype(np.float64)
    found[:, 2] = 1.0
    return csr_array(found)


@pytest.mark.parametrize("met", [(0, 1, 2), (0, 2), (1, 2), (1,)])
def test_weights_have_the_probabilities_of_the_classifier(rows, met):
    labels = np.resize(np.array(met, np.int8), 30)
    one = OneClass(labels[:1].astype(np.int64)) if len(met) == 1 else Softmax()
    one.fit(rows, labels, sample_weight=np.ones(30))
    weights = weights_of(one, rows, 2)
    chances = np.exp(log_normalised(rows @ weights))
    assert chances == pytest.approx(three_chances(one, rows), abs=1e-7)
    assert (chances[:, np.setdiff1d(range(3), met)] <= LEAST).all()


def test_who_is_not_linear_has_no_weights(rows):
    labels = np.resize(np.arange(3, dtype=np.int8), 30)
    for one in (NaiveBayes(), Softmax(tilt=0.01)):
        assert weights_of(one.fit(rows, labels, np.ones(30)), rows, 2) is None
        assert not is_linear(one)
    assert is_linear(Softmax())


def test_a_hypothesis_of_weights_is_that_of_the_classifiers(monkeypatch):
    settings = {"rounds": 1, "cutoff": 1}
    linear = BoostedParser(**settings).fit(TRAIN, base=Softmax())
    assert isinstance(linear.hypothesis_, LinearHypothesis)
    monkeypatch.setattr("headwise.parsers.boosting.rounds.weights_of", lambda *_: None)
    learnt = BoostedParser(**settings).fit(TRAIN, base=Softmax())
    for sentence in TRAIN[:10]:
        scores = [
            np.maximum(
                one.search().scores_of(one.search().encode([sentence]).sentence(0)).link, FLOOR
            )
            for one in (linear, learnt)
        ]
        assert scores[0] == pytest.approx(scores[1], abs=1e-4)
