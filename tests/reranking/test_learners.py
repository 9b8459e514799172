"""Learners of rerankers."""

import numpy as np

from headwise.progress import silent
from headwise.reranking import LinearReranker
from headwise.reranking.learners import (
    RankingData,
    RerankerSettings,
    learn_log_linear,
    normalised,
)
from headwise.reranking.rows import Vocabulary
from rankedwords import FEATURES, lists, loss


def test_votes_are_those_of_each_perceptron():
    reranker = LinearReranker(FEATURES, learner="voted", epochs=3).fit(*lists(), loss)
    words = lists(seed=2)[0][0]
    rows = reranker.rows(words)
    weights = np.zeros(len(reranker.vocabulary_))
    weights[0] = 1.0
    votes = np.zeros(5)
    for number, count in enumerate(reranker.votes_.tolist()):
        if number:
            columns, values = reranker.steps_.row(number - 1)
            weights[columns] += values
        votes[int(np.argmax(rows.dot(weights)))] += count
    assert reranker.scores(words).tolist() == votes.tolist()


def test_the_gradient_is_that_of_the_likelihood():
    found, gold = lists(10)
    vocabulary = Vocabulary()
    rows = [vocabulary.rows(one, [list], 1.0, learn=True) for one in found]
    losses = [
        np.array([loss(w, own) for w in one.trees]) for one, own in zip(found, gold, strict=True)
    ]
    data = RankingData.of(rows, losses, len(vocabulary))
    weights = learn_log_linear(data, RerankerSettings(epochs=50, prior=0.3), silent)

    def objective(w):
        starts, lengths = data.bounds[:-1], np.diff(data.bounds)
        totals = data.rows.dot(w)
        right = np.where(data.losses == 0, totals, -np.inf)
        norms = normalised(totals, starts, lengths)[1] - normalised(right, starts, lengths)[1]
        return norms.sum() + 0.15 * (w[1:] ** 2).sum()

    for column in range(len(weights)):
        for step in (-1e-2, 1e-2):
            moved = weights.copy()
            moved[column] += step
            assert objective(moved) >= objective(weights) - 1e-5
