import warnings

import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning
from headwise.inference.given import given_constraints, noticing_roots
from headwise.search.constraints import Constraints

FORMS = ["We", "read", "it"]


def given(heads: list[int | None], relations: list[str]) -> Sentence:
    return Sentence.from_words(FORMS, heads=heads, relations=relations)


def test_relations_say_which_words_are_roots():
    found = given_constraints(given([None, None, 2], ["nsubj", "root", "obj"]))
    assert found == Constraints(heads={2: 0, 3: 2}, forbidden=((0, 1),))


def test_a_treebank_may_have_another_relation_of_roots():
    sentence = given([None, None, None], ["_", "Pred", "_"])
    assert given_constraints(sentence, {"root", "Pred"}) == Constraints(heads={2: 0})
    assert given_constraints(sentence) == Constraints(forbidden=((0, 2),))


def test_given_heads_count_whatever_the_relation_is():
    assert given_constraints(given([2, 0, None], ["root", "obj", "_"])).heads == {1: 2, 2: 0}


@pytest.mark.parametrize(
    ("heads", "relations", "problem"),
    [
        ([2, 0, 2], ["nsubj", "obj", "obj"], "word 2: the head is 0 but the relation is obj"),
        ([2, 0, 2], ["nsubj", "root", "root"], "word 3: the relation is root but the head is 2"),
    ],
)
def test_the_first_contradiction_is_noticed(heads, relations, problem):
    wrong = given(heads, relations)
    with pytest.warns(HeadwiseWarning, match=problem) as noticed:
        assert list(noticing_roots([wrong, wrong])) == [wrong, wrong]
    assert len(noticed) == 1


def test_nothing_is_noticed_where_nothing_contradicts():
    fine = given([None, 0, 2], ["nsubj", "root", "_"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(noticing_roots([fine])) == [fine]
