"""Searches that find heads and no relations."""

from types import SimpleNamespace

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError
from headwise.inference.unlabelledsearch import EncodedOneByOne, UnlabelledSearch


class Chains(UnlabelledSearch):
    """Every word is the head of the next; three words are too many."""

    def encode(self, sentences, guides=None):
        return EncodedOneByOne(tuple(len(one) for one in sentences))

    def scores_of(self, tokens):
        if tokens > 3:
            raise LimitError("too long")
        return tokens

    @property
    def decoder(self):
        return SimpleNamespace(best=lambda n: SimpleNamespace(heads=np.arange(-1, n)))


def test_sentences_are_parsed_one_by_one_and_empty_ones_stay():
    sentences = [Sentence.from_words(["a", "b"]), Sentence.from_words([])]
    parsed, empty = Chains().parse_many(sentences)
    assert parsed.heads == (0, 1)
    assert parsed.relations == ("root", "dep")
    assert empty is sentences[1]
    assert Chains().lowered(parsed) is parsed


def test_a_limit_is_told_with_the_place_of_the_sentence():
    sentence = Sentence.from_words(["a"] * 4, comments=["# sent_id = s2"])
    with pytest.raises(LimitError, match="too long") as caught:
        Chains().parse_many([sentence])
    assert caught.value.location.sentence_id == "s2"


def test_some_of_the_encoded_sentences():
    encoded = EncodedOneByOne(("a", "b", "c"))
    assert encoded.sentence(2) == "c"
    assert encoded.part(1, 3).sentences == ("b", "c")


def test_relations_are_named_by_heads_alone():
    heads = np.array([-1, 2, 0, 2])
    assert list(Chains().relations_of(None, heads))[1:] == ["dep", "root", "dep"]
