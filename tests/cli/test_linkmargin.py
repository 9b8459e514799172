"""Parsers of links as a person uses them."""

import json
from pathlib import Path

import pytest

from commandcalls import call
from headwise import load, write_sentences
from headwise.cli.app import run
from headwise.parsers.linkmargin.parser import LinkMarginParser
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(40, 1), toy_treebank(20, 2)
LINKS = ["--learner", "link-margin", "--only", "parser"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", TRAIN)
    write_sentences("dev.conllu", DEV)
    lines = [" ".join(sentence.forms) for sentence in TRAIN]
    Path("text.txt").write_text("\n".join([*lines, "", "one"]) + "\n")
    assert run(["similarity", "build", "text.txt", "-o", "similar"]) == 0
    return tmp_path


def test_a_parser_of_links_is_trained_parses_and_is_evaluated(capsys):
    code, out, err = call(
        "train", "train.conllu", "--dev", "dev.conllu", "-o", "m", *LINKS, "--similarity",
        "similar", "--unlabelled", "text.txt", "--set", "betas=[0.5, 2]", "--set", "laplacian=1",
        "--epochs", "500", capsys=capsys,
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "wrote m: epoch" in out
    assert "gap 0.1" in out
    assert isinstance(load("m"), LinkMarginParser)
    assert Path("m.log.jsonl").exists()
    assert not Path("m.checkpoint").exists()
    assert call("parse", "dev.conllu", "-m", "m", "-o", "p.conllu", capsys=capsys)[0] == 0
    own = json.loads(call("evaluate", "dev.conllu", "p.conllu", "--json", capsys=capsys)[1])
    assert own["undirected"] >= own["uas"] > 50
    code, out, _ = call(
        "parse", "dev.conllu", "-m", "m", "--kbest", "2", "--marginals", capsys=capsys
    )
    assert code == 0
    assert "HeadProb=" in out
    options = ["-m", "m", "--constraints", "-o", "same.conllu"]
    assert call("parse", "dev.conllu", *options, capsys=capsys)[0] == 0
    again = json.loads(call("evaluate", "dev.conllu", "same.conllu", "--json", capsys=capsys)[1])
    assert again["uas"] == 100
    assert "large margins" in call("info", "m", capsys=capsys)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([*LINKS], "give a similarity model"),
        ([*LINKS, "--order", "2"], "order: is a setting of another learner: mira and others"),
        ([*LINKS, "--set", "loss=heads"], "loss: "),
        ([*LINKS, "--set", "betas=one"], "betas: expected a list"),
        (["--set", "betas=[1, 2]"], "another learner: link-margin"),
        (["--set", "laplacian=1"], "another learner: link-margin"),
    ],
)
def test_wrong_calls_are_said_so(options, message, capsys):
    code, _, err = call("train", "train.conllu", "-o", "m", *options, capsys=capsys)
    assert code in (1, 2)
    assert message in err
    assert not Path("m").exists()
