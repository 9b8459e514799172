"""`headwise plot` as a person uses it."""

import pytest

from commandcalls import call


@pytest.fixture(autouse=True)
def folder(trained, monkeypatch) -> None:
    monkeypatch.chdir(trained)


def test_plot(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert call("plot", "m.log.jsonl", "-o", tmp_path / "c.svg", capsys=capsys)[0] == 0
    assert (tmp_path / "c.svg").read_text().startswith("<?xml")


def test_plot_refuses_what_is_no_log(capsys):
    code, _, err = call("plot", "train.conllu", capsys=capsys)
    assert code == 1
    assert "not a training log" in err
    assert call("plot", "nothing.jsonl", capsys=capsys)[0] == 2


def test_plot_finds_the_log_beside_a_model(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert call("plot", "m", "-o", tmp_path / "c.svg", capsys=capsys)[0] == 0
    assert call("plot", tmp_path, "-o", tmp_path / "c.svg", capsys=capsys)[0] == 2
