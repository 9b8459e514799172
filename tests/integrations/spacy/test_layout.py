"""Tokens and white space as spaCy has them."""

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from hypothesis import given
from hypothesis import strategies as st

from headwise.integrations.spacy.layout import laid_out, spelled_out

VOCAB = spacy.blank("xx").vocab
GAPS = st.sampled_from(["", " ", "  ", "\n", " \n ", "\t"])


@given(st.lists(st.tuples(GAPS, st.sampled_from(["a", "bc", "."])), max_size=8), GAPS)
def test_nothing_of_a_text_is_lost(pieces, last):
    text, spans = "", []
    for gap, word in pieces:
        text += gap
        spans.append((len(text), len(text) + len(word)))
        text += word
    text += last
    layout = laid_out(text, spans)
    doc = layout.doc(VOCAB, [0] if spans else [])
    assert doc.text == text
    assert [doc[i].idx for i in layout.words] == [start for start, _ in spans]
    assert [doc[i].text for i in layout.words] == [word for _, word in pieces]
    assert all(token.is_space for token in doc if token.i not in layout.words)


def test_words_that_spell_their_token_have_places():
    assert spelled_out("don't", ("do", "n't"), 3) == [(3, 5), (5, 8)]
    assert spelled_out("du", ("de", "le"), 3) is None
