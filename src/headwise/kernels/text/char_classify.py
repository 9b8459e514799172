# mypy: allow-untyped-defs
"""Which characters of a text end a token or a sentence: a linear classifier, and its learning."""

import numpy as np

from headwise.kernels.runtime.jit import helper, inlined, kernel, maker
from headwise.kernels.text.char_features import FEATURES, fill_row
from headwise.kernels.text.pieces import BLANK_LINE, empty_inside, see_inside
from headwise.kernels.text.wordhash import MULTIPLIER

INSIDE, TOKEN_END, SENTENCE_END = range(3)
LINE = 4
"""Weights of a feature stand side by side, one a class, and one more to fill the line."""

NO_MARK, STRAIGHT, BRACKET, CURLY = (np.uint64(bits) for bits in (0, 1, 2, 4))
"""Bits of the quotes and brackets that are open in a sentence."""


@kernel
def classify(characters, pieces, known, table, shift, across_spaces, sees_words):
    """The class of every character; that of spaces says nothing.

    With `across_spaces`, a token may go on after a single space, as in `10 000`. Gaps within a
    piece are classified where it first occurs.
    """
    codes, classes = characters.codes, np.zeros(len(characters.codes), np.uint8)
    row, sums = np.empty(FEATURES, np.uint64), np.zeros(LINE, np.int32)
    inside, slots = empty_inside(pieces), empty_slots(len(pieces.starts))
    first, open_marks = 0, NO_MARK
    for k in range(len(pieces.starts)):
        a, b = pieces.starts[k], pieces.ends[k]
        same = first_alike(codes, pieces, k, slots)
        if same == k:
            see_inside(characters, a, b, inside)
        else:
            inside.before[b - 1 - a] = pieces.hashes[k]  # all that is needed behind its end
        for i in range(a, b):
            open_marks = marks_after(open_marks, codes[i])
            is_last = i + 1 == b
            if not is_last and same < k:
                classes[i] = classes[pieces.starts[same] + i - a]
            elif is_last and pieces.gap[k] == BLANK_LINE:
                classes[i] = SENTENCE_END
            else:
                count = fill_row(
                    characters, pieces, inside, known, k, i, first, open_marks, sees_words, row
                )
                add_rows(table, shift, row, count, sums)
                may_go_on = not is_last or (across_spaces and is_single(codes, pieces, k))
                classes[i] = best_class(sums, not may_go_on)
            if classes[i] == SENTENCE_END:
                first, open_marks = k + is_last, NO_MARK
    return classes


@maker
def empty_slots(count):
    """Slots for a number of pieces, at most half of them filled."""
    size = 2
    while size < 2 * count:
        size *= 2
    return np.full(size, -1, np.int64)


@helper
def first_alike(codes, pieces, k, slots):
    """The first piece with the same characters; `slots` (IN OUT) remember what was met."""
    a, size = pieces.starts[k], pieces.ends[k] - pieces.starts[k]
    slot = np.int64(pieces.exact[k] & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        other = slots[slot]
        start = pieces.starts[other]
        if pieces.exact[other] == pieces.exact[k] and pieces.ends[other] - start == size:
            at = 0
            while at < size and codes[start + at] == codes[a + at]:
                at += 1
            if at == size:
                return other
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = k
    return np.int64(k)


@helper
def marks_after(open_marks, code):
    """Which quotes and brackets are open after a character."""
    if code == 0x22:
        return open_marks ^ STRAIGHT
    if code == 0x28 or code == 0x5B:  # ( [
        return open_marks | BRACKET
    if code == 0x29 or code == 0x5D:  # ) ]
        return open_marks & ~BRACKET
    if code == 0x201C or code == 0xAB:  # “ «
        return open_marks | CURLY
    if code == 0x201D or code == 0xBB:  # ” »
        return open_marks & ~CURLY
    return open_marks


@helper
def is_single(codes, pieces, k):
    """Whether a piece and the next one are parted by one plain or no-break space."""
    end = pieces.ends[k]
    space = codes[end]
    return pieces.starts[k + 1] == end + 1 and (space == 0x20 or space == 0xA0 or space == 0x202F)


@helper
def best_class(sums, must_end):
    """The class of the highest sum; the first one of several."""
    best = TOKEN_END if must_end else INSIDE
    for c in range(best + 1, SENTENCE_END + 1):
        if sums[c] > sums[best]:
            best = c
    return best


@helper
def add_rows(table, shift, row, count, sums):
    """The sums of the weights of all classes."""
    sums[:] = 0
    for f in range(count):
        line = LINE * np.int64((row[f] * MULTIPLIER) >> shift)
        for c in range(LINE):
            sums[c] += table[line + c]


@kernel
def learn_characters(
    characters, pieces, known, gold, table, totals, shift, step, margin, order, sees_words
):
    """One pass of the perceptron over a text; the next step, and the number of mistakes.

    order: where each sentence starts and ends, and its first piece.
    """
    row, sums = np.empty(FEATURES, np.uint64), np.zeros(LINE, np.float32)
    inside, mistakes = empty_inside(pieces), 0
    for p in range(len(order)):
        start, end, first = order[p, 0], order[p, 1], order[p, 2]
        k, open_marks = first, NO_MARK
        while k < len(pieces.starts) and pieces.starts[k] < end:
            a, b = pieces.starts[k], pieces.ends[k]
            see_inside(characters, a, b, inside)
            for i in range(max(a, start), min(b, end)):
                open_marks = marks_after(open_marks, characters.codes[i])
                if i + 1 == b and pieces.gap[k] == BLANK_LINE:
                    continue
                count = fill_row(
                    characters, pieces, inside, known, k, i, first, open_marks, sees_words, row
                )
                add_rows(table, shift, row, count, sums)
                for c in range(SENTENCE_END + 1):
                    sums[c] += margin * (c != gold[i])
                found = best_class(sums, False)
                step += 1
                if found != gold[i]:
                    mistakes += 1
                    update(table, totals, shift, row, count, gold[i], found, np.float32(step))
            k += 1
    return step, mistakes


@inlined
def update(table, totals, shift, row, count, right, wrong, step):
    """Move the weights of all features from a class to another."""
    for f in range(count):
        line = LINE * np.int64((row[f] * MULTIPLIER) >> shift)
        table[line + right] += np.float32(1)
        table[line + wrong] -= np.float32(1)
        totals[line + right] += step
        totals[line + wrong] -= step
