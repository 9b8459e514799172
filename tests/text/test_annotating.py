"""Tags and lemmas where they are missing."""

from headwise.corpus.sentence import Sentence
from headwise.text.annotating import changed, has_tags, with_lemmas, with_tags
from toyensembles import linear_member, toy_tagger

FORMS = ["the", "tree", "grows"]
BARE = Sentence.from_words(FORMS)
TAGGED = Sentence.from_words(FORMS, upos=["X"] * 3, xpos=["Y"] * 3)
HALF = Sentence.from_words(FORMS, upos=["DET", "_", "VERB"])


def test_only_what_is_marked_is_changed():
    asked = []

    def change(batch):
        asked.append(len(batch))
        return [TAGGED] * len(batch)

    assert changed([BARE, HALF], [False, True], change) == [BARE, TAGGED]
    assert changed([BARE, HALF], [True, True], change) == [TAGGED, TAGGED]
    assert changed([BARE], [False], change) == [BARE]
    assert asked == [1, 2]


def test_tags_that_are_there_are_kept():
    bare, tagged, half = with_tags([BARE, TAGGED, HALF], toy_tagger(), own=False)
    assert bare.upos == half.upos == ("DET", "NOUN", "VERB")
    assert tagged.upos == TAGGED.upos
    assert with_tags([TAGGED], toy_tagger(), own=True)[0].upos == bare.upos


def test_lemmas_that_are_there_are_kept():
    given = Sentence.from_words(FORMS, upos=["DET", "NOUN", "VERB"], lemmas=["x", "y", "z"])
    bare = Sentence.from_words(FORMS, upos=given.upos)
    lemmas = linear_member().lemmas
    kept, found = with_lemmas([given, bare], lemmas, own=False)
    assert (kept.lemmas, found.lemmas[2]) == (("x", "y", "z"), "grow")
    assert with_lemmas([given], lemmas, own=True)[0].lemmas == found.lemmas


def test_what_sentences_have():
    assert (has_tags(BARE), has_tags(HALF)) == (False, True)
    assert (HALF.lacks("upos"), HALF.lacks("lemmas")) == (False, True)
