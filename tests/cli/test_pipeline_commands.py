"""`headwise train` and `headwise parse` with whole pipelines, as a person uses them."""

import json
import os
import signal
from pathlib import Path

import pytest

import headwise
from commandcalls import call
from headwise import read_sentences, write_sentences
from headwise.cli.trainingprogress import TrainingLines
from headwise.learners import loop
from headwise.pipeline import models
from toypipelines import toy_pipeline, toy_trees

SMALL = [
    "--fast",
    "--set",
    "tables.wide=10",
    "--set",
    "tables.narrow=10",
    "--set",
    "tables.filters=8",
    "--set",
    "features=few.txt",
]
TEXT = "The dogs see a cat. The dog doesn't see a tree."


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models, "EMBEDDED", tmp_path / "embedded")
    Path("few.txt").write_text("distance h.tag m.tag\nplain h.word m.word\n")
    write_sentences("train.conllu", toy_trees(60))
    write_sentences("dev.conllu", toy_trees(20, seed=1))
    return tmp_path


@pytest.fixture
def embedded(folder) -> Path:
    toy_pipeline().save(folder / "embedded" / "en")
    return folder / "embedded" / "en"


def train(*arguments: str, capsys) -> tuple[int, str, str]:
    return call("train", "train.conllu", *arguments, "--epochs", "1", *SMALL, capsys=capsys)


# ---------------------------------------------------------------------------- train


def test_a_treebank_becomes_a_pipeline(capsys):
    code, out, err = train("--dev", "dev.conllu", "-o", "m", capsys=capsys)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.partition(":")[0] for line in lines[1:4]] == ["tokeniser", "tagger", "lemmas"]
    assert lines[-4].startswith("dev, gold tags: UAS ")
    assert all(line.endswith("(relations without subtypes)") for line in lines[-4:-1])
    assert lines[-3].startswith("dev, own tags: UPOS ")
    assert lines[-2].startswith("dev, raw text: tokens ")
    assert lines[-1].startswith("wrote m: epoch 1")
    nlp = headwise.load("m")
    assert [one.text for one in nlp(TEXT).sentences] == [
        "The dogs see a cat.",
        "The dog doesn't see a tree.",
    ]
    card = call("info", "m", capsys=capsys)[1]
    assert "| | gold tags | own tags | raw text |" in card
    assert "| trained on | train.conllu |" in card


def test_stages_can_be_chosen_and_replaced(capsys):
    assert train("-o", "tags", "--only", "tagger,lemmas", capsys=capsys)[0] == 0
    tags = headwise.load("tags")
    assert (tags.tokeniser, tags.parser) == (None, None)
    assert (
        train(
            "-o",
            "rest",
            "--without",
            "lemmas",
            "--set",
            "pipeline.reuse.tagger=tags",
            capsys=capsys,
        )[0]
        == 0
    )
    rest = headwise.load("rest")
    assert rest.lemmas is None
    assert rest.tagger.tags == tags.tagger.tags
    code, _, err = train("-o", "m", "--set", "pipeline.reuse.tagger=few.txt", capsys=capsys)
    assert (code, "there is no model" in err) == (2, True)
    code, _, err = train("-o", "m", "--set", "pipeline.reuse.parser=tags", capsys=capsys)
    assert (code, "tags has no stage 'parser'" in err) == (2, True)
    given = ["--only", "tagger", "--set", "pipeline.reuse.tagger=tags"]
    assert "nothing to train" in train("-o", "m", *given, capsys=capsys)[2]


@pytest.mark.parametrize(("tags", "sentences"), [("jackknife", 60), ("both", 120)])
def test_the_parser_can_learn_from_tags_of_taggers(tags, sentences, capsys):
    options = ["--train-tags", tags, "--set", "pipeline.folds=2", "--dev", "dev.conllu"]
    code, out, _ = train("-o", "m", *options, capsys=capsys)
    assert code == 0
    assert "jackknife: " in out
    assert f"learning from {sentences} sentences" in out
    card = call("info", "m", capsys=capsys)[1]
    assert f"| tags the parser learnt from | {tags}, 2 folds |" in card


def test_a_resumed_pipeline_has_the_same_weights(capsys, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)
    options = ["--dev", "dev.conllu", "--train-tags", "jackknife", "--set", "pipeline.folds=2"]
    assert train("-o", "whole", *options, capsys=capsys)[0] == 0
    left = [4]

    def progress(self, report):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(TrainingLines, "progress", progress)
    assert train("-o", "m", *options, capsys=capsys)[0] == 130
    assert train("-o", "m", *options, "--resume", capsys=capsys)[0] == 0
    first, second = (Path(name, "weights.safetensors").read_bytes() for name in ("whole", "m"))
    assert first == second


def test_a_treebank_without_text_tags_or_lemmas(capsys):
    rows = ["1\ta\t_\t_\t_\t_\t0\troot\t_\t_", "2\tb\t_\t_\t_\t_\t1\tdep\t_\t_"]
    Path("bare.conllu").write_text(("\n".join(rows) + "\n\n") * 3)
    arguments = ["bare.conllu", "--dev", "bare.conllu", "-o", "m", "--epochs", "1", *SMALL]
    code, out, err = call("train", *arguments, capsys=capsys)
    assert code == 0
    assert [line.partition(", ")[0] for line in err.splitlines()] == [
        f"headwise: warning: bare.conllu: no {what}"
        for what in (
            "sentence says how its text looked (`# text`",
            "word has a tag",
            "word has a lemma",
        )
    ]
    assert "raw text" not in out
    assert "dev, own tags: UPOS –, XPOS –, UFeats –, lemmas –, UAS 100.00, LAS 100.00" in out
    assert headwise.load("m")("a b").sentences[0].heads == (0, 1)


# ---------------------------------------------------------------------------- parse


def test_the_first_command(embedded, capsys):
    code, out, err = call("parse", TEXT, capsys=capsys)
    assert (code, err) == (0, "")
    assert out.startswith("1 The dogs see a cat.\n")
    assert "2 The dog doesn't see a tree.\n" in out
    assert "root" in out
    assert "NOUN" in out


def test_without_a_model(capsys):
    code, _, err = call("parse", TEXT, capsys=capsys)
    assert code == 1
    assert "comes without its model 'en'" in err


def test_probabilities_of_a_text_are_shown(embedded, capsys):
    code, out, _ = call("parse", TEXT, "--marginals", capsys=capsys)
    assert code == 0
    assert out.count("HeadProb=") == 14
    assert "HeadProb" not in call("parse", TEXT, "--marginals", "--to", "tree", capsys=capsys)[1]


def test_a_file_of_text_becomes_conllu(embedded, capsys):
    Path("a.txt").write_text(TEXT)
    assert call("parse", "a.txt", "-o", "a.conllu", "--generator", capsys=capsys) == (0, "", "")
    found = list(read_sentences("a.conllu"))
    assert found[0].comments[0].startswith("# generator = headwise ")
    assert found[0].comments[1] == f"# model = en {headwise.load().version}"
    assert found[0].comments[2:] == (
        "# newdoc id = a.txt",
        *headwise.load()(TEXT).sentences[0].comments,
    )
    assert [one.heads for one in found] == [one.heads for one in headwise.load()(TEXT).sentences]
    assert found[1].multiwords[0].form == "doesn't"
    assert found[0].misc[-2:] == ("SpaceAfter=No", "_")
    code, out, _ = call("parse", "a.txt", capsys=capsys)
    assert (code, out.startswith("# newdoc id = a.txt\n# sent_id = 1\n")) == (0, True)


@pytest.mark.parametrize("name", ["svg", "tsv", "jsonl", "conllx", "tokens", "tree"])
def test_every_output(embedded, capsys, name):
    code, out, _ = call("parse", TEXT, "--to", name, capsys=capsys)
    assert code == 0
    if name in ("svg", "tsv", "jsonl"):
        assert call("parse", TEXT, "-o", f"a.{name}", capsys=capsys)[0] == 0
        assert Path(f"a.{name}").read_text() == out
    if name == "svg":
        assert out.startswith("<svg")
    if name == "tsv":
        rows = [line.split("\t") for line in out.splitlines()]
        assert rows[0][:3] == ["sentence", "word", "form"]
        assert rows[1][:5] == ["1", "1", "The", "the", "DET"]
        assert [TEXT[int(row[-2]) : int(row[-1])] for row in rows[1:3]] == ["The", "dogs"]
    if name == "jsonl":
        assert json.loads(out.splitlines()[1])["words"][3]["lemma"] == "not"


def test_lines_and_tokens(embedded, capsys):
    text = "The dog. A cat.\nThe tree"
    _, out, _ = call("parse", "--presegmented", text, "--to", "tokens", capsys=capsys)
    assert out == "The dog . A cat .\nThe tree\n"
    _, out, _ = call("parse", "--tokenized", text, "--to", "tokens", capsys=capsys)
    assert out == "The dog. A cat.\nThe tree\n"
    Path("a.txt").write_text(text)
    assert call("parse", "--from", "tokens", "a.txt", "--to", "tokens", capsys=capsys)[1] == out
    for option, known in (("--from", "brackets, tokens"), ("--to", "conllx, tokens")):
        code, _, err = call("parse", "a.txt", option, "text", capsys=capsys)
        assert (code, "format 'text'; " in err, known in err) == (2, True, True)


def test_own_tags(embedded, capsys):
    gold = toy_trees(1, seed=4)
    tagged = headwise.Sentence.from_words(gold[0].forms, upos=["X"] * len(gold[0]))
    write_sentences("x.conllu", [tagged])
    assert call("parse", "x.conllu", "-o", "kept.conllu", capsys=capsys)[0] == 0
    assert call("parse", "x.conllu", "-o", "own.conllu", "--own-tags", capsys=capsys)[0] == 0
    (kept,), (own,) = read_sentences("kept.conllu"), read_sentences("own.conllu")
    assert set(kept.upos) == {"X"}
    assert own.upos == gold[0].upos


def test_bytes_that_are_no_text(embedded, capsys):
    Path("bad.txt").write_bytes(b"The dog\n\xff sees.")
    code, _, err = call("parse", "bad.txt", capsys=capsys)
    assert code == 1
    assert "bad.txt:2: not UTF-8: byte 0xff" in err
    code, out, _ = call("parse", "bad.txt", "--errors=replace", capsys=capsys)
    assert (code, "\ufffd" in out) == (0, True)


@pytest.mark.parametrize("text", [b"", b" \n\n ", b"a", b"\x00", b"x" * 100_000, b"a " * 5_000])
def test_odd_files(embedded, capsys, text):
    Path("odd.txt").write_bytes(text)
    code, _, err = call("parse", "odd.txt", "-o", "odd.conllu", capsys=capsys)
    assert code == 0
    assert ("no sentence ends within 500 tokens" in err) == (text.count(b"a") > 500)
    for name in ("tree", "svg", "tsv"):
        if len(text) < 1000:
            assert call("parse", "odd.txt", "--to", name, capsys=capsys)[0] == 0
    words = sum(map(len, read_sentences("odd.conllu")))
    assert words == len(text.split())
