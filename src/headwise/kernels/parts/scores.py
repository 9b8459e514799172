# mypy: allow-untyped-defs
"""Scores of higher parts: the sums of the weights of their features.

A template looks at some of the tokens of a part, each through a *side* (a list of atoms at
offsets), hashed once per token:

    line = ((side of g ^ side of h ^ … ^ seed of template) · K) >> shift

A line holds four weights: for the modifier left or right of its head, and for the head left or
right of its own. What a part lacks ("none") is a token of its own, number n + 1. Templates that do
not look at a token of the part do so through side 0, which sees nothing.

The lines of many parts are computed, and asked for, before the first of them is used.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import (
    AFTER_ALL,
    BEFORE_ALL,
    MULTIPLIER,
    Sides,
)
from headwise.kernels.primitives.vectors import prefetch
from headwise.kernels.runtime.jit import helper, kernel, maker

LANES = 4
"""How many weights a line holds."""

FOUR = np.uint64(LANES)

G, H, R, S, M = range(5)
"""The tokens of a part: grandparent, head, inner sibling, sibling, modifier."""

SIBLING, GRANDCHILD, GRAND_SIBLING, TRI_SIBLING, GRAND_TRI_SIBLING, STOP = range(6)
GRAND = np.array([0, 1, 1, 0, 1, 0])
SIBLINGS = np.array([1, 0, 1, 2, 2, 0])
"""What parts of each type know. (Arrays, or everything would be compiled once for each type.)"""

AHEAD = 512
"""About how many lines are prefetched ahead."""


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


@maker
def keys_of_tokens(templates, kind, seen):
    """What the templates of a type see of every token in every role: [role, token, template]."""
    first, tokens = templates.start[kind], seen.shape[1]
    width = templates.start[kind + 1] - first
    keys = np.empty(5 * tokens * width, np.uint64)
    at = 0
    for role in range(5):
        for i in range(tokens):
            for t in range(first, first + width):
                keys[at] = seen[templates.side[role, t], i]
                at += 1
    return keys


@helper
def combine_keys(out, one, other, at, width):
    """One list of keys with another, which starts somewhere in `other`: OUT out."""
    x = np.uint64(at)
    for t in range(np.uint64(width)):
        out[t] = one[t] ^ other[x + t]


@helper
def ask_for_lines(table, shift, lane, one, keys, s, r, lines, filled, width):
    """The slots of a part's weights, in the order of templates: OUT lines, from `filled` on."""
    x, y, z = np.uint64(s), np.uint64(r), np.uint64(filled)
    for t in range(np.uint64(width)):
        key = one[t] ^ keys[x + t] ^ keys[y + t]
        line = ((key * MULTIPLIER) >> shift) * FOUR + lane
        lines[z + t] = line
        prefetch(table, line)


@helper
def sum_lines(table, zero, scale, lines, width, scores, first, last):
    """The scores of some parts, whose lines stand one after the other: OUT scores."""
    k = np.uint64(0)
    for at in range(first, last):
        total = zero
        for _ in range(width):
            total += table[lines[k]]
            k += np.uint64(1)
        scores[at] = total * scale


@maker
def score_kind(kind, width, seed, keys, rows, weights, scores):
    """The scores of all parts of a type but STOP, in the order of the rows: OUT scores."""
    arc_head, arc_modifier, row_start = rows.arc_head, rows.arc_modifier, rows.row_start
    context_start, grands = rows.context_start, rows.context_grand
    gap_first, gap_stored = rows.gap_first, rows.gap_stored
    table, shift, sums, scale = weights
    siblings, zero = SIBLINGS[kind], sums.dtype.type(0)
    tokens = len(keys) // (5 * width)
    none = tokens - 1
    lines = np.empty(AHEAD + width, np.uint64)
    of_arc, of_context = np.empty(width, np.uint64), np.empty(width, np.uint64)
    at = done = filled = 0
    for arc in range(len(arc_head)):
        h, m = arc_head[arc], arc_modifier[arc]
        row = row_start[2 * h + (m > h)]
        combine_keys(of_arc, seed, keys, (H * tokens + h) * width, width)
        combine_keys(of_arc, of_arc, keys, (M * tokens + m) * width, width)
        contexts = context_start[h + 1] - context_start[h] if GRAND[kind] else 1
        for c in range(contexts):
            g, of_g = h, none
            if GRAND[kind]:
                if 0 <= c - gap_first[arc] < gap_stored[arc]:
                    continue
                g = grands[context_start[h] + c]
                of_g = none if h == 0 else g
            lane = lane_of_part(g, h, m)
            combine_keys(of_context, of_arc, keys, (G * tokens + of_g) * width, width)
            for inner in range(row - 1, arc if siblings > 0 else row):
                s = none if inner < row else arc_modifier[inner]
                of_s = (S * tokens + s) * width
                for innermost in range(row - 1, inner if siblings > 1 and inner >= row else row):
                    r = none if innermost < row else arc_modifier[innermost]
                    of_r = (R * tokens + r) * width
                    ask_for_lines(
                        table, shift, lane, of_context, keys, of_s, of_r, lines, filled, width
                    )
                    at, filled = at + 1, filled + width
                    if filled >= AHEAD:
                        sum_lines(table, zero, scale, lines, width, scores, done, at)
                        done, filled = at, 0
    sum_lines(table, zero, scale, lines, width, scores, done, at)


@maker
def score_stops(width, seed, keys, arc_modifier, row_start, weights, scores):
    """The scores of all STOP parts, by head, side and last modifier or "none": OUT scores."""
    table, shift, sums, scale = weights
    zero = sums.dtype.type(0)
    tokens = len(keys) // (5 * width)
    none = tokens - 1
    of_head, lines = np.empty(width, np.uint64), np.empty(AHEAD + width, np.uint64)
    of_none = (S * tokens + none) * width
    at = done = filled = 0
    for row in range(len(row_start) - 1):
        combine_keys(of_head, seed, keys, (H * tokens + row // 2) * width, width)
        lane = np.uint64(row % 2)
        for arc in range(row_start[row] - 1, row_start[row + 1]):
            m = none if arc < row_start[row] else arc_modifier[arc]
            last = (M * tokens + m) * width
            ask_for_lines(table, shift, lane, of_head, keys, last, of_none, lines, filled, width)
            at, filled = at + 1, filled + width
            if filled >= AHEAD:
                sum_lines(table, zero, scale, lines, width, scores, done, at)
                done, filled = at, 0
    sum_lines(table, zero, scale, lines, width, scores, done, at)


@kernel
def score_parts(templates, weights, atoms, rows):
    """The scores of all higher parts, type by type, and where each type starts."""
    seen = part_sides(templates.sides, atoms)
    counts = (
        rows.sibling_start[-1],
        rows.grand_start[-1],
        rows.grand_sibling_start[-1],
        rows.tri_start[-1],
        rows.grand_tri_start[-1],
        len(rows.arc_head) + 2 * (rows.n + 1),
    )
    start = np.zeros(len(counts) + 1, np.int64)
    for kind in range(len(counts)):
        is_scored = templates.start[kind] < templates.start[kind + 1]
        start[kind + 1] = start[kind] + (counts[kind] if is_scored else 0)
    scores = np.empty(start[-1])
    for kind in range(len(counts)):
        width = templates.start[kind + 1] - templates.start[kind]
        if width == 0:
            continue
        keys = keys_of_tokens(templates, kind, seen)
        seed = templates.seed[templates.start[kind] :]
        own = scores[start[kind] : start[kind + 1]]
        if kind == STOP:
            score_stops(width, seed, keys, rows.arc_modifier, rows.row_start, weights, own)
        else:
            score_kind(kind, width, seed, keys, rows, weights, own)
    return scores, start
