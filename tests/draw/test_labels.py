"""Texts and styles of words and arcs in terminal drawings."""

import pytest

from headwise.draw.arcs import Arc, Mark
from headwise.draw.canvas import ASCII, BOX, Style
from headwise.draw.labels import WordTexts, arc_text, is_plain_root, label_style, line_style

ROOT = Arc(0, 1, "root", is_pin=True)
PLAIN = Arc(2, 1, "nsubj")
RENAMED = Arc(2, 1, "nsubj", Mark.BOTH, "obj")
RENAMED_ROOT = Arc(0, 1, "root", Mark.BOTH, "dep", is_pin=True)
ONLY_FIRST, ONLY_SECOND = Arc(2, 1, "nsubj", Mark.FIRST), Arc(3, 1, "obj", Mark.SECOND)
FIRST_ROOT = Arc(0, 1, "root", Mark.FIRST, is_pin=True)


def test_a_word_is_as_wide_as_its_form_or_its_tag():
    assert WordTexts(["a", "中文", "", "word"], ["NOUN", "X", "", "X"]).widths == [4, 4, 1, 4]


@pytest.mark.parametrize(
    ("arc", "line", "label"),
    [
        (ROOT, Style.ROOT, Style.ROOT),
        (PLAIN, Style.FAINT, Style.LABEL),
        (RENAMED, Style.FAINT, Style.CHANGED),
        (RENAMED_ROOT, Style.FAINT, Style.CHANGED),
        (ONLY_FIRST, Style.FIRST, Style.FIRST),
        (ONLY_SECOND, Style.SECOND, Style.SECOND),
        (FIRST_ROOT, Style.FIRST, Style.FIRST),
    ],
)
def test_styles(arc, line, label):
    assert (line_style(arc), label_style(arc)) == (line, label)
    assert is_plain_root(arc) == (line is Style.ROOT)


def test_an_arc_from_the_root_without_a_label_has_a_mark():
    assert arc_text(ROOT, BOX) == "root"
    assert arc_text(Arc(0, 1, "", is_pin=True), BOX) == BOX.root
    assert arc_text(Arc(2, 1, ""), BOX) == ""
    assert arc_text(RENAMED, BOX) == "nsubj≠obj"
    assert arc_text(RENAMED, ASCII) == "nsubj!=obj"
