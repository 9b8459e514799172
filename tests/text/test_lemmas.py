import pytest
from texttreebank import treebank

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import ModelError
from headwise.text.lemmas import Lemmatiser


@pytest.fixture(scope="module")
def lemmatiser() -> Lemmatiser:
    return Lemmatiser.fit(treebank(200))


def test_lemmas_of_the_treebank(lemmatiser):
    gold = treebank(50, seed=1)
    bare = [Sentence.from_words(s.forms, upos=s.upos, xpos=s.xpos, feats=s.feats) for s in gold]
    assert [one.lemmas for one in lemmatiser.lemmatise(bare)] == [one.lemmas for one in gold]


def test_words_never_met_follow_their_endings(lemmatiser):
    wugs = Sentence.from_words(
        ["wugs", "wug"], upos=["NOUN"] * 2, xpos=["NNS", "NN"], feats=["Number=Plur", "Number=Sing"]
    )
    assert lemmatiser.lemmatise([wugs])[0].lemmas == ("wug", "wug")


def test_exceptions_by_tag():
    def word(form: str, upos: str, lemma: str) -> Sentence:
        return Sentence.from_words([form], upos=[upos], lemmas=[lemma])

    made = [word("saw", "NOUN", "saw"), word("saw", "VERB", "see"), word("mice", "NOUN", "mouse")]
    found = Lemmatiser.fit([*made, *treebank(20)]).lemmatise(made)
    assert [one.lemmas[0] for one in found] == ["saw", "see", "mouse"]


def test_a_treebank_without_lemmas_gives_none():
    empty = Lemmatiser.fit([Sentence.from_words(["a", "b"])])
    assert empty.lemmatise([Sentence.from_words(["c"])])[0].lemmas == (MISSING,)
    assert Lemmatiser.from_model(*empty.to_model()).rules == {}


def test_it_is_stored_and_loaded(lemmatiser):
    settings, arrays = lemmatiser.to_model()
    again = Lemmatiser.from_model(settings, arrays)
    assert again.rules == lemmatiser.rules
    assert again.exceptions == lemmatiser.exceptions
    with pytest.raises(ModelError):
        Lemmatiser.from_model(settings, {})
    with pytest.raises(ModelError):
        Lemmatiser.from_model({"rules": []}, arrays)
    with pytest.raises(ModelError):
        Lemmatiser.from_model({"rules": [["lower", -1, "", 0, ""]]}, arrays)
