"""Text in another language than the model's is noticed, and text in its own is not."""

import pytest

import headwise
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning
from headwise.pipeline.language import ENOUGH_WORDS, FEWEST_WORDS, noticing_language

GERMAN = "Der schnelle braune Fuchs springt über den faulen Hund. Wir haben das Buch gelesen."
ENGLISH = "The quick brown fox jumps over the lazy dog. We have read the book twice, in 2024."
NOTICE = "is the text in its language"


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_german_is_not_what_the_english_models_learnt(model):
    nlp = headwise.load(model)
    with pytest.warns(HeadwiseWarning, match=NOTICE):
        nlp(GERMAN)
    assert nlp(ENGLISH)[0].form == "The"  # warnings are errors in tests


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_words_of_the_treebank_are_known_in_any_case(model):
    pipeline = headwise.load(model)
    assert list(pipeline._knows(["the", "THE", "Gelesen"])) == [True, True, False]


def sentences(*forms):
    return [Sentence.from_words([form]) for form in forms]


def test_numbers_and_punctuation_do_not_count():
    seen = []
    stream = noticing_language(sentences("1", "!", "a", *"bcdefghijklm"), seen.append)
    assert len(list(stream)) == 15
    assert seen == [list("abcdefghijklm")]


def test_nothing_is_said_of_few_words():
    def none_known(words):
        raise AssertionError(words)

    few = sentences(*["x"] * (FEWEST_WORDS - 1))
    assert list(noticing_language(few, none_known)) == few


def test_a_stream_is_looked_at_once_and_no_further_than_needed():
    looked = []

    def none_known(words):
        looked.append(len(words))
        return [False] * len(words)

    stream = noticing_language(sentences(*["x"] * (3 * ENOUGH_WORDS)), none_known)
    with pytest.warns(HeadwiseWarning, match=f"0 of the first {ENOUGH_WORDS} words"):
        assert len(list(stream)) == 3 * ENOUGH_WORDS
    assert looked == [ENOUGH_WORDS]
