"""Texts for SVG: how wide they will be, about, and how they are written."""

import unicodedata
from functools import lru_cache
from html import escape

from headwise.draw.width import cells
from headwise.safe import is_right_to_left

# Widths in parts of the font size, a little above those of common sans-serif fonts: where a
# reader's font is unknown, a gap too wide is better than two labels on top of each other.
_NARROW = frozenset("iljtfrI.,:;!|'’‘`()[]/\\-· ")
_WIDE = frozenset("mwMW@%—…")
_NARROW_WIDTH, _USUAL_WIDTH, _CAPITAL_WIDTH, _WIDE_WIDTH, _SQUARE_WIDTH = (
    0.39,
    0.61,
    0.73,
    0.98,
    1.0,
)


def text_width(text: str, size: float) -> int:
    """About how many pixels a text takes in a sans-serif font of a size."""
    total, before = 0.0, ""
    for character in text:
        total += character_width(character, before)
        before = character
    return round(total * size + 0.5)


@lru_cache(maxsize=8192)
def character_width(character: str, before: str) -> float:
    """About how wide a character is, as a part of the font size."""
    wide = cells(character, before)
    if wide == 0:
        return 0.0
    if wide == 2:
        return _SQUARE_WIDTH
    if character in _NARROW:
        return _NARROW_WIDTH
    if character in _WIDE:
        return _WIDE_WIDTH
    if character.isupper():
        return _CAPITAL_WIDTH
    if character.isascii() or (unicodedata.category(character)[0] == "L" and character < "\u0700"):
        return _USUAL_WIDTH
    return _WIDE_WIDTH  # scripts and symbols we know nothing of


def text_element(x: float, y: float, text: str, kind: str) -> str:
    """A text, already safe, with its middle at `x`; right-to-left words keep their order."""
    direction = ' direction="rtl"' if is_right_to_left(text) else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{direction}>{escape(text, quote=False)}</text>'
