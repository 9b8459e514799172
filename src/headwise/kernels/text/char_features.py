# mypy: allow-untyped-defs
"""What a tokeniser sees at each character of a text: its neighbours, and the pieces around it.

A piece is what stands between two spaces. Features describe the gap after a character: whether
a token, or a sentence, ends there. Before a blank line both do, so that this gap needs none.
Nothing is seen beyond a blank line: a text may be cut there and gives the same tokens.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import ABSENT, look_up
from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.wordhash import BASIS, SPACE, Hashes, mixed

NEWLINE = 10
SAME_PIECE, SPACED, NEW_LINE, BLANK_LINE = range(4)
"""What stands between a character and the next one that is not a space."""

OUTSIDE = np.uint64(1 << 42)
FEATURES = 29


class Pieces(NamedTuple):
    """The pieces of a text."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    gap: NDArray[np.uint8]  # [piece]: what stands after it
    hashes: Hashes  # [piece]
    before: Hashes  # [character]: hash of the piece up to here, in small letters
    after: Hashes  # [character]: hash of the piece from here on, from its end
    piece: NDArray[np.int64]  # [character]; undefined for spaces


@kernel
def find_pieces(characters):
    """The pieces of a text."""
    size = len(characters.codes)
    starts, ends = np.empty(size, np.int64), np.empty(size, np.int64)
    gap = np.empty(size, np.uint8)
    before, after = np.empty(size, np.uint64), np.empty(size, np.uint64)
    piece = np.empty(size, np.int64)
    count, at = 0, 0
    while at < size:
        if characters.classes[at] == SPACE:
            at += 1
            continue
        starts[count] = at
        x = BASIS
        while at < size and characters.classes[at] != SPACE:
            x = mixed(x, np.uint64(characters.lower[at]))
            before[at], piece[at] = x, count
            at += 1
        ends[count] = at
        x = BASIS
        for i in range(at - 1, starts[count] - 1, -1):
            x = mixed(x, np.uint64(characters.lower[i]))
            after[i] = x
        gap[count] = gap_after(characters.codes, characters.classes, at)
        count += 1
    hashes = np.empty(count, np.uint64)
    for k in range(count):
        hashes[k] = before[ends[k] - 1]
    return Pieces(starts[:count], ends[:count], gap[:count], hashes, before, after, piece)


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


@inlined
def fill_row(characters, pieces, known, i, row):
    """The features of the gap after character i (OUT row), and how many there are."""
    k = pieces.piece[i]
    is_last = i + 1 == pieces.ends[k]
    shape = see_characters(characters, pieces, i, k, is_last, row)
    if not is_last:
        return see_piece(characters, pieces, known, i, k, shape, row)
    return see_pieces(characters, pieces, i, k, shape, row)


@helper
def value_at(values, i, a, b):
    """A value at a position of a piece; OUTSIDE if the position is beyond it."""
    return np.uint64(values[i]) if a <= i < b else OUTSIDE


@inlined
def see_characters(characters, pieces, i, k, is_last, row):
    """Features of the characters around the gap; returns the hash of their classes."""
    a, b = pieces.starts[k], pieces.ends[k]
    gap = np.uint64(pieces.gap[k]) if is_last else np.uint64(SAME_PIECE)
    codes, classes = characters.codes, characters.classes
    c0, k0 = np.uint64(codes[i]), np.uint64(classes[i])
    cl1, cl2 = value_at(codes, i - 1, a, b), value_at(codes, i - 2, a, b)
    cr1, cr2 = value_at(codes, i + 1, a, b), value_at(codes, i + 2, a, b)
    kl1, kr1 = value_at(classes, i - 1, a, b), value_at(classes, i + 1, a, b)
    kr2 = value_at(classes, i + 2, a, b)
    left, right = pieces.before[i], value_at(pieces.after, i + 1, a, b)
    pair = mixed(c0, cr1)
    shape = mixed(mixed(mixed(mixed(value_at(classes, i - 2, a, b), kl1), k0), kr1), kr2)
    inside = np.uint64(min(i - a, 6)) + np.uint64(8) * np.uint64(min(b - i, 6))
    row[0] = mixed(np.uint64(1), gap)
    row[1] = mixed(mixed(np.uint64(2), c0), gap)
    row[2] = mixed(mixed(np.uint64(3), cr1), gap)
    row[3] = mixed(np.uint64(4), pair)
    row[4] = mixed(mixed(np.uint64(5), pair), cl1)
    row[5] = mixed(mixed(np.uint64(6), pair), cr2)
    row[6] = mixed(mixed(mixed(np.uint64(7), pair), cl1), cr2)
    row[7] = mixed(mixed(mixed(np.uint64(8), pair), cl1), cl2)
    row[8] = mixed(mixed(mixed(np.uint64(9), pair), cr2), value_at(codes, i + 3, a, b))
    row[9] = mixed(mixed(mixed(mixed(np.uint64(10), kl1), k0), kr1), gap)
    row[10] = mixed(mixed(np.uint64(11), shape), gap)
    row[11] = mixed(mixed(np.uint64(12), left), gap)
    row[12] = mixed(mixed(np.uint64(13), right), c0)
    row[13] = mixed(mixed(np.uint64(14), left), right)
    row[14] = mixed(mixed(mixed(np.uint64(15), left), cr1), kr2)
    row[15] = mixed(mixed(np.uint64(16), shape), inside)
    return shape


@inlined
def see_piece(characters, pieces, known, i, k, shape, row):
    """Features of a gap within a piece: whether what stands before it is a known token."""
    a, b = pieces.starts[k], pieces.ends[k]
    knows = np.uint64(look_up(known.keys, known.values, pieces.before[i]) != ABSENT)
    sides = mixed(mixed(knows, np.uint64(characters.classes[i])),
                  np.uint64(characters.classes[i + 1]))  # fmt: skip
    inside = np.uint64(min(i - a, 6)) + np.uint64(8) * np.uint64(min(b - i, 6))
    row[16] = mixed(mixed(np.uint64(17), sides), np.uint64(characters.codes[i]))
    row[17] = mixed(mixed(np.uint64(18), sides), np.uint64(characters.codes[i + 1]))
    row[18] = mixed(mixed(np.uint64(19), pieces.hashes[k]), np.uint64(i - a))
    row[19] = mixed(mixed(mixed(np.uint64(20), shape), knows), inside)
    return 20


@inlined
def see_pieces(characters, pieces, i, k, shape, row):
    """Features of a gap between two pieces: whether the next one may start a sentence."""
    a, b = pieces.starts[k], pieces.ends[k]
    codes, classes = characters.codes, characters.classes
    c0, k0, first = np.uint64(codes[i]), np.uint64(classes[i]), np.uint64(classes[a])
    start = pieces.starts[k + 1]
    n0, m0 = np.uint64(codes[start]), np.uint64(classes[start])
    whole, following = pieces.hashes[k], pieces.hashes[k + 1]
    previous, ahead = OUTSIDE, OUTSIDE
    if k > 0 and pieces.gap[k - 1] != BLANK_LINE:
        previous, ahead = pieces.hashes[k - 1], np.uint64(classes[pieces.starts[k - 1]])
    second = value_at(classes, start + 1, start, pieces.ends[k + 1])
    third = OUTSIDE
    if pieces.gap[k + 1] != BLANK_LINE:
        third = np.uint64(classes[pieces.starts[k + 2]])
    length = np.uint64(min(b - a, 5))
    around = mixed(c0, m0)
    row[16] = mixed(mixed(np.uint64(30), around), np.uint64(pieces.gap[k]))
    row[17] = mixed(mixed(np.uint64(31), around), value_at(codes, i - 1, a, b))
    row[18] = mixed(mixed(np.uint64(32), c0), following)
    row[19] = mixed(mixed(np.uint64(33), whole), m0)
    row[20] = mixed(mixed(np.uint64(34), whole), following)
    row[21] = mixed(mixed(mixed(np.uint64(35), shape), around), length)
    row[22] = mixed(mixed(np.uint64(36), following), k0)
    row[23] = mixed(mixed(np.uint64(37), previous), around)
    row[24] = mixed(mixed(np.uint64(38), n0), c0)
    row[25] = mixed(mixed(mixed(mixed(np.uint64(39), first), k0), m0), length)
    row[26] = mixed(mixed(np.uint64(40), around), second)
    row[27] = mixed(mixed(mixed(np.uint64(41), around), second), third)
    row[28] = mixed(mixed(mixed(mixed(np.uint64(42), ahead), first), k0), m0)
    return 29
