# mypy: allow-untyped-defs
"""Scores of higher parts: the sums of the weights of their features.

A template looks at some of the tokens of a part, each through a *side* (a list of atoms at
offsets), hashed once per token:

    line = ((side of g ^ side of h ^ … ^ seed of template) · K) >> shift

A line holds four weights: for the modifier left or right of its head, and for the head left or
right of its own. What a part lacks ("none") is a token of its own, number n + 1. Templates that do
not look at a token of the part do so through side 0, which sees nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arc_features import (
    AFTER_ALL,
    BEFORE_ALL,
    MULTIPLIER,
    Sides,
)
from headwise.kernels.jit import helper, inlined, kernel

LANES = 4
"""How many weights a line holds."""

FOUR = np.uint64(LANES)

G, H, R, S, M = range(5)
"""The tokens of a part: grandparent, head, inner sibling, sibling, modifier."""

SIBLING, GRANDCHILD, GRAND_SIBLING, TRI_SIBLING, GRAND_TRI_SIBLING, STOP = range(6)


class PartTemplates(NamedTuple):
    """The templates of higher parts, sorted by part type."""

    sides: Sides
    start: NDArray[np.int64]  # [part type + 1]
    side: NDArray[np.int64]  # [token of the part, template]
    seed: NDArray[np.uint64]


class PartWeights(NamedTuple):
    """The weights of higher parts."""

    table: NDArray[np.generic]
    shift: np.uint64
    sums: NDArray[np.generic]  # empty: its type is that of sums
    scale: float


@kernel
def part_sides(sides, atoms):
    """What every side sees of every token, and of "none": [side, token]."""
    size = atoms.shape[1]
    out = np.zeros((len(sides.salt), size + 1), np.uint64)
    for side in range(1, len(sides.salt)):
        for i in range(size + 1):
            x = sides.salt[side]
            for k in range(sides.start[side], sides.start[side + 1]):
                j = i + sides.offset[k]
                if i == size or j < 0:
                    value = BEFORE_ALL
                elif j >= size:
                    value = AFTER_ALL
                else:
                    value = atoms[sides.atom[k], j]
                x = (x ^ value) * MULTIPLIER
                x ^= x >> np.uint64(32)
            out[side, i] = x * MULTIPLIER if i == size else x
    return out


@helper
def lane_of_part(g, h, m):
    """Which weight of a line: the modifier's side, and the head's (left if it has no head)."""
    return np.uint64(m > h) + np.uint64(2) * np.uint64(h > g)


@inlined
def add_keys(templates, kind, seen, token, i, before, after):
    """The keys of templates with one token more: OUT after."""
    first = templates.start[kind]
    for t in range(first, templates.start[kind + 1]):
        after[t - first] = before[t - first] ^ seen[templates.side[token, t], i]


@helper
def sum_keys(table, shift, zero, keys, count, lane):
    """The sum of the weights of some lines."""
    total = zero
    for t in range(count):
        total += table[((keys[t] * MULTIPLIER) >> shift) * FOUR + lane]
    return total


@kernel
def score_parts(templates, kind, grand, siblings, seen, rows, weights, count):
    """The scores of all parts of a type, in the order of the rows."""
    scores = np.empty(count)
    first = templates.start[kind]
    width = templates.start[kind + 1] - first
    keys = np.empty((5, width), np.uint64)
    none, zero = seen.shape[1] - 1, weights.sums.dtype.type(0)
    table, shift, scale = weights.table, weights.shift, weights.scale
    at = 0
    for arc in range(len(rows.arc_head)):
        h, m = rows.arc_head[arc], rows.arc_modifier[arc]
        row = rows.row_start[2 * h + (m > h)]
        add_keys(templates, kind, seen, H, h, templates.seed[first:], keys[0])
        add_keys(templates, kind, seen, M, m, keys[0], keys[1])
        contexts = rows.context_start[h + 1] - rows.context_start[h] if grand else 1
        for c in range(contexts):
            g = h
            keys[2] = keys[1]
            if grand:
                if 0 <= c - rows.gap_first[arc] < rows.gap_stored[arc]:
                    continue
                g = rows.context_grand[rows.context_start[h] + c]
                add_keys(templates, kind, seen, G, none if h == 0 else g, keys[1], keys[2])
            lane = lane_of_part(g, h, m)
            for inner in range(row - 1, arc if siblings > 0 else row):
                s = none if inner < row else rows.arc_modifier[inner]
                add_keys(templates, kind, seen, S, s, keys[2], keys[3])
                for innermost in range(row - 1, inner if siblings > 1 and inner >= row else row):
                    r = none if innermost < row else rows.arc_modifier[innermost]
                    add_keys(templates, kind, seen, R, r, keys[3], keys[4])
                    scores[at] = sum_keys(table, shift, zero, keys[4], width, lane) * scale
                    at += 1
    return scores


@kernel
def score_stops(templates, seen, rows, weights):
    """The scores of all STOP parts: a head, a side, and the last modifier there or "none"."""
    scores = np.empty(len(rows.arc_head) + 2 * (rows.n + 1))
    first = templates.start[STOP]
    width = templates.start[STOP + 1] - first
    keys = np.empty((2, width), np.uint64)
    none, zero = seen.shape[1] - 1, weights.sums.dtype.type(0)
    at = 0
    for h in range(rows.n + 1):
        add_keys(templates, STOP, seen, H, h, templates.seed[first:], keys[0])
        for side in range(2):
            start, end = rows.row_start[2 * h + side], rows.row_start[2 * h + side + 1]
            for arc in range(start - 1, end):
                m = none if arc < start else rows.arc_modifier[arc]
                add_keys(templates, STOP, seen, M, m, keys[0], keys[1])
                lane = np.uint64(side)
                total = sum_keys(weights.table, weights.shift, zero, keys[1], width, lane)
                scores[at] = total * weights.scale
                at += 1
    return scores


@kernel
def part_entries(templates, kinds, seen, start, shift, row, kind, tokens, coefficient):
    """Row, place and value of every feature of some parts, given by type and five tokens.

    `start` is the place of the first weight. Types that are not in `kinds` are left out. For STOP
    the tokens are (side, head, –, –, last modifier).
    """
    most = 0
    for i in range(len(row)):
        most += templates.start[kind[i] + 1] - templates.start[kind[i]]
    rows, place, value = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
    none, count = seen.shape[1] - 1, 0
    for i in range(len(row)):
        if not kinds[kind[i]]:
            continue
        g, h, r, s, m = tokens[i]
        if kind[i] == STOP:
            lane = np.uint64(g)
        else:
            grand = kind[i] in (GRANDCHILD, GRAND_SIBLING, GRAND_TRI_SIBLING)
            lane = lane_of_part(g if grand else h, h, m)
        g = none if h == 0 else g
        r, s, m = none if r == h else r, none if s == h else s, none if m == h else m
        for t in range(templates.start[kind[i]], templates.start[kind[i] + 1]):
            side = templates.side[:, t]
            x = templates.seed[t] ^ seen[side[H], h] ^ seen[side[M], m]
            if side[G] > 0:
                x ^= seen[side[G], g]
            if side[R] > 0:
                x ^= seen[side[R], r]
            if side[S] > 0:
                x ^= seen[side[S], s]
            line = ((x * MULTIPLIER) >> shift) * FOUR + lane
            rows[count], place[count], value[count] = row[i], start + np.int64(line), coefficient[i]
            count += 1
    return rows[:count], place[:count], value[:count]


@kernel
def part_differences(gold, gold_stops, tree, tree_stops):
    """Parts of a gold tree that another lacks (+1) and the reverse (-1): type, tokens, coefficient.

    Trees are given by the tokens of their parts, one row a word, and of their STOP parts.
    """
    most = 2 * (5 * len(gold) + len(gold_stops))
    kind, tokens = np.empty(most, np.int64), np.empty((most, 5), np.int64)
    coefficient = np.empty(most)
    count = 0
    for i in range(len(gold)):
        for part in range(STOP):
            if same_part(part, gold[i], tree[i]):
                continue
            kind[count], kind[count + 1] = part, part
            tokens[count], tokens[count + 1] = gold[i], tree[i]
            coefficient[count], coefficient[count + 1] = 1.0, -1.0
            count += 2
    for i in range(len(gold_stops)):
        if gold_stops[i, 2] != tree_stops[i, 2]:
            for source, value in ((gold_stops, 1.0), (tree_stops, -1.0)):
                h, side, last = source[i]
                kind[count], coefficient[count] = STOP, value
                tokens[count, G], tokens[count, H], tokens[count, R] = side, h, h
                tokens[count, S], tokens[count, M] = h, last
                count += 1
    return kind[:count], tokens[:count], coefficient[:count]


@helper
def same_part(part, one, other):
    """Whether two parts of a type are the same."""
    same = one[H] == other[H] and one[M] == other[M]
    if part in (GRANDCHILD, GRAND_SIBLING, GRAND_TRI_SIBLING):
        same = same and one[G] == other[G]
    if part in (SIBLING, GRAND_SIBLING, TRI_SIBLING, GRAND_TRI_SIBLING):
        same = same and one[S] == other[S]
    if part in (TRI_SIBLING, GRAND_TRI_SIBLING):
        same = same and one[R] == other[R]
    return same
