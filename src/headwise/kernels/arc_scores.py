# mypy: allow-untyped-defs
"""Scores of all arcs of a sentence: the sums of the weights of their features.

Memory is what costs, so templates are scored in the way that looks up least:

    TAGS             looks at the tags of both ends: a line for each two *different* tags
    HEAD_ALONE       looks at one end: a line for each token
    MODIFIER_ALONE
    ROW_OF_HEAD      looks at the other end's tag only: a line for each token and different tag
    ROW_OF_MODIFIER
    PAIR             looks at more of both: a line an arc; those of two words only for pairs of
                     words that a filter has seen together
    COUNTING         a line an arc, by the numbers of verbs, marks and conjunctions between
    BETWEEN          a line for each three different tags, summed along the sentence
    GUIDED           a line for each arc of another parser's tree

Tables are float32 in training, int8 or int16 in finished models; sums are float32, or int16 and
int32.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arc_features import (
    BETWEEN,
    COUNTED,
    MULTIPLIER,
    Tokens,
    count_before,
    counts_key,
    filter_bit,
    hash_sides,
    lane_of,
    line_at,
)
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.vectors import LINE, add_line, prefetch

INFINITY = np.inf
TWO, SIXTEEN = np.uint64(2), np.uint64(LINE)


class Scoring(IntEnum):
    """How a template is scored; templates are sorted by this."""

    TAGS = 0
    HEAD_ALONE = 1
    MODIFIER_ALONE = 2
    ROW_OF_HEAD = 3
    ROW_OF_MODIFIER = 4
    NARROW_TAGS = 5
    NARROW_HEAD_ALONE = 6
    NARROW_MODIFIER_ALONE = 7
    NARROW_ROW_OF_HEAD = 8
    NARROW_ROW_OF_MODIFIER = 9
    NARROW_PAIR = 10
    PAIR = 11
    COUNTING = 12
    BETWEEN = 13
    GUIDED = 14

    @property
    def narrow(self) -> bool:
        """Whether the weights are in the narrow table."""
        return Scoring.NARROW_TAGS <= self <= Scoring.NARROW_PAIR


TAGS, HEAD_ALONE, MODIFIER_ALONE, ROW_OF_HEAD, ROW_OF_MODIFIER, NARROW = map(int, list(Scoring)[:6])
NARROW_PAIR, PAIR, COUNTING, INSIDE, GUIDED = map(int, list(Scoring)[10:])


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
            tokens.atoms[:, a:b],
            tokens.tags[a:b],
            tokens.backed_off[a:b],
            tokens.counted[:, a:b],
            tokens.guide[a:b],
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
    sum_rows(templates, tokens, weights, side, tag, first[:tags], of_head, of_modifier)
    middle = np.zeros(size * size, weights.arc_sums.dtype)
    sum_between(templates, tokens, weights, side, tag, first[:tags], middle)
    row, seen = np.empty(size, weights.arc_sums.dtype), np.empty(size, np.uint64)
    lane_by_offset = np.zeros((2, 2 * size), np.uint64)
    for offset in range(2 * size):
        if offset != size:
            lane_by_offset[0, offset] = np.int64(offset > size)
            lane_by_offset[1, offset] = lane_of(size, offset)
    pairs = templates.bounds[PAIR + 1] - templates.bounds[NARROW_PAIR]
    lines, counts = np.empty((2, pairs * size), np.uint64), np.empty(pairs, np.uint64)
    keys = np.empty(size, np.uint64)
    for h in range(size):
        lanes = lane_by_offset[:, size - h : 2 * size - h]
        for m in range(1, size):
            direction, lane = np.int64(lanes[0, m]), np.int64(lanes[1, m])
            a, b = (h * tags + tag[m]) * LINE, (m * tags + tag[h]) * LINE
            of_rows = of_head[a + lane] + of_head[a + direction]
            of_rows += of_modifier[b + lane] + of_modifier[b + direction]
            row[m] = middle[h * size + m] + of_rows
        add_pairs(templates, tokens, weights, side, h, lanes, seen, lines, counts, row)
        add_counting(templates, weights, side, before, h, lanes, keys, row)
        add_guided(templates, tokens, weights, side, h, row)
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
def sum_rows(templates, tokens, weights, side, tag, first, of_head, of_modifier):
    """Sum the lines of every token with every different tag: OUT sums[token, tag, lane]."""
    size, tags = side.shape[1], len(first)
    everyone, anyone = np.arange(size), np.zeros(1, np.int64)
    head, modifier = templates.head, templates.modifier
    bounds, seed, backed_off = templates.bounds, templates.seed, tokens.backed_off
    backing = templates.head_backs_off | templates.modifier_backs_off
    tables = weights.wide, weights.narrow
    shifts = weights.wide_shift, weights.narrow_shift
    by_tags = np.zeros(tags * tags * LINE, of_head.dtype)
    alone = np.zeros(2 * size * LINE, of_head.dtype)
    common = bounds, seed, backing, backed_off, tables, shifts, side
    # As constants, the kinds would be compiled for one by one.
    sum_lines(np.int64(TAGS), head, modifier, common, first, first, by_tags)
    sum_lines(np.int64(HEAD_ALONE), head, modifier, common, everyone, anyone, alone[: size * LINE])
    sum_lines(
        np.int64(MODIFIER_ALONE), modifier, head, common, everyone, anyone, alone[size * LINE :]
    )
    for i in range(size):
        for d in range(tags):
            at = (i * tags + d) * LINE
            add_line(of_head, at, alone, i * LINE)
            add_line(of_head, at, by_tags, (tag[i] * tags + d) * LINE)
            add_line(of_modifier, at, alone, (size + i) * LINE)
    sum_lines(np.int64(ROW_OF_HEAD), head, modifier, common, everyone, first, of_head)
    sum_lines(np.int64(ROW_OF_MODIFIER), modifier, head, common, everyone, first, of_modifier)


@helper
def sum_lines(kind, own, other, common, ones, others, sums):
    """Sum the lines of some tokens with some others, wide and narrow: OUT sums[one, other, lane].

    Only templates of a kind count, and of its narrow twin.
    """
    bounds, seed, backing, backed_off, tables, shifts, side = common
    wide, narrow = tables
    width = len(others)
    keys, lines = np.empty(width, np.uint64), np.empty(len(ones) * width, np.uint64)
    for narrow_table in range(2):
        twin = kind + NARROW * narrow_table
        for t in range(bounds[twin], bounds[twin + 1]):
            for d in range(width):
                keys[d] = side[other[t], others[d]] ^ seed[t]
            for i in range(len(ones)):
                x = side[own[t], ones[i]]
                for d in range(width):
                    key = (x ^ keys[d]) * MULTIPLIER
                    if narrow_table:
                        lines[i * width + d] = (key >> shifts[1]) * TWO
                        prefetch(narrow, lines[i * width + d])
                    else:
                        lines[i * width + d] = (key >> shifts[0]) * SIXTEEN
                        prefetch(wide, lines[i * width + d])
            for i in range(len(ones)):
                if backing[t] and not backed_off[ones[i]]:
                    continue
                for k in range(i * width, (i + 1) * width):
                    if narrow_table:
                        sums[k * LINE] += narrow[lines[k]]
                        sums[k * LINE + 1] += narrow[lines[k] + np.uint64(1)]
                    else:
                        add_line(sums, k * LINE, wide, lines[k])


@inlined
def add_pairs(templates, tokens, weights, side, h, lanes, seen, lines, counts, row):
    """Add the weights of templates that look at more than the tag of both ends.

    All lines are asked for before the first is used.
    """
    bounds, backed_off = templates.bounds, tokens.backed_off
    wide, narrow = weights.wide, weights.narrow
    first, size = bounds[NARROW_PAIR], side.shape[1]
    group, count = -2, np.uint64(0)
    counts[:] = 0
    for t in range(first, bounds[PAIR + 1]):
        if templates.group[t] != group:
            group = templates.group[t]
            count = seen_together(templates, tokens, weights, group, h, seen)
        x = side[templates.head[t], h] ^ templates.seed[t]
        of_modifier = side[templates.modifier[t]]
        checked = templates.head_backs_off[t] or templates.modifier_backs_off[t]
        if templates.head_backs_off[t] and backed_off[h]:
            checked = False
        if checked and not templates.modifier_backs_off[t]:
            continue
        at = (t - first) * size
        used = np.uint64(0)
        for k in range(count):
            m = seen[k]
            key = (x ^ of_modifier[m]) * MULTIPLIER
            if t < bounds[PAIR]:
                line = (key >> weights.narrow_shift) * TWO
                prefetch(narrow, line)
            else:
                line = (key >> weights.wide_shift) * SIXTEEN
                prefetch(wide, line)
            lines[0, np.uint64(at) + used], lines[1, np.uint64(at) + used] = line, m
            used += np.uint64(not checked or backed_off[m])
        counts[t - first] = used
    for t in range(first, bounds[PAIR + 1]):
        at = np.uint64((t - first) * size)
        for k in range(at, at + counts[t - first]):
            line, m = lines[0, k], lines[1, k]
            if t < bounds[PAIR]:
                row[m] += narrow[line + lanes[0, m]]
            else:
                row[m] += wide[line + lanes[0, m]] + wide[line + lanes[1, m]]


@inlined
def seen_together(templates, tokens, weights, group, h, seen):
    """The modifiers whose word was seen with the head's: OUT seen; how many there are."""
    count = np.uint64(0)
    for m in range(np.uint64(1), np.uint64(tokens.atoms.shape[1])):
        seen[count] = m
        if group < 0:
            count += np.uint64(1)
        else:
            atom = templates.filters[group]
            bit = filter_bit(tokens.atoms, atom, h, m, weights.filter_shift)
            byte = weights.filters[group, bit >> np.uint64(3)]
            count += (np.uint64(byte) >> (bit & np.uint64(7))) & np.uint64(1)
    return count


@inlined
def add_counting(templates, weights, side, before, h, lanes, keys, row):
    """Add the weights of templates that count words between head and modifier."""
    bounds, size, wide = templates.bounds, side.shape[1], weights.wide
    if bounds[COUNTING] == bounds[COUNTING + 1]:
        return
    for m in range(1, size):
        keys[m] = counts_key(before, min(h, m), max(h, m)) if m != h else np.uint64(0)
    for t in range(bounds[COUNTING], bounds[COUNTING + 1]):
        x = side[templates.head[t], h] ^ templates.seed[t]
        of_modifier = side[templates.modifier[t]]
        for m in range(np.uint64(1), np.uint64(size)):
            key = (x ^ of_modifier[m] ^ keys[m]) * MULTIPLIER
            line = (key >> weights.wide_shift) * SIXTEEN
            row[m] += wide[line + lanes[0, m]] + wide[line + lanes[1, m]]


@inlined
def sum_between(templates, tokens, weights, side, tag, first, sums):
    """Sum the weights of templates that look at every word between: OUT sums[head, modifier].

    They look at tags only. So for each different tag of heads, the lines of every tag between with
    every tag of modifiers are looked up once, and summed along the sentence; what is between two
    tokens is the difference of two such sums.
    """
    bounds, size, tags = templates.bounds, side.shape[1], len(first)
    if bounds[INSIDE] == bounds[INSIDE + 1]:
        return
    lines = np.empty(tags * tags * LINE, weights.row_sums.dtype)
    passed = np.zeros((size + 1) * tags * LINE, sums.dtype)
    places = np.empty(tags * tags, np.uint64)
    for x in range(tags):
        lines[:] = 0
        for t in range(bounds[INSIDE], bounds[INSIDE + 1]):
            for y in range(tags):
                value = tokens.atoms[templates.between[t], first[y]] * BETWEEN
                head = side[templates.head[t], first[x]] ^ templates.seed[t] ^ value
                for z in range(tags):
                    key = (head ^ side[templates.modifier[t], first[z]]) * MULTIPLIER
                    places[y * tags + z] = (key >> weights.wide_shift) * SIXTEEN
                    prefetch(weights.wide, places[y * tags + z])
            for k in range(tags * tags):
                add_line(lines, k * LINE, weights.wide, places[k])
        sum_passed(tag, lines, passed)
        for h in range(size):
            if tag[h] == x:
                take_between(h, tag, passed, sums[h * size : (h + 1) * size])


@helper
def sum_passed(tag, lines, passed):
    """For each token and tag of modifiers the lines of all words before: OUT passed."""
    width = len(passed) // (len(tag) + 1)
    for i in range(1, len(tag)):
        before, after = passed[i * width : (i + 1) * width], passed[(i + 1) * width :]
        own = lines[tag[i] * width : (tag[i] + 1) * width]
        for k in range(width):
            after[k] = before[k] + own[k]


@helper
def take_between(h, tag, passed, sums):
    """What is between a head and each of its modifiers: OUT sums[modifier]."""
    width = len(passed) // (len(tag) + 1)
    for m in range(1, len(tag)):
        low, high, lane = min(h, m) + 1, max(h, m), lane_of(h, m)
        if low < high:
            a, b = low * width + tag[m] * LINE, high * width + tag[m] * LINE
            direction = np.int64(m > h)
            sums[m] = passed[b + direction] - passed[a + direction]
            sums[m] += passed[b + lane] - passed[a + lane]


@inlined
def add_guided(templates, tokens, weights, side, h, row):
    """Add the weights of templates that look at arcs of another parser's tree."""
    bounds, wide = templates.bounds, weights.wide
    for t in range(bounds[GUIDED], bounds[GUIDED + 1]):
        x = side[templates.head[t], h] ^ templates.seed[t]
        for m in range(1, side.shape[1]):
            if tokens.guide[m] == h:
                line = LINE * line_at(x ^ side[templates.modifier[t], m], weights.wide_shift)
                row[m] += wide[line + np.int64(m > h)]
                row[m] += wide[line + lane_of(h, m)]
