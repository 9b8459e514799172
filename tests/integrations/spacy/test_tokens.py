"""Headwise's tokeniser in the place of spaCy's."""

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import HeadwiseWarning, UsageError
from headwise.integrations.spacy import from_spacy, tokenizer
from headwise.integrations.spacy.tokens import HeadwiseTokenizer
from headwise.pipeline.pipeline import Pipeline
from toypipelines import toy_pipeline

VOCAB = spacy.blank("en").vocab


def toy_tokenizer() -> HeadwiseTokenizer:
    made = HeadwiseTokenizer(VOCAB)
    made.restored = toy_pipeline()
    return made


@given(st.text(alphabet=st.sampled_from("Tdog .\n\t'st !"), max_size=60))
def test_tokens_and_sentences_are_those_of_headwise(text):
    doc = toy_tokenizer()(text)
    assert doc.text == text
    found, alone = from_spacy(doc), toy_pipeline()(text)
    assert [one.start for one in found.sentences] == [one.start for one in alone.sentences]
    if not any(one.multiwords for one in alone.sentences):
        assert [word.form for word in found] == [word.form for word in alone]
        assert [word.start for word in found] == [word.start for word in alone]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_the_text_of_a_doc_is_the_text(text):
    assert toy_tokenizer()(text).text == text


def test_multiword_tokens_become_words_that_spell_them(monkeypatch):
    doc = toy_tokenizer()("The dog doesn't see.")
    assert [token.text for token in doc] == ["The", "dog", "does", "n't", "see", "."]
    own = toy_pipeline().tokeniser.multiwords
    monkeypatch.setattr(own, "words", {"doesn't": ("does", "not")} | dict.fromkeys(
        ("The", "dog", "see", "."), ()))  # fmt: skip
    doc = toy_tokenizer()("The dog doesn't see.")
    assert [token.text for token in doc] == ["The", "dog", "doesn't", "see", "."]


def test_the_whole_is_what_headwise_finds_in_a_text(toy_model):
    text = "  The dogs see a cat. The dog\ndoesn't see a tree.\n\nThe kings like a stone."
    nlp = spacy.blank("en")
    nlp.tokenizer = tokenizer(nlp, str(toy_model))
    nlp.add_pipe("headwise", config={"model": str(toy_model)})
    for doc in (nlp(text), *nlp.pipe([text])):
        found = from_spacy(doc)
        alone = toy_pipeline()(text)
        for one, other in zip(found.sentences, alone.sentences, strict=True):
            assert (one.forms, one.heads, one.xpos) == (other.forms, other.heads, other.xpos)


def test_bad_input_is_refused():
    with pytest.raises(UsageError, match="reads text"):
        toy_tokenizer()(b"bytes")
    without = HeadwiseTokenizer(VOCAB)
    without.restored = Pipeline(tagger=toy_pipeline().tagger)
    with pytest.raises(UsageError, match="no tokeniser"):
        without("The dog.")
    with pytest.warns(HeadwiseWarning, match="no sentence ends"):
        assert len(toy_tokenizer()("dog " * 700)) == 700
