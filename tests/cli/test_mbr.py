"""`headwise mbr` and `headwise rerank` as a person uses them."""

import operator

import pytest

from candidatelists import TREES, candidate, ranked
from headwise.cli.app import run
from headwise.corpus.conllu import read_conllu
from headwise.corpus.formats import write_sentences
from headwise.inference.temperatures import ModelTemperatures
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.tables import TableSizes
from toytreebank import toy_treebank

SMALL = """
epochs = 2
features = "paper-000"
tables = { wide = 10, narrow = 10, filters = 8 }
"""


def call(capsys, *arguments):
    capsys.readouterr()
    code = run(list(map(str, arguments)))
    found = capsys.readouterr()
    return code, found.out, found.err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, heads in zip("abc", TREES, strict=True):
        write_sentences(
            tmp_path / f"{name}.conllu", [candidate(heads, comments=["# sent_id = s1"])]
        )
    lists = [ranked(heads, rank, -rank) for rank, heads in enumerate(TREES, 1)]
    write_sentences(tmp_path / "lists.conllu", lists)
    write_sentences(tmp_path / "short.conllu", [])
    write_sentences(tmp_path / "nan.conllu", [ranked(TREES[0], 1, "nan")])
    write_sentences(tmp_path / "other.conllu", [candidate([0, 1], forms=("I", "see"))])
    write_sentences(tmp_path / "bare.conllu", [candidate(TREES[0], ["_"] * 4)])
    write_sentences(tmp_path / "headless.conllu", [candidate([None] * 4, ["_"] * 4)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_committee(folder, capsys):
    code, _, err = call(capsys, "mbr", "a.conllu", "b.conllu", "c.conllu", "-o", "out.conllu")
    assert (code, err) == (0, "")
    (found,) = read_conllu(folder / "out.conllu")
    assert found.id == "s1"
    assert found.heads == TREES[0]  # the majority of each word
    call(capsys, "mbr", "a.conllu", "c.conllu", "--weights", "1,3", "-o", "out.conllu")
    assert next(read_conllu(folder / "out.conllu")).heads == TREES[2]


@pytest.mark.parametrize("wanted", [("--kbest", 20), ("--samples", 25)])
def test_lists_of_a_parser_have_its_probabilities(wanted, tmp_path, capsys):
    settings = {"epochs": 1, "features": "paper-000", "labels": "none"}
    parser = DependencyParser(tables=TableSizes(wide=10, narrow=10, filters=8), **settings)
    parser.fit(toy_treebank(6)).temperatures_ = ModelTemperatures(heads=9.0)
    parser.save(tmp_path / "model")
    write_sentences(tmp_path / "text.conllu", toy_treebank(40)[6:])
    parse = ("parse", tmp_path / "text.conllu", "--model", tmp_path / "model", *wanted)
    assert call(capsys, *parse, "-o", tmp_path / "lists.conllu")[0] == 0
    scale = ("--scale", 0) if "--samples" in wanted else ()  # samples are drawn by probability
    decide = ("mbr", tmp_path / "lists.conllu", "--loss", "unlabelled", *scale)
    code, decided, _ = call(capsys, *decide)
    assert code == 0
    code, direct, _ = call(capsys, *parse, "--decode", "mbr")
    assert code == 0
    (tmp_path / "decided.conllu").write_text(decided)
    (tmp_path / "direct.conllu").write_text(direct)
    trees = [list(read_conllu(tmp_path / f"{name}.conllu")) for name in ("decided", "direct")]
    drawn: dict[str, list[tuple[int | None, ...]]] = {}
    for one in read_conllu(tmp_path / "lists.conllu"):
        drawn.setdefault(one.id.rpartition("/")[0], []).append(one.heads)
    for one, other, own in zip(*trees, drawn.values(), strict=True):
        if scale:  # equal but for ties
            assert agreeing(one.heads, own) == agreeing(other.heads, own)
        else:
            assert one.heads == other.heads


def agreeing(heads, trees) -> int:
    """The number of words that have the same heads in trees, summed over them."""
    return sum(map(operator.eq, heads * len(trees), sum(trees, ())))


def test_lists_of_one_parser(folder, capsys):
    code, out, _ = call(capsys, "mbr", "lists.conllu", "--decode", "map")
    assert code == 0
    assert "# sent_id = s1\n" in out
    assert "# score" not in out
    code, _, err = call(capsys, "mbr", "lists.conllu", "--tune", "b.conllu", "-o", "out.conllu")
    assert code == 0
    assert err.startswith("scale ")
    code, out, _ = call(capsys, "mbr", "bare.conllu", "bare.conllu", "--loss", "unlabelled")
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a.conllu", "short.conllu"], 1, "a file ends after 0 sentences"),
        (["a.conllu", "other.conllu"], 1, "other.conllu:1"),
        (["nan.conllu"], 1, "nan.conllu:1 (sentence s1/1): the score is nan"),
        (["bare.conllu"], 1, "bare.conllu:1: word 1 has no relation"),
        (["headless.conllu"], 1, "headless.conllu:1: word 1 has no head"),
        (
            ["a.conllu", "b.conllu", "--weights", "1,x"],
            2,
            "--weights takes comma-separated numbers",
        ),
        (["a.conllu", "b.conllu", "--weights", "1,nan"], 2, "above 0"),
        (["a.conllu", "--weights", "1,2"], 2, "2 weights for 1 files"),
        (["a.conllu", "--decode", "guess"], 2, "unknown decoding 'guess'; choose from map"),
        (["a.conllu", "--loss", "guess"], 2, "unknown loss"),
        (["a.conllu", "--scale", "1", "--tune", "a.conllu"], 2, "remove --scale"),
        (["-", "--tune", "a.conllu"], 2, "give files, not standard input"),
        (["nothing.conllu"], 2, "there is no file"),
    ],
)
def test_what_goes_wrong_is_said(folder, capsys, arguments, code, message):
    found, _, err = call(capsys, "mbr", *arguments)
    assert found == code
    assert message in err
