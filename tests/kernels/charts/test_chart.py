"""Long sentences and extreme scores in a chart."""

import numpy as np
import pytest

from headwise.search.decoders.chart import ChartDecoder
from headwise.search.decoders.chartscores import ChartScores


def test_long_sentences():
    rng = np.random.default_rng(2)
    scores = ChartScores(rng.normal(size=(41, 3, 41, 41)), rng.normal(size=(41, 2, 3, 41)))
    best = ChartDecoder().best(scores)
    assert scores.of_tree(best.heads) == pytest.approx(best.score)
    found = ChartDecoder().marginals(scores)
    assert found.arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(40))
    assert found.log_partition > best.score


def test_long_chains_of_words_with_everything_scored():
    rng = np.random.default_rng(3)
    link = rng.normal(size=(16, 2, 16, 16))
    link[np.arange(15), :, :, np.arange(1, 16)] += 50.0  # every word hangs on the one before
    scores = ChartScores(link, rng.normal(size=(16, 2, 2, 16)), rng.normal(size=(16,) * 3), True)
    decoder = ChartDecoder()
    found = decoder.kbest(scores, 50)
    assert list(found[0].heads) == list(range(-1, 15))
    for tree in found:
        assert tree.score == pytest.approx(scores.of_tree(tree.heads))
    drawn = decoder.sample(scores, 50, np.random.default_rng(1))
    assert (drawn == found[0].heads).all()


def test_extreme_scores():
    link = np.random.default_rng(2).normal(size=(11, 2, 11, 11)) * 1e4
    found = ChartDecoder().marginals(ChartScores(link))
    assert found.arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(10))
    assert found.entropy >= 0
