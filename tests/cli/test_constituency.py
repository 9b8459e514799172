"""`headwise constituency`, from trees to scores."""

import json

import pytest
from bracketbank import LINES

from headwise.cli.app import run
from headwise.corpus import files

TEXT = "she sees a cat .\ndogs bark .\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("trees")
    (made / "train.mrg").write_text("\n".join(LINES) + "\n")
    (made / "text.txt").write_text(TEXT)
    assert run(["constituency", "train", str(made / "train.mrg"), "-o", str(made / "model")]) == 0
    return made


def call(*arguments, capsys):
    capsys.readouterr()
    code = run(["constituency", *map(str, arguments)])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_from_trees_to_scores(folder, capsys):
    parsed, lists, chosen = (folder / name for name in ("a.mrg", "a.nbest", "b.mrg"))
    train, model = folder / "train.mrg", folder / "model"
    assert call("parse", train, "-m", model, "-o", parsed, "--tags", "xpos", capsys=capsys)[0] == 0
    options = ("-o", lists, "--kbest", 5, "--format", "bllip")
    assert call("parse", train, "--model", model, *options, "--exact", capsys=capsys)[0] == 0
    assert lists.read_text().splitlines()[0].split("\t")[1] == "1"
    code, _, err = call("mbr", lists, "-o", chosen, "--tune", train, capsys=capsys)
    assert code == 0
    assert "scale " in err  # a note may come first, that kernels are being compiled
    code, out, _ = call("evaluate", train, chosen, "--json", capsys=capsys)
    assert code == 0
    assert json.loads(out)["all"]["f1"] > 80
    assert "Complete match" in call("evaluate", train, parsed, capsys=capsys)[1]
    code, out, _ = call("compare", train, parsed, chosen, "--rounds", 100, capsys=capsys)
    assert code == 0
    assert "p rand." in out
    found = json.loads(
        call("compare", train, parsed, parsed, "--rounds", 50, "--json", capsys=capsys)[1]
    )
    assert found["f1"]["difference"] == 0


def test_trees_go_to_standard_output(folder, capsys):
    code, out, _ = call("parse", folder / "text.txt", "-m", folder / "model", capsys=capsys)
    assert code == 0
    assert out.splitlines()[1] == "(ROOT (S (NP (NNS dogs)) (VP (VBP bark)) (. .)))"


def test_a_space_within_a_word_does_not_break_it(folder, capsys):
    rows = [("1", "10 000"), ("2", "dogs")]
    lines = ["\t".join([number, form, *"_____", "_", "_", "_"]) for number, form in rows]
    (folder / "space.conllu").write_text("\n".join(lines) + "\n\n")
    code, out, _ = call("parse", folder / "space.conllu", "-m", folder / "model", capsys=capsys)
    assert code == 0
    assert " 10\xa0000)" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["parse", "text.txt", "-m", "nothing"], 2, "there is no model nothing"),
        (["parse", "text.txt", "-m", "model", "--tags", "xpos"], 1, "word 1 has no XPOS"),
        (["parse", "text.txt", "-m", "model", "--tags", "feats"], 2, "xpos or upos"),
        (
            ["parse", "text.txt", "-m", "model", "--longest", "4"],
            1,
            "text.txt:1: the sentence has 5 words",
        ),
        (["parse", "text.txt", "-m", "model", "--format", "xml"], 2, "unknown k-best format"),
        (["train", "train.mrg", "-o", "model"], 2, "model already exists"),
        (["train", "train.mrg"], 2, "'--output'"),
        (["parse", "text.txt"], 2, "'--model'"),
        (["parse", "none.txt", "-m", "model"], 2, "there is no file none.txt\n"),
        (
            ["parse", "the dog's asleep", "-m", "model"],
            2,
            "as text, tokens separated by spaces: echo 'the dog'\"'\"'s asleep' | headwise "
            "constituency parse - --from tokens",
        ),
        (["parse", "the dog " * 2000, "-m", "model"], 2, "--from tokens"),
        (["mbr", "bad.nbest"], 1, r"bad.nbest:1"),
        (
            ["mbr", "good.nbest", "--decode", "guess"],
            2,
            "unknown decoding 'guess'; choose from map",
        ),
        (["mbr", "-", "--tune", "train.mrg"], 2, "not standard input"),
        (["evaluate", "train.mrg", "short.mrg"], 1, "only 1 system trees"),
    ],
)
def test_what_goes_wrong_is_said(folder, capsys, monkeypatch, arguments, code, message):
    monkeypatch.chdir(folder)
    (folder / "bad.nbest").write_text("2\ts1\n-1\n(S (A x))\n")
    (folder / "good.nbest").write_text("-1\t(S (A x))\n")
    (folder / "short.mrg").write_text(LINES[0] + "\n")
    found, _, err = call(*arguments, capsys=capsys)
    assert found == code
    assert message in err


def test_plain_text_that_is_taken_for_something_else(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "plain.mrg").write_text("the cat sleeps\n")
    _, _, err = call("parse", "plain.mrg", "-m", "model", capsys=capsys)
    assert "plain.mrg:1: text outside brackets" in err
    assert "--from tokens" in err
    opened = files._open_binary
    monkeypatch.setattr(files, "_open_binary", lambda path: opened("plain.mrg"))
    _, _, err = call("parse", "-", "-m", "model", capsys=capsys)
    assert "--from tokens" in err
    assert call("parse", "-", "-m", "model", "--from", "tokens", capsys=capsys)[0] == 0
    assert "--from" not in call("parse", "-", "-m", "model", "--from", "conllu", capsys=capsys)[2]
