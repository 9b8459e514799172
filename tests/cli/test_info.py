"""`headwise info` as a person uses it."""

import json

import pytest

from commandcalls import call
from headwise.storage.modelconfig import FORMAT_VERSION
from headwise.storage.modelfile import ModelFile, save_model


@pytest.fixture(autouse=True)
def folder(trained, monkeypatch) -> None:
    monkeypatch.chdir(trained)


def test_info(capsys):
    code, out, _ = call("info", "m", capsys=capsys)
    assert code == 0
    assert "| trained on | train.conllu |" in out
    assert f"parser, 0.0 MB of weights, format {FORMAT_VERSION}" in out
    data = json.loads(call("info", "m", "--json", capsys=capsys)[1])
    assert data["kind"] == "parser"
    assert data["settings"]["training"]["epochs"] == 2
    for names in ([], ["en"]):
        shown = call("info", *names, capsys=capsys)[1]
        assert "English EWT" in shown
        assert "licence of the model: CC BY-SA 4.0" in shown.splitlines()[-1]
        assert "of Headwise itself: MIT" in shown.splitlines()[-1]


def test_info_shows_models_of_any_kind_safely(tmp_path, capsys):
    save_model(tmp_path / "t", ModelFile("tagger", {"a": 1}, {}, "# Mine \x1b[31m\n"))
    out = call("info", tmp_path / "t", capsys=capsys)[1]
    assert out.startswith("# Mine ␛[31m\n")
    assert "tagger, " in out
    code, _, err = call("info", "train.conllu", capsys=capsys)
    assert code == 2
    assert "there is no model" in err
