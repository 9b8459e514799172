"""What sentences and documents share."""

import copy
import pickle
import re
from dataclasses import replace

import pytest

import headwise
from headwise.corpus.sentence import Sentence
from headwise.corpus.wordsequence import WordSequence
from headwise.pipeline.document import Document
from headwise.pipeline.pipeline import Pipeline


def sentence() -> Sentence:
    return Sentence.from_words(["We", "read", "it"], heads=[2, 0, 2])


def test_a_sequence_of_words():
    words = sentence()
    assert [word.form for word in words] == ["We", "read", "it"]
    assert words[0].form == "We"
    assert words[-1].form == "it"
    assert [word.form for word in words[1:]] == ["read", "it"]
    with pytest.raises(IndexError):
        words[3]


def test_words_are_built_once_and_belong_to_no_comparison_or_copy():
    one, other = sentence(), sentence()
    assert one.words is one.words
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == copy.copy(one) == one


def test_the_attribute_that_was_probably_meant_is_named():
    with pytest.raises(AttributeError, match="form"):
        sentence().form  # noqa: B018


def test_each_class_builds_its_own_words():
    with pytest.raises(NotImplementedError):
        WordSequence().words  # noqa: B018


SENTENCE = Sentence.from_words(["Dogs", "bark"], heads=[2, 0])
DOCUMENT = Document("Dogs bark", (SENTENCE,))


@pytest.mark.parametrize(
    ("owner", "wrong", "right"),
    [
        (SENTENCE[0], "pos_", "'upos'"),
        (SENTENCE[0], "dep_", "'relation'"),
        (SENTENCE[0], "childs", "'children'"),
        (SENTENCE[0], "i", "'id'"),
        (SENTENCE, "noun_chunks", r"'noun_phrases\(\)'"),
        (SENTENCE, "tokns", "'tokens'"),
        (SENTENCE, "sent_id", "'id'"),
        (DOCUMENT, "to_json", r"'to_dicts\(\)'"),
        (DOCUMENT, "sents", "'sentences'"),
        (DOCUMENT, "tokens", "'words'"),
    ],
)
def test_the_nearest_attribute_is_named(owner, wrong, right):
    with pytest.raises(AttributeError, match=f"{wrong!r}; did you mean {right}"):
        getattr(owner, wrong)


@pytest.mark.parametrize(
    ("owner", "wrong", "said"),
    [
        (SENTENCE, "print_dependencies", "headwise.draw_tree"),
        (SENTENCE, "tree", r"sentence.svg\(\)"),
        (SENTENCE[0], "is_alpha", r"word.form.isalpha\(\)"),
        (SENTENCE[0], "doc", "do not know their document"),
        (SENTENCE[0], "vector", "no vectors"),
        (Pipeline(), "pipe_names", "tokeniser, tagger, lemmas and parser"),
        (Pipeline(), "meta", "headwise info"),
        (Pipeline(), "to_disk", r"save\(path\)"),
        (Pipeline(), "score", "headwise.evaluate import evaluate"),
        (Pipeline(), "fit", "headwise train"),
    ],
)
def test_what_has_no_counterpart_is_explained(owner, wrong, said):
    with pytest.raises(AttributeError, match=f"no attribute {wrong!r}: .*{said}"):
        getattr(owner, wrong)


@pytest.mark.parametrize("name", ["download", "blank", "displacy", "Doc", "read_conllu", "train"])
def test_names_of_other_libraries_lead_to_ours(name):
    with pytest.raises(AttributeError, match="did you mean headwise"):
        getattr(headwise, name)


def test_the_nearest_name_of_the_package_is_named():
    with pytest.raises(AttributeError, match=r"did you mean headwise\.load\?"):
        _ = headwise.laod
    with pytest.raises(AttributeError, match="no attribute 'xyzzy'$"):
        _ = headwise.xyzzy


@pytest.mark.parametrize("owner", [SENTENCE[0], SENTENCE, DOCUMENT])
def test_what_is_not_there(owner):
    with pytest.raises(AttributeError, match="named entities are out of scope"):
        _ = owner.ents
    with pytest.raises(AttributeError, match=r"has no attribute 'xyzzy'$"):
        _ = owner.xyzzy
    with pytest.raises(AttributeError, match=r"has no attribute '_ipython_display_'$"):
        _ = owner._ipython_display_
    assert not hasattr(owner, "__array_interface__")


@pytest.mark.parametrize(
    ("owner", "name", "hint"),
    [
        (SENTENCE, "deprel", "; did you mean 'relations'?"),
        (SENTENCE, "lefts", ": its words have 'children'"),
        (DOCUMENT, "lemma_", ": its words have 'lemma'"),
        (DOCUMENT, "upos", ": its words have 'upos'"),
        (SENTENCE, "left_edge", ": word.subtree has it"),
    ],
)
def test_what_words_have_is_said_of_their_sequences(owner, name, hint):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'{re.escape(hint)}"):
        getattr(owner, name)


def test_what_cannot_be_worked_out_is_not_suggested():
    with pytest.raises(AttributeError, match=r"has no attribute 'head'$"):
        _ = replace(SENTENCE[0], lemma="x").head  # a word without a sentence


def test_what_is_suggested_is_there():
    from headwise.corpus.wordsequence import ELSEWHERE

    for meant in set(ELSEWHERE.values()):
        name = meant.partition("(")[0].partition(".")[0]
        assert any(hasattr(one, name) for one in (SENTENCE[0], SENTENCE, DOCUMENT)), name
