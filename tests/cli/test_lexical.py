"""`headwise similarity`, and lexical parsers, as a person uses them."""

import json
from pathlib import Path

import pytest

from commandcalls import call
from headwise import Pipeline, load, write_sentences
from headwise.parsers.lexical.parser import LexicalParser
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(20, 2)
LEXICAL = ["--learner", "lexical", "--only", "parser"]


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
    assert code == 0
    assert "error" not in err  # kernels may be compiled just now
    assert out.startswith("wrote similar: 1")


def test_a_lexical_parser_is_trained_parses_and_is_evaluated(capsys):
    build(capsys)
    code, out, err = call(
        "train", "train.conllu", "--dev", "dev.conllu", "-o", "m", *LEXICAL,
        "--similarity", "similar", capsys=capsys,
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("wrote m: ")
    assert "similar words for 100.0 % of tokens, dev UAS" in out
    assert isinstance(load("m"), LexicalParser)
    assert call("parse", "dev.conllu", "-m", "m", "-o", "p.conllu", capsys=capsys)[0] == 0
    own = json.loads(call("evaluate", "dev.conllu", "p.conllu", "--json", capsys=capsys)[1])
    assert own["undirected"] >= own["uas"] > 60
    asked = ["--kbest", "2", "--marginals"]
    code, out, _ = call("parse", "dev.conllu", "-m", "m", *asked, capsys=capsys)
    assert code == 0
    assert "HeadProb=" in out
    assert "/2" in out
    short = call("evaluate", "dev.conllu", "p.conllu", "--longest", "6", "--json", capsys=capsys)
    words = sum(len(one) for one in DEV if len(one) <= 6)
    assert 0 < json.loads(short[1])["words"] == words < own["words"]


def test_a_rival_is_trained_within_a_pipeline(capsys):
    Path("few.toml").write_text("counts = 2\n")
    code, _, err = call(
        "train", "train.conllu", "-o", "m", "--learner", "lexical", "--without", "tokeniser",
        "--set", "variant=tags", "--set", "tags=upos", "--config", "few.toml", capsys=capsys,
    )  # fmt: skip
    assert (code, err) == (0, "")
    found = Pipeline.load("m").parser
    assert isinstance(found, LexicalParser)
    assert (found.variant, found.counts) == ("tags", 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([*LEXICAL], "give a similarity model"),
        ([*LEXICAL, "--similarity", "nowhere"], "there is no model"),
        (
            [*LEXICAL, "--epochs", "3"],
            "epochs: is a setting of another learner: mira and others (--scorer linear), link",
        ),
        ([*LEXICAL, "--set", "variant=letters"], "variant: "),
        (["--set", "variant=tags"], "variant: is a setting of another learner: lexical"),
        (["--similarity", "similar"], "--learner lexical"),
    ],
)
def test_wrong_calls_of_training_are_said_so(options, message, capsys):
    build(capsys)
    code, _, err = call("train", "train.conllu", "-o", "m", *options, capsys=capsys)
    assert code == 2
    assert message in err
    assert not Path("m").exists()
