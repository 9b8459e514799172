import pytest

from headwise.constituency.annotation import Symbol
from headwise.constituency.lexicon import WordCounts, word_class

NOUN, VERB = Symbol("NN", is_tag=True), Symbol("VB", is_tag=True)


@pytest.mark.parametrize(
    ("word", "is_first", "name"),
    [
        ("1,000.5", False, "0"),
        ("--", False, "."),
        ("Paris", False, "Xx~s"),
        ("Paris", True, "Xx1~s"),
        ("IBM", False, "X"),
        ("third-rate", False, "x-"),
        ("B2B-ing", False, "Xx0-~ing"),
        ("running", False, "x~ing"),
        ("is", False, "x"),
    ],
)
def test_kinds_of_words(word, is_first, name):
    assert word_class(word, is_first) == name


@pytest.fixture
def lexicon():
    counts = WordCounts()
    for word, symbol in [("dog", NOUN), ("dog", NOUN), ("run", VERB), ("running", VERB)]:
        counts.count(word, False, symbol)
    return counts.lexicon({NOUN: 0, VERB: 1})


def weights(words, at=0):
    rows = slice(words.starts[at], words.starts[at + 1])
    return dict(zip(words.symbol[rows].tolist(), words.weight[rows].tolist(), strict=True))


def test_a_word_leans_to_its_own_tags_and_an_unknown_one_to_its_kind(lexicon):
    known = weights(lexicon.look_up(["dog"]))
    assert known[0] > known[1]
    unknown = weights(lexicon.look_up(["x", "sleeping"]), 1)
    assert unknown[1] > unknown[0]
    assert set(weights(lexicon.look_up(["x", "?!"]), 1)) == {0, 1}


def test_given_tags_bind_where_they_are_known(lexicon):
    assert set(weights(lexicon.look_up(["dog"], ["VB"]))) == {1}
    assert set(weights(lexicon.look_up(["dog"], ["XYZ"]))) == {0, 1}


@pytest.mark.parametrize(
    ("known", "form"), [(r"1\/2", "1/2"), (r"\*", "*"), ("-LRB-", "("), (r"-LCB-a\/b", "{a/b")]
)
def test_words_are_known_however_the_treebank_escapes_them(known, form):
    counts = WordCounts()
    counts.count(known, False, NOUN)
    counts.count("run", False, VERB)
    lexicon = counts.lexicon({NOUN: 0, VERB: 1})
    assert weights(lexicon.look_up([form])) == weights(lexicon.look_up([known]))
    assert weights(lexicon.look_up([form])) == dict(lexicon.words[known])
