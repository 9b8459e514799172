"""Trees in Docs: heads, sentences and attributes as spaCy keeps them."""

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from headwise.corpus.sentence import Sentence
from headwise.integrations.spacy.reading import as_one_sentence, words_of_docs
from headwise.integrations.spacy.writing import AttributeIds, annotate

VOCAB = spacy.blank("en").vocab


@st.composite
def trees(draw) -> list[int]:
    """Heads of a tree with one root, which may cross."""
    count = draw(st.integers(1, 8))
    order = draw(st.permutations(range(1, count + 1)))
    heads = [0] * count
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = draw(st.sampled_from(order[:place]))
    return heads


@given(st.lists(trees(), min_size=1, max_size=4), st.data())
def test_heads_and_sentences_come_back(many, data):
    tokens, starts, words = [], [], []
    for heads in many:
        for place, _ in enumerate(heads):
            if tokens and data.draw(st.booleans()):
                tokens.append("\n")
                starts.append(False)
            words.append(len(tokens))
            tokens.append("w")
            starts.append(place == 0)
    doc = Doc(VOCAB, words=tokens, sent_starts=starts)
    (found,) = words_of_docs([doc], None, own_sentences=False)
    answers = [
        Sentence.from_words(["w"] * len(heads), heads=heads, relations=["nsubj"] * len(heads))
        for heads in many
    ]
    annotate([(doc, found)], answers, AttributeIds(doc.vocab))
    sentences = list(doc.sents)
    assert len(sentences) == len(many)
    for heads, sentence in zip(many, sentences, strict=True):
        own = [token for token in sentence if not token.is_space]
        places = {token.i: place for place, token in enumerate(own, 1)}
        assert [0 if t.head.i == t.i else places[t.head.i] for t in own] == heads
    assert [token.i for token in doc if not token.is_space] == words


def test_attributes_are_those_of_spacy():
    doc = Doc(VOCAB, words=["Dogs", " ", "bark"])
    answer = Sentence.from_words(
        ["Dogs", "bark"], lemmas=["dog", "_"], upos=["NOUN", "NO-TAG"], xpos=["NNS", "_"],
        feats=["Number=Plur|Case=Nom", "_"], heads=[2, 0], relations=["_", "root"],
    )  # fmt: skip
    annotate([(doc, as_one_sentence(doc))], [answer], AttributeIds(doc.vocab))
    assert [token.dep_ for token in doc] == ["dep", "dep", "ROOT"]
    assert [token.pos_ for token in doc] == ["NOUN", "SPACE", ""]
    assert [token.tag_ for token in doc] == ["NNS", "_SP", ""]
    assert [token.lemma_ for token in doc] == ["dog", " ", ""]
    assert [str(token.morph) for token in doc] == ["Case=Nom|Number=Plur", "", ""]
    assert doc[1].head.text == "Dogs"
