"""What a network looks at in a word: its form, affixes and shape, as indices of embeddings."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from headwise.scoring.neural.characters import (
    MOST_CHARACTERS,
    NOTHING,
    character_indices,
    numbered_characters,
)
from headwise.scoring.neural.vocabulary import FIRST_WORD, ROOT, UNKNOWN, Vocabulary

Indices = NDArray[np.int32]

SLOTS = 4096
"""Rows of each table of hashed features; row 0 is for no feature."""

MOST_REMEMBERED = 50_000
"""Words whose features are remembered; then they are forgotten all at once."""

LONGEST_WORD = 100
"""Characters of a word that are looked at: its first and last half of this many."""


def shape_of(form: str) -> str:
    """The shape of a word: Xx for `Paris`, d.d for `3.14`; runs of one class count once."""
    return "".join(kind for kind, _ in groupby(map(character_class, form)))


def character_class(character: str) -> str:
    """The class of a character: upper case, lower case, another letter, digit, or itself."""
    if character.isupper():
        return "X"
    if character.islower():
        return "x"
    if character.isdigit():
        return "d"
    return "c" if character.isalpha() else character


HASHED: dict[str, Callable[[str, str], str]] = {
    "form": lambda form, _: form,
    "shape": lambda form, _: shape_of(form),
    "prefix-1": lambda _, lower: lower[:1],
    "prefix-2": lambda _, lower: lower[:2],
    "prefix-3": lambda _, lower: lower[:3],
    "suffix-1": lambda _, lower: lower[-1:],
    "suffix-2": lambda _, lower: lower[-2:],
    "suffix-3": lambda _, lower: lower[-3:],
    "suffix-4": lambda _, lower: lower[-4:],
}
"""Hashed features: each a function of the form and of the lowercased form."""

WORD, VECTOR, FIRST_HASHED = 0, 1, 2
FIRST_CHARACTER_COLUMN = FIRST_HASHED + len(HASHED)
"""Columns of a row of features: the index of the word, of its vector, hashed features, characters
if the network reads them."""


class WordFeatures:
    """Rows of features of words, remembered from one batch to the next."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Look words up in a vocabulary."""
        self.vocabulary = vocabulary
        self.known: dict[str, Indices] = {}

    @cached_property
    def words(self) -> dict[str, int]:
        """Words and their indices."""
        return {word: index for index, word in enumerate(self.vocabulary.words, FIRST_WORD)}

    @cached_property
    def characters(self) -> dict[str, int]:
        """Characters and their indices; none if the network reads no characters."""
        return numbered_characters(self.vocabulary.characters)

    @property
    def root(self) -> Indices:
        """The features of the root."""
        count = FIRST_CHARACTER_COLUMN + (MOST_CHARACTERS if self.characters else 0)
        return np.array([ROOT] + [NOTHING] * (count - 1), np.int32)

    @cached_property
    def vectors(self) -> dict[str, int]:
        """Words with a vector, and the indices of these."""
        return {word: index for index, word in enumerate(self.vocabulary.vectors, 1)}

    def rows(self, forms: Sequence[str]) -> Indices:
        """The features of words, a row each."""
        if len(self.known) > MOST_REMEMBERED:
            self.known = {}
        known = self.known
        if not forms:
            return np.empty((0, len(self.root)), np.int32)
        for form in forms:  # threads may add words meanwhile
            if form not in known:
                known[form] = self.row(form)
        numbers: dict[str, int] = {}
        index = [numbers.setdefault(form, len(numbers)) for form in forms]
        return np.stack([known[form] for form in numbers])[index]

    def row(self, form: str) -> Indices:
        """The features of one word."""
        if len(form) > LONGEST_WORD:
            form = form[: LONGEST_WORD // 2] + form[-(LONGEST_WORD // 2) :]
        lower = form.lower()
        vector = self.vectors.get(form) or self.vectors.get(lower, 0)
        hashed = [slot_of(name, find(form, lower)) for name, find in HASHED.items()]
        read = character_indices(form, self.characters) if self.characters else []
        return np.array([self.words.get(lower, UNKNOWN), vector, *hashed, *read], np.int32)


def slot_of(name: str, text: str) -> int:
    """The row of a hashed feature in its table, the same on every machine."""
    return 1 + crc32(f"{name}={text}".encode(errors="surrogatepass")) % (SLOTS - 1)
