"""Plain sentences, as people try first: the package's model parses most of them without a fault."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from headwise.corpus.check import check_file
from headwise.pipeline.models import as_pipeline

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

FEWEST_RIGHT = 95
"""How many of the hundred sentences the model `en` must parse whole and right; the aim is 95."""


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import plain_english

    yield plain_english
    sys.modules.pop("plain_english", None)


def test_there_are_a_hundred_short_sentences_without_errors(plain):
    sentences = plain.plain_sentences()
    assert len(sentences) == len({one.text for one in sentences}) == 100
    assert all(2 <= sum(tag != "PUNCT" for tag in one.upos) <= 12 for one in sentences)
    assert not list(check_file(plain.SENTENCES))


def test_most_are_whole_and_right(plain):
    sentences = plain.plain_sentences()
    wrong = plain.wrong_sentences(as_pipeline("en"), sentences)
    shown = "\n".join(f"{gold.text} {differing}" for gold, differing in wrong)
    assert len(sentences) - len(wrong) >= FEWEST_RIGHT, shown


def test_differences_are_told_by_word(plain):
    gold = plain.plain_sentences()[0]
    assert plain.differences(gold, [gold]) == []
    other = replace(gold, upos=("NOUN", "NOUN", "PUNCT"))
    assert plain.differences(gold, [other]) == [
        ("bark", "VERB root ← ROOT (0)", "NOUN root ← ROOT (0)")
    ]
    assert plain.differences(gold, [gold, gold]) == [
        ("(tokens)", "Dogs bark .", "Dogs bark . | Dogs bark .")
    ]


def test_a_contraction_must_be_one_token(plain):
    gold = next(one for one in plain.plain_sentences() if one.multiwords)
    assert plain.differences(gold, [replace(gold, extras=())])[0][0] == "(tokens)"
