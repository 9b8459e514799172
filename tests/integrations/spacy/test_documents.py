"""Documents from Headwise to spaCy and back."""

from dataclasses import replace

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from spacy.tokens import Doc

from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import MISSING, Multiword, Sentence
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.integrations.spacy import from_spacy, to_spacy
from headwise.pipeline.document import Document
from toypipelines import toy_pipeline

TEXT = "  The dogs see a cat. The dog\ndoesn't see a tree.\n\nThe kings like a stone. "


def test_a_document_there_and_back():
    document = toy_pipeline()(TEXT, ParseOptions(marginals=True))
    doc = to_spacy(document)
    assert doc.text == TEXT
    assert [t._.head_probability for t in doc if not t.is_space] == [
        word.head_probability for word in document
    ]
    assert next(iter(doc.sents))._.tree_probability is not None
    back = from_spacy(doc)
    assert back.text == TEXT
    for one, other in zip(back.sentences, document.sentences, strict=True):
        assert one.text == other.text
        for column in ("forms", "lemmas", "upos", "xpos", "feats", "heads", "relations"):
            assert getattr(one, column) == getattr(other, column), column
        assert one.start == other.start
    assert to_spacy(back).to_json()["tokens"] == doc.to_json()["tokens"]


@pytest.mark.parametrize("sentence", list(read_sample()), ids=lambda one: one.id)
def test_sentences_of_files_there_and_back(sentence):
    (back,) = from_spacy(to_spacy(sentence)).sentences
    assert back.forms == sentence.forms
    assert back.heads == sentence.heads
    assert back.relations == sentence.relations
    assert to_spacy([sentence, sentence]).text.count(sentence.forms[0]) >= 2


def test_words_that_do_not_spell_their_token_are_the_text():
    words = Sentence.from_words(["Il", "vient", "de", "le", "nord"], heads=[2, 0, 5, 5, 2])
    row = Multiword(3, 4, ("du", *[MISSING] * 8), 2)
    sentence = replace(words, extras=(row,), comments=("# text = Il vient du nord",))
    doc = to_spacy(Document("Il vient du nord", (sentence,)))
    assert [token.text for token in doc] == ["Il", "vient", "de", "le", "nord"]
    assert doc.text.strip() == "Il vient de le nord"
    assert doc[2].head.text == "nord"


def test_what_has_no_annotation_stays_without():
    nlp = spacy.blank("en")
    document = from_spacy(nlp("Dogs bark.  Cats sleep."))
    (sentence,) = document.sentences
    assert sentence.heads == (None,) * len(sentence)
    assert set(sentence.lemmas) == {MISSING}
    assert from_spacy(nlp("")).sentences == ()
    assert len(to_spacy(Document("  ", ()))) == 1
    assert len(to_spacy(Document("", ()))) == 0


def test_what_hangs_on_white_space_hangs_on_its_head():
    vocab = spacy.blank("en").vocab
    doc = Doc(vocab, words=["Dogs", " ", "bark"], heads=[1, 2, 2], deps=["nsubj", "dep", "ROOT"])
    assert from_spacy(doc).sentences[0].heads == (2, 0)


def test_only_docs_are_read():
    with pytest.raises(UsageError, match="expected a spaCy Doc, not str"):
        from_spacy("text")
    with pytest.raises(UsageError, match="expected sentences or documents"):
        to_spacy("text")


def test_methods_do_the_same():
    document = toy_pipeline()("The dogs see a cat.")
    assert document.to_spacy().to_json() == to_spacy(document).to_json()
    assert document.sentences[0].to_spacy().to_json() == to_spacy(document.sentences[0]).to_json()
