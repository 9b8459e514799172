# mypy: allow-untyped-defs
"""Scores of all arcs of a sentence: the sums of the weights of their features.

Memory is what costs, so templates are scored in the way that looks up least:

    ROW_OF_HEAD      looks at the modifier's tag only: one line for each token and each *different*
    ROW_OF_MODIFIER  tag, summed over templates before any arc is looked at (wide and narrow)
    PAIR             looks at more of both: a line an arc; those of two words only for pairs of
                     words that a filter has seen together (wide and narrow)
    COUNTING         a line an arc, by the numbers of verbs, marks and conjunctions between
    BETWEEN          a running sum for each different tag of modifiers while they move outwards

Tables are float32 in training, int8 in finished models; sums are float32, or int16 and int32.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arc_features import (
    BETWEEN,
    COUNTED,
    Tokens,
    count_before,
    counts_key,
    filter_bit,
    hash_sides,
    lane_of,
    line_at,
)
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.vectors import LINE, add_line

INFINITY = np.inf


class Scoring(IntEnum):
    """How a template is scored; templates are sorted by this."""

    ROW_OF_HEAD = 0
    ROW_OF_MODIFIER = 1
    NARROW_ROW_OF_HEAD = 2
    NARROW_ROW_OF_MODIFIER = 3
    PAIR = 4
    NARROW_PAIR = 5
    COUNTING = 6
    BETWEEN = 7


class Weights(NamedTuple):
    """Tables of weights. A place is an index into wide and narrow, one after the other."""

    wide: NDArray[np.generic]
    narrow: NDArray[np.generic]
    filters: NDArray[np.uint8]  # [group, byte]: bits of pairs of words that were seen together
    wide_shift: np.uint64
    narrow_shift: np.uint64
    filter_shift: np.uint64
    row_sums: NDArray[np.generic]  # empty: its type is that of sums over rows …
    arc_sums: NDArray[np.generic]  # … and over whole arcs
    scale: float  # what an integer weight of 1 is worth


@kernel
def score_many(templates, tokens, starts, weights, scores):
    """The scores of all arcs of many sentences, whose tokens stand one after the other.

    OUT scores: for each sentence [head, modifier], one after the other.
    """
    at = 0
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        size = b - a
        own = Tokens(
            tokens.atoms[:, a:b], tokens.tags[a:b], tokens.backed_off[a:b], tokens.counted[:, a:b]
        )
        score_arcs(templates, own, weights, scores[at : at + size * size].reshape(size, size))
        at += size * size


@inlined
def score_arcs(templates, tokens, weights, scores):
    """The scores of all arcs of a sentence: OUT scores[head, modifier]."""
    size = tokens.atoms.shape[1]
    side = np.empty((len(templates.sides.salt), size), np.uint64)
    hash_sides(templates.sides, tokens.atoms, side)
    tag, first = np.empty(size, np.int64), np.empty(size, np.int64)
    tags = different(tokens.tags, tag, first)
    before = np.empty((COUNTED, size), np.int64)
    count_before(tokens.counted, before)
    of_head = np.zeros(size * tags * LINE, weights.row_sums.dtype)
    of_modifier = np.zeros(size * tags * LINE, weights.row_sums.dtype)
    sum_rows(templates, 0, tokens, weights, side, first[:tags], of_head)
    sum_rows(templates, 1, tokens, weights, side, first[:tags], of_modifier)
    row = np.empty(size, weights.arc_sums.dtype)
    running = np.empty(tags * LINE, weights.arc_sums.dtype)
    seen = np.empty(size, np.int64)
    for h in range(size):
        for m in range(size):
            if m == h or m == 0:
                row[m] = 0
                continue
            lane, direction = lane_of(h, m), np.int64(m > h)
            a, b = (h * tags + tag[m]) * LINE, (m * tags + tag[h]) * LINE
            row[m] = np.int64(0) + of_head[a + lane] + of_head[a + direction]
            row[m] += of_modifier[b + lane]
            row[m] += of_modifier[b + direction]
        add_pairs(templates, tokens, weights, side, h, seen, row)
        add_counting(templates, weights, side, before, h, row)
        add_between(templates, tokens, weights, side, tag, first[:tags], h, running, row)
        for m in range(size):
            scores[h, m] = row[m] * weights.scale
        scores[h, h] = scores[h, 0] = -INFINITY


@helper
def different(tags, number, first):
    """Number the different tags: OUT number[token], first[number]; how many there are."""
    count = 0
    for i in range(len(tags)):
        number[i] = count
        for k in range(count):
            if tags[first[k]] == tags[i]:
                number[i] = k
                break
        if number[i] == count:
            first[count] = i
            count += 1
    return count


@inlined
def sum_rows(templates, of_modifier, tokens, weights, side, first, sums):
    """Sum the lines of every token with every different tag: OUT sums[token, tag, lane]."""
    bounds, size, tags = templates.bounds, side.shape[1], len(first)
    wide, narrow = weights.wide, weights.narrow
    others = np.empty(tags, np.uint64)
    for narrow_table in range(2):
        kind = 2 * narrow_table + of_modifier
        for t in range(bounds[kind], bounds[kind + 1]):
            own = templates.modifier[t] if of_modifier else templates.head[t]
            other = templates.head[t] if of_modifier else templates.modifier[t]
            backs_off = templates.head_backs_off[t] or templates.modifier_backs_off[t]
            for d in range(tags):
                others[d] = side[other, first[d]] ^ templates.seed[t]
            for i in range(size):
                if backs_off and not tokens.backed_off[i]:
                    continue
                x, at = side[own, i], i * tags * LINE
                if narrow_table:
                    for d in range(tags):
                        line = 2 * line_at(x ^ others[d], weights.narrow_shift)
                        sums[at + d * LINE] += narrow[line]
                        sums[at + d * LINE + 1] += narrow[line + 1]
                else:
                    for d in range(tags):
                        line = LINE * line_at(x ^ others[d], weights.wide_shift)
                        add_line(sums, at + d * LINE, wide, line)


@inlined
def add_pairs(templates, tokens, weights, side, h, seen, row):
    """Add the weights of templates that look at more than the tag of both ends."""
    bounds = templates.bounds
    wide, narrow = weights.wide, weights.narrow
    backed_off = tokens.backed_off
    group, count = -2, 0
    for t in range(bounds[4], bounds[6]):
        if templates.group[t] != group:
            group = templates.group[t]
            count = seen_together(templates, tokens, weights, group, h, seen)
        x = side[templates.head[t], h] ^ templates.seed[t]
        of_modifier = side[templates.modifier[t]]
        of_head_word, of_modifier_word = (
            templates.head_backs_off[t],
            templates.modifier_backs_off[t],
        )
        always = not (of_head_word or of_modifier_word) or (of_head_word and backed_off[h])
        if t < bounds[5]:
            for k in range(count):
                m = seen[k]
                if not (always or (of_modifier_word and backed_off[m])):
                    continue
                line = LINE * line_at(x ^ of_modifier[m], weights.wide_shift)
                row[m] += wide[line + np.int64(m > h)]
                row[m] += wide[line + lane_of(h, m)]
        else:
            for k in range(count):
                m = seen[k]
                if not (always or (of_modifier_word and backed_off[m])):
                    continue
                line = 2 * line_at(x ^ of_modifier[m], weights.narrow_shift)
                row[m] += narrow[line + np.int64(m > h)]


@inlined
def seen_together(templates, tokens, weights, group, h, seen):
    """The modifiers whose word was seen with the head's: OUT seen; how many there are."""
    count = 0
    for m in range(1, tokens.atoms.shape[1]):
        seen[count] = m
        if m == h:
            continue
        if group < 0:
            count += 1
        else:
            atom = templates.filters[group]
            bit = filter_bit(tokens.atoms, atom, h, m, weights.filter_shift)
            byte = weights.filters[group, bit >> np.uint64(3)]
            count += int((byte >> (bit & np.uint64(7))) & np.uint8(1))
    return count


@inlined
def add_counting(templates, weights, side, before, h, row):
    """Add the weights of templates that count words between head and modifier."""
    bounds, size, wide = templates.bounds, side.shape[1], weights.wide
    if bounds[6] == bounds[7]:
        return
    for m in range(1, size):
        if m == h:
            continue
        key = counts_key(before, min(h, m), max(h, m))
        lane, direction = lane_of(h, m), np.int64(m > h)
        for t in range(bounds[6], bounds[7]):
            x = side[templates.head[t], h] ^ side[templates.modifier[t], m] ^ templates.seed[t]
            line = LINE * line_at(x ^ key, weights.wide_shift)
            row[m] += wide[line + direction]
            row[m] += wide[line + lane]


@inlined
def add_between(templates, tokens, weights, side, tag, first, h, running, row):
    """Add the weights of templates that look at every word between head and modifier.

    They look at tags only, so a sum for each different tag of modifiers runs along, to which each
    word that is passed adds its line.
    """
    bounds, size, tags = templates.bounds, side.shape[1], len(first)
    if bounds[7] == bounds[8]:
        return
    for direction in range(2):
        step = 1 if direction else -1
        running[:] = 0
        m = h + 2 * step
        while 1 <= m < size:
            for t in range(bounds[7], bounds[8]):
                value = tokens.atoms[templates.between[t], m - step] * BETWEEN
                x = side[templates.head[t], h] ^ templates.seed[t] ^ value
                of_modifier = side[templates.modifier[t]]
                for d in range(tags):
                    line = LINE * line_at(x ^ of_modifier[first[d]], weights.wide_shift)
                    add_line(running, d * LINE, weights.wide, line)
            at = tag[m] * LINE
            row[m] += running[at + direction]
            row[m] += running[at + lane_of(h, m)]
            m += step
