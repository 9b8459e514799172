"""Estimated widths of text, and text elements of SVG."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.draw.svgtext import grapheme_width, runs_right_to_left, text_element, text_width


def test_narrow_letters_take_less_room_than_wide_ones():
    widths = [grapheme_width(letter) for letter in ("i", "n", "N", "m", "中")]
    assert widths == sorted(set(widths))
    assert grapheme_width("é") == grapheme_width("e\u0301") == grapheme_width("e")
    assert grapheme_width("\u200b") == 0.0


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_longer_text_is_never_narrower(first, second):
    assert text_width(first + " " + second, 16) >= text_width(first, 16) - 1
    assert text_width(first, 32) >= text_width(first, 16)


def test_widths_grow_with_the_size_of_the_font():
    assert text_width("nnnn", 10) == round(4 * 0.61 * 10 + 0.5)
    assert text_width("nnnn", 100) == round(4 * 0.61 * 100 + 0.5)


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (["שלום", "עולם", "."], True),
        (["hello", "world"], False),
        (["שלום", "hello"], False),
        (["123", "."], False),
        ([], False),
        (["שלום", "1", "2", "3"], True),
    ],
)
def test_the_direction_is_that_of_most_words_with_letters(forms, expected):
    assert runs_right_to_left(forms) == expected


def test_text_elements_are_escaped_and_directed():
    element = ElementTree.fromstring(text_element(1.5, 20, "<a&b>", "word"))
    assert element.text == "<a&b>"
    assert (element.get("class"), element.get("x"), element.get("y")) == ("word", "1.5", "20")
    assert element.get("direction") is None
    assert 'direction="rtl"' in text_element(0, 0, "שלום", "word")
    assert 'direction="rtl"' not in text_element(0, 0, "(", "word")
    assert 'direction="rtl"' in text_element(0, 0, "(", "word", among_right_to_left=True)
    assert 'direction="rtl"' not in text_element(0, 0, "abc", "word", among_right_to_left=True)
