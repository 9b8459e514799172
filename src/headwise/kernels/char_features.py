# mypy: allow-untyped-defs
"""What a tokeniser sees at each character of a text: its neighbours, and the pieces around it.

A piece is what stands between two spaces. Features describe the place after a character: whether
a token, or a sentence, ends there. Nothing is seen beyond a blank line, which ends a sentence
anyhow, so that a text may be cut at blank lines and gives the same tokens.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.hashmap import ABSENT, look_up
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.wordhash import BASIS, SPACE, Hashes, mixed

NEWLINE = 10
SAME_PIECE, SPACED, NEW_LINE, BLANK_LINE = range(4)
"""What stands between a character and the next one that is no space."""

OUTSIDE = np.uint64(1 << 42)
FEATURES = 40
LONGEST_WORD = 8
"""How long known words are that are looked for at any place."""


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
def fill_row(characters, pieces, known_keys, known_values, i, row):
    """The features of the place after character i: OUT row."""
    k = pieces.piece[i]
    a, b = pieces.starts[k], pieces.ends[k]
    is_last = i + 1 == b
    is_end = is_last and pieces.gap[k] == BLANK_LINE
    gap = np.uint64(pieces.gap[k]) if is_last else np.uint64(SAME_PIECE)
    c0 = np.uint64(characters.codes[i])
    cl1 = np.uint64(characters.codes[i - 1]) if i > a else OUTSIDE
    cl2 = np.uint64(characters.codes[i - 2]) if i > a + 1 else OUTSIDE
    cr1 = np.uint64(characters.codes[i + 1]) if i + 1 < b else OUTSIDE
    cr2 = np.uint64(characters.codes[i + 2]) if i + 2 < b else OUTSIDE
    cr3 = np.uint64(characters.codes[i + 3]) if i + 3 < b else OUTSIDE
    k0 = np.uint64(characters.classes[i])
    kl1 = np.uint64(characters.classes[i - 1]) if i > a else OUTSIDE
    kl2 = np.uint64(characters.classes[i - 2]) if i > a + 1 else OUTSIDE
    kr1 = np.uint64(characters.classes[i + 1]) if i + 1 < b else OUTSIDE
    kr2 = np.uint64(characters.classes[i + 2]) if i + 2 < b else OUTSIDE
    left = pieces.before[i]
    right = pieces.after[i + 1] if i + 1 < b else OUTSIDE
    has_next = not (k + 1 >= len(pieces.starts) or pieces.gap[k] == BLANK_LINE)
    has_previous = k > 0 and pieces.gap[k - 1] != BLANK_LINE
    row[0] = mixed(np.uint64(1), gap)
    row[1] = mixed(mixed(np.uint64(2), c0), gap)
    row[2] = mixed(mixed(np.uint64(3), cr1), gap)
    row[3] = mixed(mixed(np.uint64(4), c0), cr1)
    row[4] = mixed(mixed(mixed(np.uint64(5), cl1), c0), cr1)
    row[5] = mixed(mixed(mixed(np.uint64(6), c0), cr1), cr2)
    row[6] = mixed(mixed(mixed(mixed(np.uint64(7), cl1), c0), cr1), cr2)
    row[7] = mixed(mixed(mixed(mixed(np.uint64(8), cl2), cl1), c0), cr1)
    row[8] = mixed(mixed(mixed(mixed(np.uint64(9), c0), cr1), cr2), cr3)
    row[9] = mixed(mixed(mixed(mixed(np.uint64(10), kl1), k0), kr1), gap)
    shape = mixed(mixed(mixed(mixed(kl2, kl1), k0), kr1), kr2)
    row[10] = mixed(mixed(np.uint64(11), shape), gap)
    row[11] = mixed(mixed(np.uint64(12), left), gap)
    row[12] = mixed(mixed(np.uint64(13), right), c0)
    row[13] = mixed(mixed(np.uint64(14), left), right)
    row[14] = mixed(mixed(mixed(np.uint64(15), left), cr1), kr2)
    inside = np.uint64(min(i - a, 6)) + np.uint64(8) * np.uint64(min(b - i, 6))
    row[15] = mixed(mixed(np.uint64(16), shape), inside)
    count = 16
    if not is_last:
        knows = np.uint64(look_up(known_keys, known_values, left) != ABSENT)
        row[count] = mixed(mixed(mixed(mixed(np.uint64(17), knows), k0), kr1), c0)
        row[count + 1] = mixed(mixed(mixed(mixed(np.uint64(18), knows), k0), kr1), cr1)
        row[count + 2] = mixed(mixed(np.uint64(19), pieces.hashes[k]), np.uint64(i - a))
        row[count + 3] = mixed(mixed(mixed(np.uint64(20), shape), knows), inside)
        return count + 4
    if is_end:
        return count
    n0 = np.uint64(characters.codes[pieces.starts[k + 1]]) if has_next else OUTSIDE
    m0 = np.uint64(characters.classes[pieces.starts[k + 1]]) if has_next else OUTSIDE
    following = pieces.hashes[k + 1] if has_next else OUTSIDE
    previous = pieces.hashes[k - 1] if has_previous else OUTSIDE
    length = np.uint64(min(b - a, 5))
    row[count] = mixed(mixed(mixed(np.uint64(30), c0), m0), gap)
    row[count + 1] = mixed(mixed(mixed(np.uint64(31), c0), cl1), m0)
    row[count + 2] = mixed(mixed(np.uint64(32), c0), following)
    row[count + 3] = mixed(mixed(np.uint64(33), pieces.hashes[k]), m0)
    row[count + 4] = mixed(mixed(np.uint64(34), pieces.hashes[k]), following)
    row[count + 5] = mixed(mixed(mixed(mixed(np.uint64(35), shape), m0), length), c0)
    row[count + 6] = mixed(mixed(np.uint64(36), following), k0)
    row[count + 7] = mixed(mixed(mixed(np.uint64(37), previous), c0), m0)
    row[count + 8] = mixed(mixed(np.uint64(38), n0), c0)
    first = np.uint64(characters.classes[a])
    row[count + 9] = mixed(mixed(mixed(mixed(np.uint64(39), first), k0), m0), length)
    second = OUTSIDE
    if has_next and pieces.starts[k + 1] + 1 < pieces.ends[k + 1]:
        second = np.uint64(characters.classes[pieces.starts[k + 1] + 1])
    row[count + 10] = mixed(mixed(mixed(np.uint64(40), c0), m0), second)
    third = OUTSIDE
    if has_next and k + 2 < len(pieces.starts) and pieces.gap[k + 1] != BLANK_LINE:
        third = np.uint64(characters.classes[pieces.starts[k + 2]])
    row[count + 11] = mixed(mixed(mixed(mixed(np.uint64(41), c0), m0), second), third)
    ahead = np.uint64(characters.classes[pieces.starts[k - 1]]) if has_previous else OUTSIDE
    row[count + 12] = mixed(mixed(mixed(mixed(np.uint64(42), ahead), first), k0), m0)
    return count + 13
