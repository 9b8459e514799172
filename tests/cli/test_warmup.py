"""`headwise warmup`: its calls work, and compile something where nothing is compiled."""

import subprocess
from pathlib import Path

import pytest

from commandcalls import call
from headwise.cli import warmup
from headwise.errors import UsageError


def test_calls_work(monkeypatch, capsys):
    """Those of training are nearly alike: one is enough, as the others take long."""
    few = warmup.CALLS | {warmup.Work.train: warmup.CALLS[warmup.Work.train][:1]}
    monkeypatch.setattr(warmup, "CALLS", few)
    code, out, err = call("warmup", capsys=capsys)
    assert (code, err) == (0, "")
    assert out == "compiled the kernels of 12 kinds of work\n"


def test_one_kind_of_work(monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(warmup, "run", lambda one, sample, folder: calls.append(one))
    assert call("warmup", "parse", capsys=capsys)[0] == 0
    assert calls[0] == warmup.FIRST
    assert set(calls[1:]) == set(warmup.CALLS[warmup.Work.parse])
    assert call("warmup", "sing", capsys=capsys)[0] == 2


def test_a_call_that_fails_is_told(monkeypatch, tmp_path):
    def fail(arguments, **rest):
        return subprocess.CompletedProcess(
            arguments, 2, b"", b"headwise: note\nheadwise: disk full\n"
        )

    monkeypatch.setattr(warmup.subprocess, "run", fail)
    with pytest.raises(UsageError, match="headwise parse .* ended with 2: headwise: disk full"):
        warmup.run(warmup.FIRST, Path("sample.conllu"), str(tmp_path))
