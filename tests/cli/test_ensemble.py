"""`headwise ensemble` as a person uses it."""

from pathlib import Path

import pytest

from commandcalls import call
from headwise.corpus.formats import write_sentences
from toyensembles import linear_pipeline, with_spaces
from toynetworks import random_parser
from toytreebank import toy_treebank


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    linear_pipeline().save("a")
    random_parser().save("b")
    write_sentences("dev.conllu", [with_spaces(one) for one in toy_treebank(6, 2)])
    return tmp_path


def test_a_committee_parses_like_any_model(capsys):
    code, out, err = call("ensemble", "a", "b", "-o", "m", "--dev", "dev.conllu", capsys=capsys)
    assert (code, err) == (0, "")
    assert "dev, raw text: tokens" in out
    assert "wrote m: an ensemble of a, b" in out
    code, out, _ = call("parse", "the tree grows.", "--model", "m", "--marginals", "--to", "conllu",
                        capsys=capsys)  # fmt: skip
    assert code == 0
    assert out.count("HeadProb=") == out.count("TagProb=") == 4
    assert call("parse", "the tree grows.", "--model", "m", "--kbest", "3", capsys=capsys)[0] == 0
    assert "member 2" in call("info", "m", capsys=capsys)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none", "a", "-o", "m"), "no model"),
        (("a", "b", "-o", "b"), "already exists"),
        (("a", "-o", "m"), "an ensemble is made of two models or more, not of 1"),
    ],
)
def test_calls_that_fail(arguments, message, capsys):
    code, _, err = call("ensemble", *arguments, capsys=capsys)
    assert (code, message in err) == (2, True), err
