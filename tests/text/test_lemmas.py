import pytest
from hypothesis import given
from hypothesis import strategies as st
from texttreebank import treebank

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import ModelError
from headwise.storage.sparse import unpack_sparse
from headwise.text.lemmas import KEEP, LOWER, EditRule, Lemmatiser, edit_rule


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


def test_what_was_stored_without_packing_is_read(lemmatiser):
    settings, arrays = lemmatiser.to_model()
    plain = {name: unpack_sparse(name, arrays) for name in ("suffixes", "exceptions")}
    assert sum(one.nbytes for one in arrays.values()) < sum(one.nbytes for one in plain.values())
    assert Lemmatiser.from_model(settings, plain).rules == lemmatiser.rules


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


WORDS = st.text("abcAB", min_size=1, max_size=6)


@given(WORDS, WORDS)
def test_a_rule_gives_the_lemma_it_was_made_from(form, lemma):
    rule = edit_rule(form, lemma)
    if rule is None:
        assert not set(form.lower()) & set(lemma)
    else:
        assert rule.apply(form) == lemma


def test_rules():
    assert edit_rule("Dogs", "dog") == EditRule(LOWER, 0, "", 1, "")
    assert edit_rule("Bush", "Bush") == EditRule(KEEP, 0, "", 0, "")
    assert edit_rule("gemacht", "machen").cut_start == 2
    assert EditRule(LOWER, 0, "", 3, "").apply("abc") is None
