import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_samples import awkward_text

from headwise.safe import is_right_to_left, safe_text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("a\tb\nc\r\0\x7f", "a␉b␊c␍␀␡"),
        ("\x9b31m\x85", "<U+009B>31m<U+0085>"),
        ("abc\u202etxt.exe\u2066", "abc<U+202E>txt.exe<U+2066>"),
        ("in\u200bvisible\ufeff\u00ad", "in<U+200B>visible<U+FEFF><U+00AD>"),
        ("\u2028\u2029", "<U+2028><U+2029>"),
        ("\ud800\udc9b", "<U+D800><U+DC9B>"),
        ("\ufffe\U000e0041", "<U+FFFE><U+E0041>"),
        ("\u3164\u115f", "<U+3164><U+115F>"),
        ("\u0301a", "\u25cc\u0301a"),
        ("\u200cx", "<U+200C>x"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_made_visible(raw: str, shown: str) -> None:
    assert safe_text(raw) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "naïve",
        "\u0600١",  # an Arabic number sign: of a format category, but with a shape
        "e\u0301",
        "中文",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "👩\u200d👩\u200d👧",
        "❤\ufe0f",
        "a b",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert safe_text(text) == text


@given(awkward_text | st.text())
def test_nothing_unsafe_is_left(text: str) -> None:
    shown = safe_text(text)
    categories = {unicodedata.category(c) for c in shown if c not in "\u200c\u200d"}
    assert not categories & {"Cc", "Cs", "Zl", "Zp", "Cn"}
    assert not set(shown) & set(
        "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )
    assert safe_text(shown) == shown
    shown.encode("utf-8")


def test_direction_of_words() -> None:
    assert is_right_to_left("كتب")
    assert is_right_to_left("a שלום")
    assert not is_right_to_left("abc 中 123")
