"""Labels that a reranker has not met are refused."""

import pytest

from headwise.errors import InputError, SourceLocation
from headwise.reranking.labels import ALL_LABELS, check_labels

PLACE = SourceLocation("lists.conllu", 3)


def test_labels_that_were_met_are_accepted():
    check_labels(["nsubj", "obj", "obj"], frozenset({"nsubj", "obj", "root"}), PLACE)
    check_labels([], frozenset({"nsubj"}), PLACE)


def test_where_none_were_recorded_all_are_accepted():
    check_labels(["anything"], ALL_LABELS, PLACE)


def test_another_label_is_named_with_its_place_and_the_most_similar_one():
    with pytest.raises(InputError, match="'nsubjj'.*most similar: 'nsubj'") as caught:
        check_labels(["obj", "nsubjj", "zzz"], frozenset({"nsubj", "obj"}), PLACE)
    assert caught.value.location == PLACE
    with pytest.raises(InputError, match="most similar: 'obj'"):
        check_labels(["zzz"], frozenset({"obj"}), PLACE)
