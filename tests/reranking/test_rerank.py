"""Rerankers of lists that were made by jackknifing."""

import pytest

from headwise.errors import TreeError
from headwise.learners.settings import TrainingSettings
from headwise.reranking import LinearReranker
from headwise.reranking.decide import check_pairs
from headwise.reranking.jackknife import jackknifed
from headwise.reranking.rerank import fit_reranker, reranked_list, tune_reranker
from toytreebank import SMALL, toy_treebank

SETTINGS = TrainingSettings(epochs=1, features="paper-000", tables=SMALL)


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
