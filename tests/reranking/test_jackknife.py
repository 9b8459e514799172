import numpy as np

from headwise.learners.settings import TrainingSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.reranking.jackknife import candidates_of, jackknifed
from headwise.search.probabilities import ScaledScores
from toytreebank import SMALL, toy_treebank

SETTINGS = TrainingSettings(epochs=1, features="paper-000", tables=SMALL)


def test_lists_have_the_distribution_of_the_model():
    sentences = toy_treebank(40)
    parser = DependencyParser(epochs=1, features="paper-000", tables=SMALL)
    parser.fit(sentences[:20], sentences[20:])
    assert parser.temperatures_.heads != 1.0
    short = min(sentences, key=len)
    all_trees = candidates_of(parser, short, 1000, "1")
    assert len(all_trees) < 1000
    chances = ScaledScores().probabilities(all_trees)
    words = np.arange(len(short) + 1)
    arc = np.zeros((len(words), len(words)))
    for heads, chance in zip(all_trees.heads, chances, strict=True):
        arc[heads[1:], words[1:]] += chance
    np.testing.assert_allclose(arc, parser.marginals(short).arc, atol=1e-9)


def test_parsers_of_parts_are_calibrated_on_them():
    sentences = toy_treebank(24)
    first = next(jackknifed(sentences, SETTINGS, folds=2, k=4))
    parser = DependencyParser(epochs=1, features="paper-000", tables=SMALL).fit(sentences[12:])
    raw = candidates_of(parser, sentences[0], 4, "1")
    own = parser.calibrate(iter(sentences[:12]))
    assert own.temperatures_.heads != 1.0
    np.testing.assert_allclose(first.scores, raw.scores / own.temperatures_.heads)
