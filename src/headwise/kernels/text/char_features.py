# mypy: allow-untyped-defs
"""What a tokeniser sees at each character of a text: its neighbours, and the pieces around it.

Features describe the gap after a character: whether a token, or a sentence, ends there. Before a
blank line both do, so that this gap needs none. Nothing is seen beyond a blank line: a text may be
cut there and gives the same tokens. A gap within a piece depends on nothing but the piece.
"""

import numpy as np

from headwise.kernels.primitives.hashmap import ABSENT, look_up
from headwise.kernels.runtime.jit import helper, inlined
from headwise.kernels.text.pieces import BLANK_LINE, SAME_PIECE, is_mark
from headwise.kernels.text.wordhash import mixed

OUTSIDE = np.uint64(1 << 42)
FEATURES = 64

NEAR_END = 3
"""How many pieces after a gap are seen, up to the blank line."""

KIND_BITS = np.uint64(4)
"""The lowest bits of a kind of word (`headwise.text.wordkinds`) tell how it is written, the others
its tags."""


@inlined
def fill_row(characters, pieces, inside, known, k, i, first, open_marks, sees_words, row):
    """The features of the gap after character i of piece k (OUT row), and how many there are.

    first: the first piece of the sentence; open_marks: which quotes and brackets are open in it.
    Models of before words were seen do without them (`sees_words`).
    """
    is_last = i + 1 == pieces.ends[k]
    shape = see_characters(characters, pieces, inside, k, i, is_last, row)
    if not is_last:
        count = see_piece(characters, pieces, inside, known, k, i, shape, row)
        return (
            see_runs(characters, pieces, inside, known, k, i, row, count) if sees_words else count
        )
    count = see_pieces(characters, pieces, i, k, shape, row)
    return see_words(pieces, k, first, open_marks, row, count) if sees_words else count


@helper
def value_at(values, i, a, b):
    """A value at a position of a piece; OUTSIDE if the position is beyond it."""
    return np.uint64(values[i]) if a <= i < b else OUTSIDE


@inlined
def see_characters(characters, pieces, inside, k, i, is_last, row):
    """Features of the characters around the gap; returns the hash of their classes."""
    a, b = pieces.starts[k], pieces.ends[k]
    gap = np.uint64(pieces.gap[k]) if is_last else np.uint64(SAME_PIECE)
    codes, classes = characters.codes, characters.classes
    c0, k0 = np.uint64(codes[i]), np.uint64(classes[i])
    cl1, cl2 = value_at(codes, i - 1, a, b), value_at(codes, i - 2, a, b)
    cr1, cr2 = value_at(codes, i + 1, a, b), value_at(codes, i + 2, a, b)
    kl1, kr1 = value_at(classes, i - 1, a, b), value_at(classes, i + 1, a, b)
    kr2 = value_at(classes, i + 2, a, b)
    left, right = inside.before[i - a], value_at(inside.after, i + 1 - a, 0, b - a)
    pair = mixed(c0, cr1)
    shape = mixed(mixed(mixed(mixed(value_at(classes, i - 2, a, b), kl1), k0), kr1), kr2)
    position = np.uint64(min(i - a, 6)) + np.uint64(8) * np.uint64(min(b - i, 6))
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
    row[15] = mixed(mixed(np.uint64(16), shape), position)
    return shape


@inlined
def see_piece(characters, pieces, inside, known, k, i, shape, row):
    """Features of a gap within a piece: whether what stands before it is a known token."""
    a, b = pieces.starts[k], pieces.ends[k]
    knows = np.uint64(look_up(known.keys, known.values, inside.before[i - a]) != ABSENT)
    sides = mixed(mixed(knows, np.uint64(characters.classes[i])),
                  np.uint64(characters.classes[i + 1]))  # fmt: skip
    position = np.uint64(min(i - a, 6)) + np.uint64(8) * np.uint64(min(b - i, 6))
    row[16] = mixed(mixed(np.uint64(17), sides), np.uint64(characters.codes[i]))
    row[17] = mixed(mixed(np.uint64(18), sides), np.uint64(characters.codes[i + 1]))
    row[18] = mixed(mixed(np.uint64(19), pieces.hashes[k]), np.uint64(i - a))
    row[19] = mixed(mixed(mixed(np.uint64(20), shape), knows), position)
    return 20


@inlined
def see_runs(characters, pieces, inside, known, k, i, row, n):
    """Features of a gap within a piece: the runs and the words on both sides of it.

    left, right: the runs up to the gap and from it on; far_left, far_right: those beyond them. Of
    the nearest two on a side, one is a word.
    """
    a, size = pieces.starts[k], pieces.ends[k] - pieces.starts[k]
    r = i - a
    c0, c1 = np.uint64(characters.codes[i]), np.uint64(characters.codes[i + 1])
    k0, k1 = np.uint64(characters.classes[i]), np.uint64(characters.classes[i + 1])
    left, right = inside.run_before[r], inside.run_after[r + 1]
    start, end = inside.run_start[r], inside.run_end[r + 1]
    far_left = value_at(inside.run_before, start - 1, 0, size)
    far_right = value_at(inside.run_after, end, 0, size)
    word_left = far_left if is_mark(k0) else left
    word_right = far_right if is_mark(k1) else right
    kind_left = np.uint64(look_up(known.keys, known.values, word_left) + 1)
    kind_right = np.uint64(look_up(known.keys, known.values, word_right) + 1)
    knows_left, knows_right = np.uint64(kind_left > 0), np.uint64(kind_right > 0)
    knows_rest = np.uint64(look_up(known.keys, known.values, inside.after[r + 1]) != ABSENT)
    knows_all = np.uint64(look_up(known.keys, known.values, pieces.hashes[k]) != ABSENT)
    tags_left, tags_right = kind_left >> KIND_BITS, kind_right >> KIND_BITS
    marks, pair, sides = pieces.marks[k], mixed(c0, c1), mixed(k0, k1)
    both = mixed(mixed(tags_left, tags_right), pair)
    ends = np.uint64(start == 0) + np.uint64(2) * np.uint64(end == size)
    row[n] = mixed(mixed(np.uint64(50), left), right)
    row[n + 1] = mixed(mixed(np.uint64(51), left), c1)
    row[n + 2] = mixed(mixed(np.uint64(52), right), c0)
    row[n + 3] = mixed(mixed(mixed(np.uint64(53), far_left), left), k1)
    row[n + 4] = mixed(mixed(mixed(np.uint64(54), far_right), right), k0)
    row[n + 5] = mixed(mixed(np.uint64(55), both), ends)
    row[n + 6] = mixed(mixed(mixed(np.uint64(56), knows_left), knows_right), pair)
    row[n + 7] = mixed(mixed(np.uint64(57), marks), sides)
    row[n + 8] = mixed(mixed(np.uint64(58), marks), pair)
    row[n + 9] = mixed(mixed(mixed(mixed(np.uint64(59), knows_all), knows_rest), knows_left), pair)
    row[n + 10] = mixed(mixed(mixed(np.uint64(60), far_left), left), mixed(right, far_right))
    row[n + 11] = mixed(mixed(np.uint64(61), word_left), pair)
    row[n + 12] = mixed(mixed(np.uint64(62), word_right), pair)
    row[n + 13] = mixed(mixed(np.uint64(63), tags_left), pair)
    row[n + 14] = mixed(mixed(np.uint64(64), tags_right), pair)
    return n + 15


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


@helper
def length_level(length):
    """About how many pieces a sentence has so far."""
    if length < 4:
        return np.uint64(length)
    longer = (length >= 6) + (length >= 9) + (length >= 14) + (length >= 20) + (length >= 30)
    return np.uint64(4 + longer + (length >= 45))


@inlined
def see_words(pieces, k, first, open_marks, row, n):
    """Features of a gap between two pieces: the words around it, and the sentence so far.

    Piece 0 is the one before the gap, 1 to 3 come after it; l is to the left of 0, m further left.
    """
    end = k + 1
    while end < len(pieces.starts) and end <= k + NEAR_END and pieces.gap[end - 1] != BLANK_LINE:
        end += 1
    begin = max(first, k - 2)
    look, kind = pieces.look, pieces.kind
    looks_m, looks_l = value_at(look, k - 2, begin, end), value_at(look, k - 1, begin, end)
    looks_0, looks_1 = np.uint64(look[k]), np.uint64(look[k + 1])
    looks_2, looks_3 = value_at(look, k + 2, begin, end), value_at(look, k + 3, begin, end)
    tags_m = value_at(kind, k - 2, begin, end) >> KIND_BITS
    tags_l = value_at(kind, k - 1, begin, end) >> KIND_BITS
    tags_0, tags_1 = np.uint64(kind[k]) >> KIND_BITS, np.uint64(kind[k + 1]) >> KIND_BITS
    tags_2 = value_at(kind, k + 2, begin, end) >> KIND_BITS
    tags_3 = value_at(kind, k + 3, begin, end) >> KIND_BITS
    word_l, word_0 = value_at(pieces.word, k - 1, begin, end), pieces.word[k]
    word_1, word_2 = pieces.word[k + 1], value_at(pieces.word, k + 2, begin, end)
    ahead, length = np.uint64(end - k), length_level(k - first)
    gap = mixed(mixed(pieces.trail[k], pieces.lead[k + 1]), np.uint64(pieces.gap[k]))
    near = mixed(gap, looks_1)
    opening, tags = np.uint64(look[first]), mixed(tags_0, tags_1)
    row[n] = mixed(np.uint64(100), gap)
    row[n + 1] = mixed(mixed(np.uint64(101), near), looks_0)
    row[n + 2] = mixed(mixed(np.uint64(102), near), np.uint64(kind[k]))
    row[n + 3] = mixed(mixed(np.uint64(103), near), np.uint64(kind[k + 1]))
    row[n + 4] = mixed(mixed(np.uint64(104), near), tags)
    row[n + 5] = mixed(mixed(mixed(np.uint64(105), near), tags_l), tags)
    row[n + 6] = mixed(mixed(mixed(np.uint64(106), near), tags), tags_2)
    row[n + 7] = mixed(mixed(mixed(np.uint64(107), near), tags_1), mixed(tags_2, tags_3))
    row[n + 8] = mixed(mixed(mixed(np.uint64(108), near), tags_1), tags_2)
    row[n + 9] = mixed(mixed(mixed(np.uint64(109), near), tags_l), tags_0)
    row[n + 10] = mixed(mixed(mixed(np.uint64(110), near), tags_m), mixed(tags_l, tags_0))
    row[n + 11] = mixed(mixed(np.uint64(111), near), word_0)
    row[n + 12] = mixed(mixed(np.uint64(112), near), word_1)
    row[n + 13] = mixed(mixed(mixed(np.uint64(113), gap), word_0), word_1)
    row[n + 14] = mixed(mixed(mixed(np.uint64(114), near), word_1), word_2)
    row[n + 15] = mixed(mixed(mixed(np.uint64(115), near), word_l), word_0)
    row[n + 16] = mixed(mixed(np.uint64(116), near), length)
    row[n + 17] = mixed(mixed(mixed(np.uint64(117), near), length), opening)
    row[n + 18] = mixed(mixed(mixed(np.uint64(118), near), np.uint64(kind[first])), opening)
    row[n + 19] = mixed(
        mixed(np.uint64(119), near), mixed(mixed(looks_m, looks_l), mixed(looks_0, looks_2))
    )
    row[n + 20] = mixed(
        mixed(np.uint64(120), near), mixed(mixed(looks_l, looks_0), mixed(looks_2, looks_3))
    )
    row[n + 21] = mixed(mixed(np.uint64(121), near), marks_at(pieces, k + 2, begin, end))
    row[n + 22] = mixed(
        mixed(np.uint64(122), gap),
        mixed(pieces.lead[k], mixed(pieces.trail[k + 1], marks_at(pieces, k - 1, begin, end))),
    )
    row[n + 23] = mixed(mixed(np.uint64(123), near), ahead)
    row[n + 24] = mixed(mixed(mixed(np.uint64(124), near), word_0), tags_1)
    row[n + 25] = mixed(mixed(mixed(np.uint64(125), near), word_1), tags_0)
    row[n + 26] = mixed(mixed(np.uint64(126), near), open_marks)
    row[n + 27] = mixed(mixed(mixed(np.uint64(127), near), length), tags)
    row[n + 28] = mixed(mixed(np.uint64(128), near), pieces.suffix[k])
    row[n + 29] = mixed(mixed(np.uint64(129), near), pieces.suffix[k + 1])
    row[n + 30] = mixed(mixed(mixed(np.uint64(130), near), pieces.word[first]), length)
    row[n + 31] = mixed(mixed(mixed(np.uint64(131), near), looks_0), mixed(length, ahead))
    return n + 32


@helper
def marks_at(pieces, k, begin, end):
    """The marks around the word of a piece; OUTSIDE if the piece is beyond what is seen."""
    return mixed(pieces.lead[k], pieces.trail[k]) if begin <= k < end else OUTSIDE
