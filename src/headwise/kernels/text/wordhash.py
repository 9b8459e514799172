# mypy: allow-untyped-defs
"""Hashes of words and of their pieces, from the characters of all tokens one after the other."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, kernel

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
BASIS = np.uint64(0xCBF29CE484222325)
HALF = np.uint64(32)
AFFIX = 5
"""The longest prefixes and suffixes."""

UPPER, LOWER, LETTER, MARK, DIGIT, HYPHEN, PUNCTUATION, SYMBOL, SPACE, OTHER = range(10)
"""Classes of characters; `headwise.text.characters` says which character is in which."""

PLAIN, CAPITALISED, CAPITALS, NUMERIC, SYMBOLIC = range(5)
"""Looks of words, by which unknown ones are told apart."""

Hashes = NDArray[np.uint64]


class Characters(NamedTuple):
    """The characters of all tokens, and where each token starts."""

    codes: NDArray[np.uint32]
    lower: NDArray[np.uint32]  # the same in small letters
    classes: NDArray[np.uint8]
    starts: NDArray[np.int64]  # [token + 1]


class WordHashes(NamedTuple):
    """What is seen of each token by itself; 0 where a word is too short for an affix."""

    form: Hashes
    lower: Hashes
    prefix: Hashes  # [token, length - 1]
    suffix: Hashes  # [token, length - 1]
    shape: Hashes
    look: NDArray[np.uint8]


@helper
def mixed(x, value):
    """A hash with one more value."""
    x = (x ^ value) * MULTIPLIER
    return x ^ (x >> HALF)


@kernel
def hash_words(characters):
    """The hashes of all tokens."""
    count = len(characters.starts) - 1
    found = WordHashes(
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.zeros((count, AFFIX), np.uint64),
        np.zeros((count, AFFIX), np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint8),
    )
    for token in range(count):
        a, b = characters.starts[token], characters.starts[token + 1]
        form = lower = BASIS
        for i in range(a, b):
            form = mixed(form, np.uint64(characters.codes[i]))
            lower = mixed(lower, np.uint64(characters.lower[i]))
        found.form[token], found.lower[token] = form, lower
        head = tail = BASIS
        for k in range(min(AFFIX, b - a)):
            head = mixed(head, np.uint64(characters.lower[a + k]))
            tail = mixed(tail, np.uint64(characters.lower[b - 1 - k]))
            found.prefix[token, k], found.suffix[token, k] = head, tail
        found.shape[token] = hash_shape(characters.classes[a:b])
        found.look[token] = look_of(characters.classes[a:b])
    return found


@helper
def hash_shape(classes):
    """The classes of a word's characters in order, where runs of a class count as one or two."""
    x, run = BASIS, 0
    for i in range(len(classes)):
        run = run + 1 if i > 0 and classes[i] == classes[i - 1] else 1
        if run <= 2:
            x = mixed(x, np.uint64(classes[i]) + np.uint64(1))
    return x


@helper
def look_of(classes):
    """The look of a word: with digits, without letters, and how it uses capitals."""
    letters, capitals, digits = 0, 0, 0
    for i in range(len(classes)):
        letters += classes[i] <= LETTER
        capitals += classes[i] == UPPER
        digits += classes[i] == DIGIT
    if digits:
        return NUMERIC
    if not letters:
        return SYMBOLIC
    if len(classes) and classes[0] == UPPER:
        return CAPITALS if capitals == letters and capitals > 1 else CAPITALISED
    return PLAIN
