"""Notes of `headwise parse` on standard error."""

from pathlib import Path

import pytest

from headwise.cli.app import run
from headwise.cli.parsenotes import note_words
from headwise.corpus.conllu import read_conllu
from headwise.corpus.formats import write_sentences
from headwise.corpus.sentence import Sentence
from headwise.pipeline.inputs import Input, input_of
from toyparsers import toy_parser, toy_sentences


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy"
    toy_parser().save(path)
    return path


@pytest.fixture
def gold(tmp_path) -> Path:
    path = tmp_path / "gold.conllu"
    write_sentences(path, toy_sentences())
    return path


def call(capsys, *arguments: object) -> tuple[int, str, str]:
    code = run(["parse", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_few_trees_are_said_once(model, tmp_path, capsys):
    source = tmp_path / "a.tok"
    source.write_text("dogs see\n\ndogs\nthe dogs see a tree\n")
    code, out, err = call(capsys, "--model", model, source, "--kbest", 3)
    assert code == 0
    assert err.count("\n") == 2  # the words have no tags, and the model has learnt with them
    assert "note: 2 of 3 sentences have fewer than 3 trees" in err
    assert len(read_written(tmp_path, out)) == 2 + 1 + 3
    assert "note:" not in call(capsys, "--model", model, source, "--kbest", 1)[2]


def read_written(folder: Path, text: str) -> list[Sentence]:
    (folder / "out.conllu").write_text(text)
    return list(read_conllu(folder / "out.conllu"))


def test_words_without_quotes_are_noted(model, gold, capsys):
    code, out, err = call(capsys, "--model", model, "--tokenized", "We", "read", "it")
    assert (code, "note:" in err) == (0, False)  # it was said that these are texts
    assert err.count("\n") == err.count("the words have no UPOS or XPOS tags") == 1
    assert out.count("root") == 3
    text = input_of("We", None)
    note_words([text, input_of("read", None), input_of("it's", None)])
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "each of the 3 arguments was parsed as a separate text" in err
    assert """headwise parse 'We read it'"'"'s'""" in err
    note_words([text, Input("conllu", gold)])
    assert "note: no such file: We; parsed as text" in capsys.readouterr().err
    note_words([text])
    note_words([input_of("We read.", None), input_of("They wrote.", None)])
    assert capsys.readouterr().err == ""
