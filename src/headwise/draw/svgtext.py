"""Text in SVG: estimated widths, and text elements."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from html import escape

from wcwidth import iter_graphemes

from headwise.draw.width import cells
from headwise.safe import is_right_to_left

# Widths relative to the font size, slightly above those of common sans-serif fonts: the reader's
# font is unknown, and a gap too wide is better than overlapping labels.
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
    return round(sum(map(grapheme_width, iter_graphemes(text))) * size + 0.5)


@lru_cache(maxsize=8192)
def grapheme_width(grapheme: str) -> float:
    """About how wide a character with its accents is, as a part of the font size."""
    wide, character = cells(grapheme), grapheme[0]
    if wide == 0:
        return 0.0
    if wide == 2 and (cells(character) == 2 or not character.isalpha()):
        return _SQUARE_WIDTH
    if wide >= 2:  # letters that are written as one
        return wide * _WIDE_WIDTH
    if character in _NARROW:
        return _NARROW_WIDTH
    if character in _WIDE:
        return _WIDE_WIDTH
    if character.isupper():
        return _CAPITAL_WIDTH
    if character.isascii() or (unicodedata.category(character)[0] == "L" and character < "\u0700"):
        return _USUAL_WIDTH
    return _WIDE_WIDTH  # other scripts and symbols


def runs_right_to_left(forms: Sequence[str]) -> bool:
    """Whether most of the words with letters are written from right to left."""
    lettered = [form for form in forms if any(map(str.isalpha, form))]
    return 2 * sum(map(is_right_to_left, lettered)) > len(lettered)


def text_element(
    x: float, y: float, text: str, kind: str, *, among_right_to_left: bool = False
) -> str:
    """A text element, centred at `x`; the text must be safe.

    Among right-to-left words, text without letters is right-to-left too, which mirrors brackets.
    """
    neutral = not any(unicodedata.bidirectional(letter) == "L" for letter in text)
    is_reversed = is_right_to_left(text) or (among_right_to_left and neutral)
    direction = ' direction="rtl"' if is_reversed else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{direction}>{escape(text, quote=False)}</text>'
