"""Text from data, made safe to show on a terminal.

Whatever could move the cursor, change colours, reorder a line or hide is replaced by something
visible. Ordinary text in any script stays as it is.
"""

import unicodedata

JOINERS = "\u200c\u200d"
"""Zero-width non-joiner and joiner: part of the spelling in many scripts, and of emoji."""

# Format characters that have a shape of their own: Arabic, Syriac and Kaithi number signs.
_VISIBLE_FORMAT = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
# Letters and marks by category that nevertheless show nothing: fillers and the grapheme joiner.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
# Controls, format, surrogates, unassigned, line and paragraph separators.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
_DOTTED_CIRCLE = "\u25cc"


def safe_text(text: str) -> str:
    """`text` with nothing in it that a terminal would obey, and nothing invisible.

    Control characters become their pictures (`␛` for escape, `␊` for a line feed), everything
    else unsafe its number, as in `<U+202E>`. A mark with no letter to sit on gets a dotted circle.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    before = ""  # the character shown as itself just before, if any
    for character in text:
        if not is_safe(character, before):
            shown.append(stand_in(character))
            before = ""
            continue
        if not before and unicodedata.category(character) in _MARKS:
            shown.append(_DOTTED_CIRCLE)
        shown.append(character)
        before = character
    return "".join(shown)


def is_safe(character: str, before: str = "") -> bool:
    """Whether `character` may be shown as it is after the character `before`."""
    if character in JOINERS:
        return before != "" and unicodedata.category(before)[0] in "LMS"
    if character in _VISIBLE_FORMAT:
        return True
    return character not in _BLANK and unicodedata.category(character) not in _UNSAFE_CATEGORIES


def stand_in(character: str) -> str:
    """Something visible for a character that must not be shown."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"<U+{code:04X}>"


def is_right_to_left(text: str) -> bool:
    """Whether a text holds right-to-left letters."""
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
