"""What a network reads of the characters of a word: a convolution, and the largest of its values.

    e_i = embedding of character i; of nothing before the first and after the last one
    v_i = relu(W [e_{i-1}; e_i; e_{i+1}] + b)
    v   = max_i v_i                                  of all characters, dimension by dimension

Hashed affixes know the ends of words, and what is frequent. Characters help where words are short
and characters many (Chinese), and where words change in their middle.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

MOST_CHARACTERS = 16
"""Of a word: its first and last half of this many; one column of features each."""

DIMENSIONS = 32
"""Of the embedding of a character."""

WINDOW = 3
"""Characters that are looked at together."""

NOTHING, UNKNOWN, FIRST_CHARACTER = 0, 1, 2
"""Indices: one where there is no character, one for all unknown ones, then the vocabulary."""


def character_indices(form: str, known: Mapping[str, int]) -> list[int]:
    """The indices of the characters of a word, one for each column."""
    half = MOST_CHARACTERS // 2
    looked_at = form if len(form) <= MOST_CHARACTERS else form[:half] + form[-half:]
    found = [known.get(character, UNKNOWN) for character in looked_at]
    return found + [NOTHING] * (MOST_CHARACTERS - len(found))


def numbered_characters(characters: Sequence[str]) -> dict[str, int]:
    """Characters of a vocabulary with their indices."""
    return {one: index for index, one in enumerate(characters, FIRST_CHARACTER)}


def windows(embedded: NDArray[np.float32]) -> NDArray[np.float32]:
    """Embeddings of characters beside those of their neighbours, [word, character, dimension]."""
    words, count, size = embedded.shape
    found = np.zeros((words, count, WINDOW * size), np.float32)
    found[:, 1:, :size] = embedded[:, :-1]
    found[:, :, size : 2 * size] = embedded
    found[:, :-1, 2 * size :] = embedded[:, 1:]
    return found
