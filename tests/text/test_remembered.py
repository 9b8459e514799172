"""What is remembered is worked out once, and never too much of it is."""

import pytest

from headwise.text import remembered
from headwise.text.remembered import LONGEST_KEPT, Remembered


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def upper(asked: list[str]) -> Remembered[str, str]:
    def make(text: str) -> str:
        asked.append(text)
        return text.upper()

    return Remembered(make, len)


def test_each_is_worked_out_once(upper: Remembered[str, str], asked: list[str]) -> None:
    assert [upper[text] for text in "abab"] == ["A", "B", "A", "B"]
    assert asked == ["a", "b"]


def test_long_ones_are_not_kept(upper: Remembered[str, str], asked: list[str]) -> None:
    longest, longer = "x" * LONGEST_KEPT, "y" * (LONGEST_KEPT + 1)
    assert [upper[text] for text in (longest, longer) * 2] == [longest.upper(), longer.upper()] * 2
    assert asked == [longest, longer, longer]


def test_no_more_than_so_many_are_kept(
    upper: Remembered[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST_KEPT", 3)
    for text in "abcdefg":
        assert upper[text] == text.upper()
        assert len(upper) <= 3
