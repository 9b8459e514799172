"""What sentences and documents share."""

import copy
import pickle

import pytest

from headwise.corpus.sentence import Sentence
from headwise.corpus.wordsequence import WordSequence


def sentence() -> Sentence:
    return Sentence.from_words(["We", "read", "it"], heads=[2, 0, 2])


def test_a_sequence_of_words():
    words = sentence()
    assert [word.form for word in words] == ["We", "read", "it"]
    assert words[0].form == "We"
    assert words[-1].form == "it"
    assert [word.form for word in words[1:]] == ["read", "it"]
    with pytest.raises(IndexError):
        words[3]


def test_words_are_built_once_and_belong_to_no_comparison_or_copy():
    one, other = sentence(), sentence()
    assert one.words is one.words
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == copy.copy(one) == one


def test_the_attribute_that_was_probably_meant_is_named():
    with pytest.raises(AttributeError, match="form"):
        sentence().form  # noqa: B018


def test_each_class_builds_its_own_words():
    with pytest.raises(NotImplementedError):
        WordSequence().words  # noqa: B018
