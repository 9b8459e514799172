import builtins

import pytest

from headwise.cli.app import run
from headwise.errors import UsageError
from headwise.serve import settings as served


def test_addresses_that_others_reach_need_a_token(capsys):
    assert run(["serve", "--host", "0.0.0.0"]) == 2
    assert "ask for a token (--token)" in capsys.readouterr().err


def test_a_missing_extra_is_named(capsys, monkeypatch):
    real = builtins.__import__

    def without(name, *others):
        if name.startswith(("uvicorn", "headwise.serve.server")):
            raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")
        return real(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    assert run(["serve"]) == 2
    assert "serving requires uvicorn: pip install 'headwise[serve]'" in capsys.readouterr().err


def test_ctrl_c_is_quiet_also_while_it_starts(capsys, monkeypatch):
    real = builtins.__import__

    def interrupted(name, *others):
        if name == "headwise.serve.server":
            raise KeyboardInterrupt
        return real(name, *others)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    assert run(["serve"]) == 130
    assert capsys.readouterr().err == ""


def test_options_become_settings(monkeypatch, capsys):
    seen = []

    def check(self):
        seen.append(self)
        raise UsageError("seen")

    monkeypatch.setattr(served.ServeSettings, "check", check)
    monkeypatch.setenv("HEADWISE_TOKEN", "from-there")
    options = ["--model", "a", "--model", "b", "--port", "1", "--open", "--allow-host", "x.example"]
    options += ["--queue", "7", "--seconds", "2.5", "--body-bytes", "9", "--sentence-words", "8"]
    options += ["--workers", "3", "--connections", "6", "--kbest", "5", "--edit", "f.conllu"]
    assert run(["serve", *options]) == 2
    assert seen == [
        served.ServeSettings(
            models=("a", "b"), port=1, is_open=True, allowed_hosts=("x.example",), queue=7,
            seconds=2.5, body_bytes=9, sentence_words=8, workers=3, connections=6, kbest=5,
            edit="f.conllu", token="from-there",
        )
    ]  # fmt: skip


@pytest.mark.parametrize("option", ["--queue=0", "--port=99999", "--seconds=0", "--token="])
def test_wrong_values_are_refused(option, capsys):
    assert run(["serve", option]) == 2
    assert capsys.readouterr().err.startswith("headwise: error: ")
