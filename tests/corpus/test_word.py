from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence


def test_words_of_a_treebank():
    for sentence in read_sample():
        words = sentence.words
        assert [word.form for word in words] == list(sentence.forms)
        assert [(word.start, word.end) for word in words] == list(sentence.offsets())
        for word in words:
            assert all(child.parent is word for child in word.children)
            assert word in word.subtree
        (root,) = [word for word in words if word.head == 0]
        assert root.subtree == words
        assert root.parent is None


def test_what_is_not_there():
    sentence = Sentence.from_words(
        ["a", "b"], heads=[None, 2], misc=["HeadProb=high|X", "_"], comments=["# text = other"]
    )
    first, second = sentence.words
    assert (first.start, first.end, first.parent, first.tag) == (None, None, None, "_")
    assert (first.note("HeadProb"), first.head_probability, first.note("X")) == ("high", None, None)
    assert second.subtree == (second,)  # it is its own head: no endless walk
    assert sentence._repr_svg_() is None
    assert Sentence.from_words([]).words == ()


def test_tags():
    (word,) = Sentence.from_words(["a"], xpos=["DT"]).words
    assert word.tag == "DT"
