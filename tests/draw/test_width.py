import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from tree_samples import awkward_text

from headwise.draw.width import display_width, truncated, wrapped
from headwise.safe import safe_text


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("word", 4),
        ("e\u0301", 1),
        ("中文", 4),
        ("\u1112\u1161\u11ab", 2),
        ("ｱ", 1),
        ("👩\u200d👩\u200d👧", 2),
        ("👍🏽", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("🇫🇷", 2),
        ("क\u094d\u200dष", 2),  # a joiner swallows no letter
        ("a\u200db", 2),
        ("", 0),
    ],
)
def test_cells_of_texts(text: str, cells: int) -> None:
    assert display_width(text) == cells


@given(awkward_text)
def test_never_narrower_than_rich_says(text: str) -> None:
    shown = safe_text(text)
    assert display_width(shown) >= cell_len(shown)


@given(awkward_text, st.integers(0, 15))
def test_truncated_text_fits_and_shows_that_it_was_cut(text: str, width: int) -> None:
    shown = safe_text(text)
    cut = truncated(shown, width)
    assert display_width(cut) <= width
    if display_width(shown) <= width:
        assert cut == shown
    elif width:
        assert cut.endswith("…")


def test_a_wide_character_is_never_halved() -> None:
    assert truncated("中文字", 4) == "中…"
    assert truncated("中文字", 1) == "…"
    assert truncated("abc", 0) == ""


@given(awkward_text, st.integers(2, 15))
def test_wrapped_text_fits_and_keeps_everything(text: str, width: int) -> None:
    shown = safe_text(text)
    lines = wrapped(shown, width).split("\n")
    assert all(display_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == "".join(shown.split())


def test_wide_text_is_wrapped_by_cells() -> None:
    assert wrapped("a bb 中文字 cc", 5) == "a bb\n中文\n字 cc"
