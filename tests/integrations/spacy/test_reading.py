"""What Headwise parses of a Doc."""

import numpy as np
import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from spacy.tokens import Doc

from headwise.errors import UsageError
from headwise.integrations.spacy.reading import (
    as_one_sentence,
    features_of,
    sentences_of_docs,
    words_of_docs,
)
from toypipelines import toy_pipeline

VOCAB = spacy.blank("en").vocab


def tokeniser():
    return toy_pipeline().tokeniser


def doc_of(*words: str, starts=None) -> Doc:
    return Doc(VOCAB, words=words, sent_starts=starts)


def words_of(doc, tokeniser, *, own_sentences=False):
    return words_of_docs([doc], tokeniser, own_sentences=own_sentences)[0]


def test_white_space_is_no_word():
    doc = doc_of(" ", "The", "dog", "\n", ".", "\n\n", "The", "cat", ".")
    words = words_of(doc, tokeniser())
    assert words.tokens.tolist() == [1, 2, 4, 6, 7, 8]
    assert words.bounds.tolist() == [0, 3, 6]
    assert [one.forms for one in sentences_of_docs([doc], [words], with_tags=False)] == [
        ("The", "dog", "."), ("The", "cat", "."),
    ]  # fmt: skip


def test_a_sentence_that_starts_with_white_space_starts_with_the_next_word():
    doc = doc_of("The", "dog", " ", "sees", starts=[True, False, True, False])
    assert words_of(doc, None).bounds.tolist() == [0, 2, 3]


def test_a_bound_within_a_token_waits_for_the_next():
    doc = doc_of("The", "dogs", "see", "a", "cat. The", "king", "sees")
    assert words_of(doc, tokeniser()).bounds.tolist() == [0, 5, 7]


def test_unknown_bounds_are_found_and_known_ones_kept():
    words = ["The", "dog", ".", "The", "cat", ".", "The", "king", "."]
    given = [True, False, False, None, None, None, False, None, None]
    doc = doc_of(*words, starts=given)
    assert words_of(doc, tokeniser()).bounds.tolist() == [0, 3, 9]
    assert words_of(doc, tokeniser(), own_sentences=True).bounds.tolist() == [0, 3, 6, 9]
    with pytest.raises(UsageError, match="sentencizer"):
        words_of(doc, None)


def test_docs_of_a_batch_are_read_as_each_alone():
    given = [True, False, None, None]
    docs = [
        doc_of("The", "dog", ".", "The", "cat", "."),
        doc_of(),
        doc_of(" ", "The", "dog", "\n", ".", "\n\n"),
        doc_of(" "),
        doc_of("The", "dog", ".", "Cats", starts=given),
        doc_of("The", "dog", " ", "sees", starts=[True, False, True, False]),
        doc_of("\n"),
    ]
    for own_sentences in (False, True):
        found = words_of_docs(docs, tokeniser(), own_sentences=own_sentences)
        alone = [words_of(doc, tokeniser(), own_sentences=own_sentences) for doc in docs]
        assert [one.tokens.tolist() for one in found] == [one.tokens.tolist() for one in alone]
        assert [one.bounds.tolist() for one in found] == [one.bounds.tolist() for one in alone]
        assert sentences_of_docs(docs, found, with_tags=True) == [
            sentence
            for doc, words in zip(docs, alone, strict=True)
            for sentence in sentences_of_docs([doc], [words], with_tags=True)
        ]


@pytest.mark.parametrize("words", [(), (" ",), ("\n", " ")])
def test_docs_without_words_have_no_sentences(words):
    doc = doc_of(*words)
    for found in (words_of(doc, None), as_one_sentence(doc)):
        assert found.bounds.tolist() == [0]
        assert found.sentences() == []
        assert sentences_of_docs([doc], [found], with_tags=True) == []


def test_tags_are_read_where_asked():
    doc = Doc(VOCAB, words=["dogs"], pos=["NOUN"], tags=["NNS"], morphs=["Number=Plur"])
    (sentence,) = sentences_of_docs([doc], [as_one_sentence(doc)], with_tags=True)
    assert (sentence.upos, sentence.xpos) == (("NOUN",), ("NNS",))
    assert (sentence.feats, sentence.lemmas) == (("Number=Plur",), ("_",))
    assert np.array_equal(as_one_sentence(doc).bounds, [0, 1])


def test_features_are_in_the_order_of_ud():
    features = "Number=Sing|NumForm=Combi|NumType=Ord"
    doc = Doc(VOCAB, words=["1st"], morphs=[features])
    assert features_of(doc[0]) == features
    assert features_of(Doc(VOCAB, words=["of"])[0]) == "_"
