from headwise.corpus.sentence import Sentence
from headwise.scoring.neural.vocabulary import Vocabulary

SENTENCES = [
    Sentence.from_words(["Dogs", "bark"], upos=["NOUN", "VERB"], feats=["Number=Plur", "_"],
                        heads=[2, 0], relations=["nsubj", "root"]),
    Sentence.from_words(["dogs", "ran"], upos=["NOUN", "VERB"], heads=[2, 0],
                        relations=["nsubj", "root"]),
]  # fmt: skip


def test_words_are_lowercased_and_seen_twice():
    assert Vocabulary.of(SENTENCES).words == ("dogs",)
    assert Vocabulary.of(SENTENCES, min_count=1).words == ("dogs", "bark", "ran")


def test_columns_are_those_that_hold_something():
    found = Vocabulary.of(SENTENCES)
    assert found.columns == ("upos", "feats")
    assert found.xpos == ()
    assert found.feats == ("_", "Number=Plur")  # no FEATS is a value; the most frequent first


def test_relations_of_roots_and_of_others():
    found = Vocabulary.of(SENTENCES)
    assert (found.roots, found.inner) == (("root",), ("nsubj",))
    assert set(found.relations) == {"root", "nsubj"}


def test_a_missing_tag_is_no_value():
    one = Sentence.from_words(["a", "b"], upos=["X", "_"], heads=[0, 1], relations=["root", "_"])
    found = Vocabulary.of([one])
    assert found.upos == ("X",)
    assert found.inner == ()
