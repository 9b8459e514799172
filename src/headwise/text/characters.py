"""Characters as numbers, with their classes and small letters looked up; emoji and addresses.

Few treebanks have any emoji, so that a tokeniser takes `🙂.` for one unknown word. So where tokens
end beside emoji, and where none may end, does not depend on what was learnt: punctuation is parted
from them; sequences (skin tones, flags of regions, keycaps, families) stay whole. The same holds of
addresses on the web; and a combining mark stays with what is before it.
"""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.text.wordhash import (
    DIGIT,
    HYPHEN,
    LETTER,
    LOWER,
    MARK,
    OTHER,
    PUNCTUATION,
    SPACE,
    SYMBOL,
    UPPER,
    Characters,
)

_CLASS_OF = {
    "Lu": UPPER,
    "Lt": UPPER,
    "Ll": LOWER,
    "Lm": LETTER,
    "Lo": LETTER,
    "M": MARK,
    "N": DIGIT,
    "Pd": HYPHEN,
    "P": PUNCTUATION,
    "S": SYMBOL,
    "Z": SPACE,
}
_UNKNOWN = 255
_SPACES = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")


class _Tables:
    """Classes and small letters of all characters, worked out when first met.

    A small letter is there as soon as the class is: the others take no memory.
    """

    def __init__(self) -> None:
        self.classes = np.full(0x110000, _UNKNOWN, np.uint8)
        self.lower = np.empty(0x110000, np.uint32)

    def learn(self, codes: NDArray[np.uint32]) -> None:
        unknown = codes[self.classes[codes] == _UNKNOWN]
        for code in np.unique(unknown).tolist():
            letter = chr(code)
            small = letter.lower()
            self.lower[code] = ord(small) if len(small) == 1 else code
            self.classes[code] = class_of(letter)  # last: it says that all is known


_TABLES = _Tables()


def class_of(letter: str) -> int:
    """The class of a character."""
    if letter in _SPACES:
        return SPACE
    category = unicodedata.category(letter)
    return _CLASS_OF.get(category, _CLASS_OF.get(category[0], OTHER))


def codes_of(text: str) -> NDArray[np.uint32]:
    """The code points of a text, lone surrogates and all."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def encode_forms(forms: Sequence[str]) -> Characters:
    """The characters of some tokens."""
    starts = np.zeros(len(forms) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, forms), np.int64, len(forms)), out=starts[1:])
    return encode_text("".join(forms), starts)


def encode_text(text: str, starts: NDArray[np.int64]) -> Characters:
    """The characters of a text whose tokens start there."""
    codes = codes_of(text)
    _TABLES.learn(codes)
    return Characters(codes, _TABLES.lower[codes], _TABLES.classes[codes], starts)


_PICTURES = (
    (0x231A, 0x23FF),  # clocks, and buttons of players
    (0x2600, 0x27BF),  # symbols and dingbats: ☺ ♥ ★ ✓
    (0x2B00, 0x2BFF),  # arrows, stars and squares
    (0x1F000, 0x1FAFF),  # all others, with flags
)
_ENDINGS = (
    (0x20E3, 0x20E3),  # a keycap
    (0xFE0F, 0xFE0F),  # what makes a symbol an emoji
    (0x1F3FB, 0x1F3FF),  # skin tones
    (0xE0020, 0xE007F),  # the letters of flags of regions
)
_JOINER = 0x200D
_PICTURE, _ENDING = 1, 2


def _emoji_table() -> NDArray[np.uint8]:
    """For every character whether it is a picture, what may follow one, or neither."""
    table = np.zeros(0x110000, np.uint8)
    for kind, ranges in ((_PICTURE, _PICTURES), (_ENDING, _ENDINGS)):
        for first, last in ranges:
            table[first : last + 1] = kind
    return table


_EMOJI = _emoji_table()

Places = NDArray[np.bool_]
"""For every character but the last, something about the place after it."""


def places_beside_emoji(characters: Characters) -> tuple[Places, Places]:
    """Where a token must end, between an emoji and punctuation; and where none may, within one."""
    kinds, codes = _EMOJI[characters.codes], characters.codes
    marks = (characters.classes == PUNCTUATION) | (characters.classes == HYPHEN)
    left, right = kinds[:-1], kinds[1:]
    inside = right == _ENDING
    inside |= (codes[1:] == _JOINER) & (left != 0)
    inside |= (codes[:-1] == _JOINER) & (right == _PICTURE)
    between = ((left != 0) & marks[1:]) | (marks[:-1] & (right == _PICTURE))
    return between, inside


_IN_ADDRESS = r"[!#-'*-;=?-~]"
_ADDRESS = re.compile(
    rf"(?<![A-Za-z0-9])(?:https?|ftp)://(?:{_IN_ADDRESS}|\({_IN_ADDRESS}*\))+", re.IGNORECASE
)
"""An address on the web and punctuation after it; parentheses are part of it in pairs only."""


def places_beside_addresses(text: str) -> tuple[Places, Places]:
    """Where a token must end, after an address; and where none may, within one."""
    between, inside = np.zeros((2, max(len(text) - 1, 0)), np.bool_)
    for found in _ADDRESS.finditer(text):
        last = found.start() + len(found[0].rstrip(".,;:!?'*_]}")) - 1
        inside[found.start() : last] = True
        # A letter of another script may belong to it.
        between[last : last + 1] = not text[last + 1 : last + 2].isalnum()
    return between, inside


def fixed_places(text: str, characters: Characters) -> tuple[Places, Places]:
    """Where tokens must end and where none may, whatever was learnt: none before a mark."""
    emoji, addresses = places_beside_emoji(characters), places_beside_addresses(text)
    inside = emoji[1] | addresses[1] | (characters.classes[1:] == MARK)
    return emoji[0] | addresses[0], inside
