# mypy: allow-untyped-defs
"""Features of higher parts as entries of sparse rows: what learners move weights by."""

import numpy as np

from headwise.kernels.arcs.features import MULTIPLIER
from headwise.kernels.parts.scores import (
    FOUR,
    GRAND,
    GRAND_SIBLING,
    GRAND_TRI_SIBLING,
    GRANDCHILD,
    SIBLING,
    STOP,
    TRI_SIBLING,
    G,
    H,
    M,
    R,
    S,
    lane_of_part,
)
from headwise.kernels.runtime.jit import helper, kernel


@kernel
def part_entries(templates, kinds, seen, start, shift, row, kind, tokens, coefficient):
    """Row, slot and value of every feature of some parts, given by type and five tokens.

    `start` is the slot of the first weight. Types that are not in `kinds` are left out. For STOP
    the tokens are (side, head, –, –, last modifier).
    """
    most = 0
    for i in range(len(row)):
        most += templates.start[kind[i] + 1] - templates.start[kind[i]]
    rows, slot, value = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
    none, count = seen.shape[1] - 1, 0
    for i in range(len(row)):
        if not kinds[kind[i]]:
            continue
        g, h, r, s, m = tokens[i]
        lane = lane_of_part(g if GRAND[kind[i]] else h, h, m)
        if kind[i] == STOP:
            lane = np.uint64(g)
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
            rows[count], slot[count], value[count] = row[i], start + np.int64(line), coefficient[i]
            count += 1
    return rows[:count], slot[:count], value[:count]


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
