import numpy as np
import pytest

from headwise.errors import TreeError
from headwise.learners.settings import TrainingSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.reranking import LinearReranker
from headwise.reranking.decide import check_pairs
from headwise.reranking.jackknife import candidates_of, jackknifed
from headwise.reranking.rerank import fit_reranker, reranked_list, tune_reranker
from headwise.search.probabilities import ScaledScores
from toytreebank import SMALL, toy_treebank

SETTINGS = TrainingSettings(epochs=1, features="paper-000", tables=SMALL)


def test_lists_have_the_distribution_of_the_model():
    sentences = toy_treebank(40)
    parser = DependencyParser(epochs=1, features="paper-000", tables=SMALL)
    parser.fit(sentences[:20], sentences[20:])
    assert parser.temperature_ != 1.0
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
    assert own.temperature_ != 1.0
    np.testing.assert_allclose(first.scores, raw.scores / own.temperature_)


def test_lists_are_of_all_sentences_in_order_and_a_reranker_learns_from_them():
    sentences = toy_treebank(24)
    seen = []
    lists = list(
        jackknifed(sentences, SETTINGS, folds=2, k=4, progress=lambda *part: seen.append(part))
    )
    assert seen == [("jackknife", 1, 2), ("jackknife", 2, 2)]
    check_pairs(lists, sentences)
    assert [one.sentence_id for one in lists[:2]] == ["1", "2"]
    assert all(1 <= len(one) <= 4 for one in lists)
    # Functions of your own are features as any other.
    features = {"roots": lambda tree: [f"root {tree.upos[tree.heads.index(0)]}"]}
    reranker = LinearReranker(features, least=1, learner="perceptron")
    fit_reranker(reranker, lists, sentences)
    tuned = tune_reranker(reranker, lists, sentences)
    assert reranker.scale_ == tuned.scale
    assert len(reranked_list(reranker, lists[0])) == len(lists[0])
    headless = [one.with_tree([None] * len(one)) for one in sentences]
    with pytest.raises(TreeError, match="word 1 has no head"):
        fit_reranker(reranker, lists, headless)
