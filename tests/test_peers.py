"""The benchmark of peers: what is not installed is left out, with a word about it."""

import builtins
import sys
from pathlib import Path

import pytest

from headwise.corpus.formats import write_sentences
from toytreebank import SMALL, toy_treebank

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def peers(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import peers
    import reading

    monkeypatch.setattr(peers, "ROUNDS", 1)
    monkeypatch.setattr(reading, "ROUNDS", 1)
    yield peers
    for name in ("peers", "peerparsers", "reading"):
        sys.modules.pop(name, None)


def test_what_is_installed_is_compared(peers, tmp_path, monkeypatch, capsys):
    write_sentences(tmp_path / "train.conllu", toy_treebank(40, 1))
    write_sentences(tmp_path / "dev.conllu", toy_treebank(10, 2))
    importing = builtins.__import__

    def without_peers(name, *rest):
        if name in ("ufal", "spacy", "conllu", "pyconll"):
            raise ImportError(name)
        return importing(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_peers)

    def small(data):
        return sys.modules["peerparsers"].headwise_parser(data, tables=SMALL, features="paper-000")

    monkeypatch.setitem(peers.PEERS, "headwise, order 1", ("headwise", small))
    files = [str(tmp_path / "train.conllu"), str(tmp_path / "dev.conllu")]
    names = ["headwise, order 1", "UDPipe 1", "spaCy"]
    page = tmp_path / "page.md"
    peers.main([*files, "--epochs", "1", "--only", *names, "--write", str(page)])
    out = capsys.readouterr().out
    assert "conllu is not installed" in out
    assert "UDPipe 1 is skipped: ufal.udpipe is not installed" in out
    assert "spaCy is skipped: spacy is not installed" in out
    assert "| headwise, order 1 (" in page.read_text()
    assert "| changed trees |  |" in page.read_text()
    peers.main([*files, "--only", "spaCy"])
    assert "## Parsing" not in capsys.readouterr().out
