"""Words: the same objects at every access, with the way to their neighbours."""

import copy
import pickle
from dataclasses import asdict

import pytest

from headwise.corpus.sample import read_sample
from headwise.corpus.scanned import read_scanned
from headwise.corpus.sentence import Sentence


def test_words_of_a_treebank():
    for sentence in read_sample():
        words = sentence.words
        assert [word.form for word in words] == list(sentence.forms)
        assert [(word.start, word.end) for word in words] == list(sentence.offsets())
        for word in words:
            assert all(child.head is word for child in word.children)
            assert word in word.subtree
        (root,) = [word for word in words if word.head_id == 0]
        assert root is sentence.root
        assert root.subtree == words
        assert root.head is root.parent is None


def test_a_word_is_the_same_object_at_every_access():
    for sentence in read_sample():
        assert all(a is b for a, b in zip(sentence.words, sentence.words, strict=True))
        assert {*sentence.words} == {*sentence, *sentence[:]}
        below = [word for word in sentence if word.head == sentence.root]
        assert below == list(sentence.root.children)
        for word in sentence:
            assert word == word.sentence[word.id - 1]
            assert word.head is None or word in word.head.children
            assert word.parent is word.head


def test_words_of_scanned_sentences(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t2\tdet\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    (sentence,) = read_scanned(path)
    assert sentence[0] is sentence.words[0]
    assert sentence[0].head is sentence.root is sentence[1]


def test_copies_of_words_are_words_of_copies():
    sentence = Sentence.from_words(["Dogs", "bark"], heads=[2, 0])
    first = sentence[0]
    for other in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert other is other.sentence[0]
        assert other.sentence == sentence
        assert other is not first
        assert other.head.form == "bark"
    assert copy.copy(first) is first
    assert pickle.loads(pickle.dumps(sentence)) == sentence


def test_a_word_as_a_dictionary_has_its_columns():
    sentence = Sentence.from_words(["Dogs", "bark"], heads=[2, 0], relations=["nsubj", "root"])
    keys = ["id", "form", "lemma", "upos", "xpos", "feats", "head_id", "relation", "deps", "misc"]
    assert list(asdict(sentence[0])) == keys
    assert asdict(sentence[0])["head_id"] == 2


def test_a_table_of_words_can_be_made_at_once():
    pandas = pytest.importorskip("pandas")
    sentence = Sentence.from_words(["Dogs", "bark"], heads=[2, 0])
    assert pandas.DataFrame(sentence.words)["head_id"].tolist() == [2, 0]
    assert pandas.DataFrame(sentence.to_dicts())["head"].tolist() == [2, 0]


def test_what_is_not_there():
    sentence = Sentence.from_words(
        ["a", "b"], heads=[None, 2], misc=["HeadProb=high|X", "_"], comments=["# text = other"]
    )
    first, second = sentence.words
    assert (first.start, first.end, first.head, first.tag) == (None, None, None, "_")
    assert (first.note("HeadProb"), first.head_probability, first.note("X")) == ("high", None, None)
    assert second.subtree == (second,)  # it is its own head: no endless walk
    assert sentence._repr_svg_() is None
    assert sentence._repr_html_() is None
    assert sentence.root is None
    assert Sentence.from_words([]).words == ()


def test_tags_and_features():
    (word,) = Sentence.from_words(["a"], xpos=["DT"], feats=["Case=Nom|Number=Sing"]).words
    assert (word.tag, word.text) == ("DT", "a")
    assert word.morph == {"Case": "Nom", "Number": "Sing"}
    assert Sentence.from_words(["a"])[0].morph == {}


def test_what_is_shown_of_a_word_fits_a_line():
    sentence = Sentence.from_words(["\x1b[31m\u202e" + "x" * 10_000])
    assert len(repr(sentence[0])) < 80
    assert repr(sentence[0]).isprintable()
    assert str(sentence[0]) == sentence.forms[0]
