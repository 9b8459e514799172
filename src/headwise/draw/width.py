"""The number of terminal cells of a text; truncation and wrapping by cells.

`rich.cells` lets a zero-width joiner swallow the next character in every script; terminals do so
for emoji only, and an underestimated width would make lines too long.
"""

import unicodedata
from functools import lru_cache
from itertools import pairwise

from rich.cells import cell_len

ELLIPSIS = "…"

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"


def display_width(text: str) -> int:
    """The number of terminal cells of `text`, which must be safe."""
    if text.isascii():
        return len(text)
    width = 0
    for before, character in pairwise(("", *text)):
        width += cells(character, before)
    return width


@lru_cache(maxsize=8192)
def cells(character: str, before: str) -> int:
    """The cells that `character` adds after the character `before`."""
    if before == _JOINER and is_pictograph(character):
        return 0  # joined emoji are drawn as one
    if "\U0001f3fb" <= character <= "\U0001f3ff" and is_pictograph(before):
        return 0  # a skin tone modifies the emoji before it
    if character == _EMOJI_STYLE:
        return int(before != "" and cells(before, "") == 1)  # ❤ grows to ❤️
    if is_zero_width(character):
        return 0
    # Rich and Python have tables of different Unicode versions: take the wider.
    wide = unicodedata.east_asian_width(character) in "WF"
    return 2 if wide or cell_len(character) > 1 else 1


def is_pictograph(character: str) -> bool:
    """Whether a character is an emoji that joins with others."""
    return character > "\u2190" and unicodedata.category(character) in ("So", "Sk")


def is_zero_width(character: str) -> bool:
    """Whether a character combines with the one before it."""
    if "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff":
        return True  # vowels and final consonants of a Hangul syllable
    if unicodedata.category(character) in ("Mn", "Me"):
        return True
    return "\u200b" <= character <= "\u200f"


def truncated(text: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """`text` truncated to at most `width` cells, with `ellipsis` if something was cut."""
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
    """`text` in lines of at most `width` cells, broken at spaces if possible."""
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
    """A word split into pieces of at most `width` cells."""
    found, used = [""], 0
    for before, character in pairwise(("", *word)):
        taken = cells(character, before)
        if found[-1] and used + taken > width:
            found.append("")
            used = 0
        found[-1] += character
        used += taken
    return found
