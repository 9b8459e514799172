"""`headwise compare` as a person uses it."""

import json

import pytest

from commandcalls import call


def test_compare(sample, other, capsys):
    code, out, _ = call("compare", sample, other, sample, "--json", capsys=capsys)
    assert code == 0
    found = json.loads(out)
    assert found["measures"]["uas"]["difference"] > 0
    assert found["mcnemar"]["heads"]["p"] == pytest.approx(2 / 2**6)
    assert "McNemar" in call("compare", sample, other, sample, capsys=capsys)[1]


def test_tables_keep_their_figures_on_narrow_terminals(sample, other, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = call("compare", sample, other, sample, capsys=capsys)[1]
    assert "90.32" in out
    assert "…" not in out.replace(" … ", "")
