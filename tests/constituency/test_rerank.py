"""Rerankers of constituency trees: losses, labels, lists and files."""

import numpy as np
import pytest
from bracketbank import small_treebank, tree

from headwise.constituency.candidates import CandidateList
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.rerank import (
    bracket_loss,
    fit_reranker,
    jackknifed,
    labels_of,
    load,
    reranked_list,
    save,
    tune_reranker,
)
from headwise.constituency.voted import VotedTreePerceptron
from headwise.errors import HeadwiseWarning, InputError, MismatchError
from headwise.reranking.linear import LinearReranker

GOLD = small_treebank()
FLAT = [
    tree(f"(ROOT {' '.join(f'({one.tag} {one.form})' for one in own.leaves())})") for own in GOLD
]
LISTS = [
    CandidateList.of(str(number), [flat, own], [-1.0, -2.0])
    for number, (flat, own) in enumerate(zip(FLAT, GOLD, strict=True), 1)
]


def trained(reranker):
    return fit_reranker(reranker, LISTS, GOLD)


RERANKERS = {
    "linear": lambda: LinearReranker(BRACKET_FEATURES, least=1, learner="perceptron"),
    "voted": lambda: VotedTreePerceptron(epochs=3),
}


def test_the_loss_is_one_less_f1():
    gold = tree("(ROOT (S (NP (A x)) (VP (B y) (NP (C z)))))")
    assert bracket_loss(gold, gold) == 0
    lacks_one = tree("(ROOT (S (NP (A x)) (B y) (NP (C z))))")
    assert bracket_loss(lacks_one, gold) == pytest.approx(1 - 2 * 3 / (3 + 4))
    other_name = tree("(ROOT (S (X (A x)) (VP (B y) (NP (C z)))))")
    assert bracket_loss(other_name, gold) == pytest.approx(1 - 2 * 3 / (4 + 4))
    assert bracket_loss(tree("(A x)"), tree("(A x)")) == 0


def test_labels_have_no_functions():
    assert labels_of(tree("(S-TPC (NP-SBJ-1 (A x)) (B y))")) == {"S", "NP"}


@pytest.mark.parametrize("kind", RERANKERS)
def test_what_was_learnt_puts_the_right_tree_first_and_comes_back(kind, tmp_path):
    reranker = trained(RERANKERS[kind]())
    save(tmp_path / "m", reranker)
    again = load(tmp_path / "m")
    for own, gold in zip(LISTS, GOLD, strict=True):
        found = reranked_list(reranker, own)
        assert found.trees[0] == gold
        assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
        assert np.exp(found.scores).sum() == pytest.approx(1.0)
        assert reranked_list(again, own).scores.tolist() == found.scores.tolist()


@pytest.mark.parametrize("kind", RERANKERS)
def test_other_labels_are_refused(kind):
    other = CandidateList.of("1", [tree("(ROOT (ZZ (A x)))")], [0.0])
    reranker = trained(RERANKERS[kind]())
    with pytest.raises(InputError, match="the label 'ZZ' is not in the reranker's training data"):
        reranked_list(reranker, other, strict=True)
    with pytest.warns(HeadwiseWarning, match="'ZZ' .* have no weight"):
        assert len(reranked_list(reranker, other)) == 1
    assert len(reranked_list(reranker, other)) == 1  # and no other warning


def test_lists_of_other_sentences_are_refused():
    with pytest.raises(MismatchError, match="8 candidate lists, but 7 gold trees"):
        fit_reranker(RERANKERS["linear"](), LISTS, GOLD[:-1])


def test_the_scale_is_that_of_the_best_f1():
    reranker = trained(RERANKERS["linear"]())
    tuned = tune_reranker(reranker, LISTS, GOLD)
    assert reranker.scale_ == tuned.scale
    assert tuned.gain == pytest.approx(1.0)


def test_jackknifed_lists_are_of_all_sentences_in_order():
    seen = []
    lists = list(jackknifed(GOLD, folds=2, k=3, progress=lambda *part: seen.append(part)))
    assert seen == [("jackknife", 1, 2), ("jackknife", 2, 2)]
    assert [one.sentence_id for one in lists] == [str(n) for n in range(1, len(GOLD) + 1)]
    assert [one.forms for one in lists] == [[leaf.form for leaf in own.leaves()] for own in GOLD]
