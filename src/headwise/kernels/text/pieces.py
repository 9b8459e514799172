# mypy: allow-untyped-defs
"""The pieces of a text, which stand between two spaces, and what is seen of each by itself.

A piece has a word (the characters between its first and its last letter or digit) with marks before
and after it: `("don't` has the marks `("` and the word `don't`. A run is the longest stretch of
letters and digits, or of marks, within a piece.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import look_up
from headwise.kernels.runtime.jit import helper, inlined, kernel, maker
from headwise.kernels.text.wordhash import (
    BASIS,
    DIGIT,
    LETTER,
    LOWER,
    SPACE,
    UPPER,
    Hashes,
    mixed,
)

NEWLINE = 10
SAME_PIECE, SPACED, NEW_LINE, BLANK_LINE = range(4)
"""What stands between a character and the next one that is not a space."""

MARKS_SEEN = 3
"""How many marks of a piece are seen: they tell addresses (`://`) and numbers (`..`) from words."""

SUFFIX = 3
NO_WORD, PLAIN, CAPITALISED, CAPITALS, MIXED, UNCASED, WITH_DIGITS, NUMBER = range(8)
"""Looks of words; those with marks within them (`well-known`) count as others."""

COMPOUND = 8


class Pieces(NamedTuple):
    """The pieces of a text."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    gap: NDArray[np.uint8]  # [piece]: what stands after it
    hashes: Hashes  # [piece]: of its characters in small letters …
    exact: Hashes  # … and as they are
    marks: Hashes  # [piece]: its first marks, wherever they stand
    lead: Hashes  # [piece]: the marks before its word …
    trail: Hashes  # … and after it
    word: Hashes  # [piece]: its word, in small letters
    suffix: Hashes  # [piece]: the end of its word
    look: NDArray[np.uint8]  # [piece]: that of its word
    kind: NDArray[np.int32]  # [piece]: the kind of its word plus one; 0 if it is unknown


class Inside(NamedTuple):
    """The characters of one piece: hashes in small letters, from the piece's or the run's end."""

    before: Hashes  # the piece up to here
    after: Hashes  # the piece from here on
    run_before: Hashes  # the run up to here
    run_after: Hashes  # the run from here on
    run_start: NDArray[np.int64]
    run_end: NDArray[np.int64]


@kernel
def find_pieces(characters, known):
    """The pieces of a text."""
    classes = characters.classes
    size = len(classes)
    count = 0
    for i in range(size):
        count += classes[i] != SPACE and (i == 0 or classes[i - 1] == SPACE)
    found = empty_pieces(count)
    at = 0
    for k in range(count):
        while classes[at] == SPACE:
            at += 1
        found.starts[k] = at
        while at < size and classes[at] != SPACE:
            at += 1
        found.ends[k] = at
        found.gap[k] = gap_after(characters.codes, classes, at)
        see_word(characters, found, k, known)
    return found


@maker
def empty_pieces(count):
    """Pieces of which nothing is known yet."""
    return Pieces(
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.uint8),
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.uint8),
        np.empty(count, np.int32),
    )


@maker
def empty_inside(pieces):
    """Arrays for the characters of the longest piece."""
    size = 0
    for k in range(len(pieces.starts)):
        size = max(size, pieces.ends[k] - pieces.starts[k])
    return Inside(
        np.empty(size, np.uint64),
        np.empty(size, np.uint64),
        np.empty(size, np.uint64),
        np.empty(size, np.uint64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
    )


@helper
def gap_after(codes, classes, at):
    """What kind of space follows."""
    lines = 0
    while at < len(codes) and classes[at] == SPACE:
        lines += codes[at] == NEWLINE
        at += 1
    if at == len(codes) or lines > 1:
        return BLANK_LINE
    return NEW_LINE if lines == 1 else SPACED


@helper
def is_mark(kind):
    """Whether a character of this class is neither letter nor digit."""
    return kind > DIGIT


@inlined
def see_word(characters, found, k, known):
    """Note what is seen of a piece and of its word."""
    a, b = found.starts[k], found.ends[k]
    lower, exact, marks, number = BASIS, BASIS, BASIS, 0
    for i in range(a, b):
        lower = mixed(lower, np.uint64(characters.lower[i]))
        exact = mixed(exact, np.uint64(characters.codes[i]))
        if is_mark(characters.classes[i]) and number < MARKS_SEEN:
            marks = mixed(marks, np.uint64(characters.codes[i]))
            number += 1
    first, last = a, b
    while first < b and is_mark(characters.classes[first]):
        first += 1
    if first == b:
        first = a
    while last > first and is_mark(characters.classes[last - 1]):
        last -= 1
    has_word = last > first
    if not has_word:
        last = b
    word, lead, trail, suffix = BASIS, BASIS, BASIS, BASIS
    for i in range(first, last):
        word = mixed(word, np.uint64(characters.lower[i]))
    for i in range(a, first):
        lead = mixed(lead, np.uint64(characters.codes[i]))
    for i in range(last, b):
        trail = mixed(trail, np.uint64(characters.codes[i]))
    if not has_word:  # marks alone stand before, after and instead of it
        lead = trail = word
    for i in range(max(first, last - SUFFIX), last):
        suffix = mixed(suffix, np.uint64(characters.lower[i]))
    found.hashes[k], found.exact[k], found.marks[k] = lower, exact, marks
    found.lead[k], found.trail[k], found.word[k], found.suffix[k] = lead, trail, word, suffix
    found.look[k] = look_of_word(characters.classes, first, last)
    found.kind[k] = look_up(known.keys, known.values, word) + 1


@helper
def look_of_word(classes, first, last):
    """How a word uses capitals and digits, and whether it has marks within it."""
    letters, capitals, digits, marks = 0, 0, 0, 0
    for i in range(first, last):
        letters += classes[i] <= LETTER
        capitals += classes[i] == UPPER
        digits += classes[i] == DIGIT
        marks += is_mark(classes[i])
    if not letters and not digits:
        return NO_WORD
    inner = COMPOUND if marks else 0
    if digits:
        return inner + (WITH_DIGITS if letters else NUMBER)
    if classes[first] == UPPER:
        return inner + (CAPITALS if capitals == letters and capitals > 1 else CAPITALISED)
    if capitals:
        return inner + MIXED
    return inner + (PLAIN if classes[first] == LOWER else UNCASED)


@inlined
def see_inside(characters, a, b, inside):
    """Note what is seen of the characters of a piece (OUT inside), from its start."""
    x = run = BASIS
    start = 0
    for r in range(b - a):
        if r > 0 and is_mark(characters.classes[a + r]) != is_mark(characters.classes[a + r - 1]):
            start, run = r, BASIS
        letter = np.uint64(characters.lower[a + r])
        x, run = mixed(x, letter), mixed(run, letter)
        inside.before[r], inside.run_before[r], inside.run_start[r] = x, run, start
    x = run = BASIS
    end = b - a
    for r in range(b - a - 1, -1, -1):
        if r + 1 < b - a and inside.run_start[r + 1] == r + 1:
            end, run = r + 1, BASIS
        letter = np.uint64(characters.lower[a + r])
        x, run = mixed(x, letter), mixed(run, letter)
        inside.after[r], inside.run_after[r], inside.run_end[r] = x, run, end
