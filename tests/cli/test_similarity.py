"""`headwise similarity` as a person uses it."""

import json
from pathlib import Path

import pytest

from commandcalls import call
from headwise import write_sentences
from headwise.text.similarity.words import WordSimilarity
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(20, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", TRAIN)
    write_sentences("dev.conllu", DEV)
    lines = [" ".join(sentence.forms) for sentence in TRAIN]
    Path("text.txt").write_text("\n".join([*lines, "", "one"]) + "\n")
    return tmp_path


def build(capsys, *more: str) -> None:
    code, out, err = call("similarity", "build", "text.txt", "-o", "similar", *more, capsys=capsys)
    assert (code, err) == (0, "")
    assert out.startswith("wrote similar: 1")


def test_similar_words_are_learnt_and_shown(capsys):
    build(capsys, "--min-count", "2", "--stop-words", "3")
    code, out, _ = call("similarity", "tree", "--model", "similar", "-n", "2", capsys=capsys)
    assert code == 0
    assert out.startswith("tree: ")
    assert out.count(",") == 1
    shown = call("similarity", "of", "tree", "the", "-m", "similar", "--json", capsys=capsys)[1]
    assert list(json.loads(shown)) == ["tree", "the"]
    assert "Words that stand in similar contexts" in call("info", "similar", capsys=capsys)[1]


def test_similar_words_are_learnt_from_the_words_of_a_treebank(capsys):
    build(capsys, "--min-count", "2", "--stop-words", "3")
    words = ["--min-count", "2", "--stop-words", "3"]
    call("similarity", "build", "train.conllu", "-o", "of-trees", *words, capsys=capsys)
    text, trees = WordSimilarity.load("similar"), WordSimilarity.load("of-trees")
    assert trees.words_ == text.words_


def test_wrong_calls_of_similarity_are_said_so(capsys):
    build(capsys)
    code, _, err = call("similarity", "xyzzy", "-m", "similar", capsys=capsys)
    assert (code, err) == (2, "headwise: error: 'xyzzy' is not in the vocabulary of similar\n")
    code, _, err = call("similarity", "tree", "-m", "nowhere", capsys=capsys)
    assert (code, "there is no model nowhere" in err) == (2, True)
    code, _, err = call("similarity", "build", "text.txt", "-o", "similar", capsys=capsys)
    assert code == 2
    assert "similar" in err
    Path("empty.txt").write_text("\n\none\n")
    code, _, err = call("similarity", "build", "empty.txt", "-o", "other", capsys=capsys)
    assert code == 1
    assert "give more text" in err
    assert not Path("other").exists()
    code, _, err = call("parse", "dev.conllu", "-m", "similar", capsys=capsys)
    assert code == 1
    assert "is a similarity: no dependency parser" in err
