"""Noun phrases by relations."""

import pytest

from headwise.corpus.sentence import Sentence


def phrases(*rows: tuple[str, str, int, str]) -> list[str]:
    forms, upos, heads, relations = zip(*rows, strict=True)
    sentence = Sentence.from_words(forms, upos=upos, heads=heads, relations=relations)
    return [phrase.text for phrase in sentence.noun_phrases()]


def test_a_noun_and_what_belongs_to_it():
    assert phrases(
        ("the", "DET", 4, "det"), ("very", "ADV", 3, "advmod"), ("old", "ADJ", 4, "amod"),
        ("dogs", "NOUN", 5, "nsubj"), ("bark", "VERB", 0, "root"), ("at", "ADP", 7, "case"),
        ("us", "PRON", 5, "obl"), (".", "PUNCT", 5, "punct"),
    ) == ["the very old dogs", "us"]  # fmt: skip


def test_names_and_owners_are_inside_and_what_follows_a_preposition_is_not():
    assert phrases(
        ("John", "PROPN", 3, "nmod:poss"), ("'s", "PART", 1, "case"),
        ("friend", "NOUN", 7, "nsubj"), ("from", "ADP", 6, "case"), ("New", "PROPN", 6, "compound"),
        ("York", "PROPN", 3, "nmod"), ("left", "VERB", 0, "root"),
    ) == ["John 's friend", "New York"]  # fmt: skip


def test_a_phrase_is_a_sequence_of_its_words():
    sentence = Sentence.from_words(
        ("old", "dogs"), upos=("ADJ", "NOUN"), heads=(2, 0), relations=("amod", "root")
    )
    (phrase,) = sentence.noun_phrases()
    assert [word.form for word in phrase] == ["old", "dogs"]
    assert len(phrase) == 2


def test_every_one_of_several_nouns_has_a_phrase_of_its_own():
    assert phrases(
        ("dogs", "NOUN", 4, "nsubj"), ("and", "CCONJ", 3, "cc"), ("cats", "NOUN", 1, "conj"),
        ("sleep", "VERB", 0, "root"),
    ) == ["dogs", "cats"]  # fmt: skip


def test_a_gap_ends_a_phrase():
    assert phrases(
        ("Old", "ADJ", 3, "amod"), ("are", "AUX", 3, "cop"), ("dogs", "NOUN", 0, "root")
    ) == ["dogs"]


def test_a_phrase_knows_its_place():
    sentence = Sentence.from_words(
        ["I", "see", "Joan", "Smith", "."],
        upos=["PRON", "VERB", "PROPN", "PROPN", "PUNCT"],
        heads=[2, 0, 2, 3, 2],
        relations=["nsubj", "root", "obj", "flat:name", "punct"],
        start=10,
    )
    phrase = sentence.noun_phrases()[1]
    assert (phrase.text, phrase.start, phrase.end) == ("Joan Smith", 16, 26)
    assert phrase.root is sentence[2]
    assert phrase.words == sentence[2:4]
    assert repr(phrase) == "<Phrase 'Joan Smith'>"


@pytest.mark.parametrize("heads", [None, [2, 1]])
def test_without_a_tree_or_in_a_circle(heads):
    sentence = Sentence.from_words(["a", "b"], upos=["NOUN", "NOUN"], heads=heads)
    assert len(sentence.noun_phrases()) == 2
