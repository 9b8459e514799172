"""Fault injection: every kind of fault once, and its report."""

import random
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def robustness(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    before = set(sys.modules)
    import robustness

    yield robustness
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("robustness", "faults"):
            del sys.modules[name]


# Forged models come first: what this process compiles for them, those that are killed need not.
@pytest.mark.parametrize("name", ["forgery", "kills", "damage", "disk", "stream"])
def test_every_fault_is_injected_once_without_problems(robustness, tmp_path, name):
    found = getattr(robustness, name).inject(0, random.Random(1), tmp_path)
    if found.skipped:
        pytest.skip(found.skipped)
    assert found.problems == []
    assert found.rounds > 0
    assert f"| {found.rounds:,} |" in robustness.line(found)


def test_problems_are_told(robustness, tmp_path, monkeypatch, capsys):
    def fault(seconds, rng, folder):
        found = robustness.Finding("fault", 3)
        found.note("rounds")
        found.expect(False, "it broke")
        return found

    def nothing(seconds, rng, folder):
        return robustness.Finding("nothing", skipped="no reason")

    class Module:
        __name__ = "module"

        def __init__(self, look) -> None:
            self.inject = look

    shares = {Module(fault): 0.5, Module(nothing): 0.5}
    monkeypatch.setattr(robustness, "SHARES", shares)
    page = tmp_path / "page.md"
    assert robustness.main(["--minutes", "0", "--write", str(page)]) == 1
    text = page.read_text()
    assert "| fault | 3 | rounds: 1 | 1 |" in text
    assert "- fault: it broke" in text
    assert "| nothing | skipped: no reason | | |" in text


def test_memory_that_grows_is_a_problem(robustness):
    flat, growing = robustness.Finding("flat"), robustness.Finding("growing")
    robustness.stream.judge(flat, 100, [100_000, 200_000, 210_000, 211_000, 200_000] * 4)
    assert flat.problems == []
    robustness.stream.judge(growing, 100, list(range(100_000, 500_000, 10_000)))
    assert "memory grew" in growing.problems[0]
