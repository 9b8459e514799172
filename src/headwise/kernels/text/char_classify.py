# mypy: allow-untyped-defs
"""Which characters of a text end a token or a sentence: a linear classifier, and its learning."""

import numpy as np

from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.char_features import BLANK_LINE, FEATURES, fill_row
from headwise.kernels.text.wordhash import MULTIPLIER, SPACE

INSIDE, TOKEN_END, SENTENCE_END = range(3)
LINE = 4
"""Weights of a feature stand side by side, one a class, and one more to fill the line."""


@kernel
def classify(characters, pieces, known, table, shift, across_spaces):
    """The class of every character; that of spaces says nothing.

    With `across_spaces`, a token may go on after a single space, as in `10 000`.
    """
    size = len(characters.codes)
    classes = np.zeros(size, np.uint8)
    row = np.empty(FEATURES, np.uint64)
    sums = np.zeros(LINE, np.float32)
    for i in range(size):
        if characters.classes[i] == SPACE:
            continue
        k = pieces.piece[i]
        is_last = i + 1 == pieces.ends[k]
        if is_last and pieces.gap[k] == BLANK_LINE:
            classes[i] = SENTENCE_END
            continue
        count = fill_row(characters, pieces, known, i, row)
        add_rows(table, shift, row, count, sums)
        may_go_on = not is_last or (across_spaces and is_single(characters.codes, pieces, k))
        classes[i] = best_class(sums, not may_go_on)
    return classes


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
def learn_characters(characters, pieces, known, gold, table, totals, shift, step, margin, order):
    """One pass of the perceptron over a text; the next step, and the number of mistakes.

    order: where each sentence starts and ends.
    """
    row = np.empty(FEATURES, np.uint64)
    sums = np.zeros(LINE, np.float32)
    mistakes = 0
    for p in range(len(order)):
        for i in range(order[p, 0], order[p, 1]):
            if characters.classes[i] == SPACE:
                continue
            k = pieces.piece[i]
            if i + 1 == pieces.ends[k] and pieces.gap[k] == BLANK_LINE:
                continue
            count = fill_row(characters, pieces, known, i, row)
            add_rows(table, shift, row, count, sums)
            for c in range(SENTENCE_END + 1):
                sums[c] += margin * (c != gold[i])
            found = best_class(sums, False)
            step += 1
            if found != gold[i]:
                mistakes += 1
                update(table, totals, shift, row, count, gold[i], found, np.float32(step))
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
