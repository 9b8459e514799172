import numpy as np
import pytest
from bracketbank import tree

from headwise.constituency.candidates import CandidateList
from headwise.errors import FormatError, MismatchError

A, B = tree("(S (A x) (B y))"), tree("(S (NP (A x)) (B y))")


def test_the_best_is_the_first_of_equals():
    assert CandidateList.of("1", [A, B], [0.5, 0.5]).best is A
    assert CandidateList.of("1", [A, B], [0.5, 0.6]).best is B
    assert CandidateList.of("1", [A, B], [0.5, 0.6]).forms == ["x", "y"]


@pytest.mark.parametrize(
    ("score", "message"), [(np.nan, "nan"), (-np.inf, "zero"), (np.inf, "inf")]
)
def test_scores_are_logarithms_of_probabilities(score, message):
    with pytest.raises(FormatError, match=message):
        CandidateList.of("s7", [A, B], [0.0, score])


def test_words_must_agree():
    with pytest.raises(MismatchError, match=r"sentence s7.*word 2 of this tree is 'z'.*'y'"):
        CandidateList.of("s7", [A, tree("(S (A x) (B z))")], [0.0, 0.0])
    with pytest.raises(MismatchError, match="has 1 words, the first of its sentence 2"):
        CandidateList.of("s7", [A, tree("(S (A x))")], [0.0, 0.0])


def test_there_must_be_a_tree_and_a_score_for_each():
    with pytest.raises(FormatError, match="no tree"):
        CandidateList.of("s7", [], [])
    with pytest.raises(FormatError, match="2 trees, but 1 scores"):
        CandidateList.of("s7", [A, B], [0.0])
