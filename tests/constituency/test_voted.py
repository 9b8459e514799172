import numpy as np
import pytest
from bracketbank import small_treebank, tree
from votinglists import lists

from headwise.constituency.candidates import CandidateList
from headwise.constituency.mbr import mbr_predict
from headwise.constituency.voted import (
    MAX_NODES,
    KernelSpace,
    Productions,
    VotedTreePerceptron,
    best_candidate,
)
from headwise.errors import LimitError, UsageError


def test_it_learns_what_makes_a_candidate_the_best():
    training = lists()[:3]
    model = VotedTreePerceptron(epochs=3).fit(training, [one.trees[1] for one in training])
    unseen = lists()[3]
    found = model.probabilities(unseen)
    assert found.sum() == pytest.approx(1.0)
    assert found[1] > 0.5
    assert mbr_predict(unseen, found).tree == unseen.trees[1]
    assert sum(model.votes_) == 9
    assert len(model.votes_) == len(model.support_) + 1


def test_without_mistakes_the_scores_decide():
    training = lists()
    seen = []
    model = VotedTreePerceptron().fit(
        training, [one.trees[0] for one in training], lambda *report: seen.append(report)
    )
    assert seen == [("lists", done, 4) for done in (1, 2, 3, 4)]
    assert model.support_ == []
    assert model.probabilities(training[0]).tolist() == [1.0, 0.0]


def test_of_candidates_as_good_the_more_probable_is_the_best():
    trees = [tree("(S (A x) (A y))"), tree("(S (B x) (A y))"), tree("(S (NP (A x)) (A y))")]
    candidates = CandidateList.of("1", trees, [0.0, 1.0, 2.0])
    assert best_candidate(candidates, trees[0]) == 1
    assert best_candidate(candidates, trees[2]) == 2


def test_wrong_calls():
    training = lists()
    with pytest.raises(UsageError, match="decay"):
        VotedTreePerceptron(decay=0.0).fit(training, [one.best for one in training])
    with pytest.raises(UsageError, match="4 candidate lists for 1 gold trees"):
        VotedTreePerceptron().fit(training, [training[0].best])
    with pytest.raises(UsageError):
        VotedTreePerceptron().fit([], [])


def test_it_is_fitted_with_numbers_that_mean_something():
    with pytest.raises(UsageError, match="not fitted"):
        VotedTreePerceptron().probabilities(lists()[0])
    with pytest.raises(UsageError, match="epochs: expected an integer"):
        VotedTreePerceptron(epochs=1.5).fit(lists(), [one.trees[0] for one in lists()])


def test_normalised_kernels_are_at_most_1():
    productions = Productions()
    space = KernelSpace.of(productions.forest(small_treebank()), 0.3)
    numbers = np.arange(len(small_treebank()))
    found = space.kernels(numbers, space, numbers)
    assert np.diag(found) == pytest.approx(1.0)
    assert (found <= 1 + 1e-12).all()
    assert np.linalg.eigvalsh(found).min() > -1e-9  # a kernel


def test_new_productions_are_only_lent_numbers():
    productions = Productions()
    first = KernelSpace.of(productions.forest(small_treebank()), 0.3)
    known = len(productions.numbers)
    other = productions.forest([tree("(X (Y new) (Y new))"), small_treebank()[0]], learn=False)
    assert len(productions.numbers) == known
    found = KernelSpace.of(other, 0.3).kernels(np.arange(2), first, np.array([0]))
    assert found[:, 0] == pytest.approx([0.0, 1.0])


def test_trees_are_not_too_large_to_be_compared():
    words = " ".join("(DT the)" for _ in range(MAX_NODES))
    with pytest.raises(LimitError, match="a tree has 4,097 nodes, more than .* 4,096"):
        KernelSpace.of(Productions().forest([tree(f"(ROOT (S {words}))")]), 0.5)
