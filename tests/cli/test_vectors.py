"""`headwise vectors` as a person uses it."""

from pathlib import Path

import pytest

from commandcalls import call
from headwise.scoring.neural.vectors import read_vectors
from toytreebank import toy_treebank


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [" ".join(one.forms) for one in toy_treebank(60)]
    Path("text.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_vectors_are_made(capsys):
    call_of = ("vectors", "build", "text.txt", "-o", "v.npz", "--dimensions", "6")
    code, out, err = call(*call_of, capsys=capsys)
    assert (code, err) == (0, "")
    assert out.startswith("wrote v.npz: 1")
    assert read_vectors("v.npz").dimensions == 6
    code, _, err = call(*call_of, capsys=capsys)
    assert (code, "already exists" in err) == (2, True)
    assert call(*call_of, "--force", capsys=capsys)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.txt", "-o", "v.npz"), "no file none.txt"),
        (("text.txt", "-o", "v.csv"), "ends in"),
        (("text.txt", "-o", "v.npz", "--min-count", "10000"), "more text"),
    ],
)
def test_calls_that_fail(arguments, message, capsys):
    code, _, err = call("vectors", "build", *arguments, capsys=capsys)
    assert code in (1, 2)
    assert message in err
    assert not Path("v.npz").exists()
