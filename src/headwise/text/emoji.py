"""Emoji: where tokens end beside them, and where none may end, whatever a tokeniser has learnt.

Few treebanks have any emoji, so that a tokeniser takes `🙂.` for one unknown word. Punctuation is
parted from them; sequences (skin tones, flags of regions, keycaps, families) stay whole.
"""

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.text.wordhash import HYPHEN, PUNCTUATION, Characters

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


def _table() -> NDArray[np.uint8]:
    """For every character whether it is a picture, what may follow one, or neither."""
    table = np.zeros(0x110000, np.uint8)
    for kind, ranges in ((_PICTURE, _PICTURES), (_ENDING, _ENDINGS)):
        for first, last in ranges:
            table[first : last + 1] = kind
    return table


_TABLE = _table()

Places = NDArray[np.bool_]
"""For every character but the last, something about the place after it."""


def places_beside_emoji(characters: Characters) -> tuple[Places, Places]:
    """Where a token must end, between an emoji and punctuation; and where none may, within one."""
    kinds, codes = _TABLE[characters.codes], characters.codes
    marks = (characters.classes == PUNCTUATION) | (characters.classes == HYPHEN)
    left, right = kinds[:-1], kinds[1:]
    inside = right == _ENDING
    inside |= (codes[1:] == _JOINER) & (left != 0)
    inside |= (codes[:-1] == _JOINER) & (right == _PICTURE)
    between = ((left != 0) & marks[1:]) | (marks[:-1] & (right == _PICTURE))
    return between, inside
