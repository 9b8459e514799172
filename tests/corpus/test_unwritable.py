"""What cannot be read again is not written, and the reason is told."""

import re
from dataclasses import replace

import pytest

from headwise.corpus.conllu import (
    format_sentence,
)
from headwise.corpus.extras import EmptyNode, Multiword
from headwise.corpus.formats import write_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import FormatError


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence.from_words(["a\tb"]),
        Sentence.from_words(["a\nb"]),
        Sentence.from_words(["a\rb"]),
        Sentence.from_words([""]),
        Sentence.from_words([]),
        Sentence.from_words(["a"], comments=["no hash"]),
        Sentence.from_words(["a"], comments=["# two\nlines"]),
        Sentence.from_words(["a"], misc=["x\t"]),
        replace(Sentence.from_words(["a", "b"]), lemmas=("x",)),
        replace(Sentence.from_words(["a"]), extras=(Multiword(1, 2, ("x",) * 9, 0),)),
        replace(Sentence.from_words(["a"]), extras=(Multiword(1, 1, ("x",) * 9, 1),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8 + ("",)),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8 + ("a\tb",)),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(2, 1, ("x",) * 9),)),
    ],
)
def test_what_could_not_be_read_again_is_not_written(sentence, tmp_path):
    path = tmp_path / "out.conllu"
    with pytest.raises(FormatError, match="cannot be written"):
        write_sentences(path, [Sentence.from_words(["fine"]), sentence])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (Sentence.from_words(["x", "a\rb"]), r"FORM of word 2 ('a\rb') holds a carriage return"),
        (Sentence.from_words(["a"], misc=["x\t"]), r"MISC of word 1 ('x\t') holds a tab"),
        (Sentence.from_words(["a", ""]), "FORM of word 2 is empty"),
        (Sentence.from_words([]), "there are no words"),
        (Sentence.from_words(["a"], comments=["no hash"]), "comment 'no hash' does not start with"),
        (
            Sentence.from_words(["a"], comments=["# \tb\n"]),
            r"a comment ('#  b\n') holds a line end",
        ),
        (replace(Sentence.from_words(["a", "b"]), lemmas=("x",)), "1 values of LEMMA for 2 words"),
        (
            replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8 + ("",)),)),
            "a value of row 1.1 is empty",
        ),
        (
            replace(Sentence.from_words(["a"]), extras=(EmptyNode(2, 1, ("x",) * 9),)),
            "an empty node is out of place",
        ),
    ],
)
def test_the_reason_is_told(sentence, reason):
    with pytest.raises(FormatError, match=re.escape(reason)):
        format_sentence(sentence)
