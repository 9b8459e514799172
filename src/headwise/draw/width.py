"""How many terminal cells a text takes, and cutting and padding it to a number of cells.

`rich.cells` lets a zero-width joiner swallow the next character in every script; terminals do so
for emoji only, and a width that is too small would break the promise that no line is too long.
"""

import unicodedata
from functools import lru_cache
from itertools import pairwise

from rich.cells import cell_len

ELLIPSIS = "…"

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"


def display_width(text: str) -> int:
    """The number of terminal cells that `text`, already safe, takes."""
    if text.isascii():
        return len(text)
    width = 0
    for before, character in pairwise(("", *text)):
        width += cells(character, before)
    return width


@lru_cache(maxsize=8192)
def cells(character: str, before: str) -> int:
    """How many cells `character` adds after the character `before`."""
    if before == _JOINER and is_pictograph(character):
        return 0  # a joined emoji is one picture
    if "\U0001f3fb" <= character <= "\U0001f3ff" and is_pictograph(before):
        return 0  # a skin tone colours the emoji before it
    if character == _EMOJI_STYLE:
        return int(before != "" and cells(before, "") == 1)  # ❤ grows to ❤️
    if is_zero_width(character):
        return 0
    # Rich's table and Python's come from different versions of Unicode: the wider is safe.
    wide = unicodedata.east_asian_width(character) in "WF"
    return 2 if wide or cell_len(character) > 1 else 1


def is_pictograph(character: str) -> bool:
    """Whether a character is a picture that joins with others."""
    return character > "\u2190" and unicodedata.category(character) in ("So", "Sk")


def is_zero_width(character: str) -> bool:
    """Whether a character sits on, or joins, the one before it."""
    if "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff":
        return True  # vowels and final consonants of a Hangul syllable
    if unicodedata.category(character) in ("Mn", "Me"):
        return True
    return "\u200b" <= character <= "\u200f"


def truncated(text: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """`text` cut to at most `width` cells, ending in `ellipsis` where something was cut."""
    if display_width(text) <= width:
        return text
    room = width - display_width(ellipsis)
    if room < 0:
        return ""
    used, kept = 0, []
    for before, character in pairwise(("", *text)):
        used += cells(character, before)
        if used > room:
            break
        kept.append(character)
    return "".join(kept).rstrip(_JOINER) + ellipsis


def wrapped(text: str, width: int) -> str:
    """`text` in lines of at most `width` cells, broken at spaces where it can be."""
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if display_width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = pieces(word, width)
        lines += full
    return "\n".join([*lines, line])


def pieces(word: str, width: int) -> list[str]:
    """A word cut into pieces of at most `width` cells."""
    found, used = [""], 0
    for before, character in pairwise(("", *word)):
        taken = cells(character, before)
        if found[-1] and used + taken > width:
            found.append("")
            used = 0
        found[-1] += character
        used += taken
    return found
