# mypy: allow-untyped-defs
"""Features of arcs, summed with coefficients into rows: what learners change weights by.

Each entry of a list says that an arc, from head to modifier, has a coefficient in a row. It becomes
one entry for each feature of the arc, a slot in the tables of weights:

    wide table    16 · line + lane                 both of the direction and of the distance
    narrow table  16 << wide bits, + 2 · line + direction

A plain template has one weight for both directions, kept twice; its slot is marked by `MIRRORED`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import (
    BETWEEN,
    COUNTED,
    count_before,
    counts_key,
    filter_bit,
    hash_sides,
    is_used,
    lane_of,
    line_at,
)
from headwise.kernels.arcs.kinds import (
    COUNTING,
    GUIDED,
    INSIDE,
    NARROW,
    NARROW_PAIR,
    looks_at_both,
)
from headwise.kernels.arcs.plausible import WHOLE, allocate_ratings, is_plausible, rate_arcs
from headwise.kernels.primitives.vectors import LINE
from headwise.kernels.runtime.jit import helper, inlined, kernel

MIRRORED = np.int64(1) << np.int64(62)
"""Set in a slot whose weight is kept once more in the slot after it."""

NOTABLE = 0.1
"""Pairs of words count as seen together from arcs of this coefficient on, of whatever sign."""


class ArcList(NamedTuple):
    """Arcs that count in rows, in the order of rows."""

    row: NDArray[np.int64]
    head: NDArray[np.int64]
    modifier: NDArray[np.int64]
    coefficient: NDArray[np.float64]


class ArcView(NamedTuple):
    """An arc, and what templates see of its sentence."""

    head: int
    modifier: int
    plausible: bool
    side: NDArray[np.uint64]  # [side, token]
    before: NDArray[np.int64]  # [kind of counted word, token]
    seen: NDArray[np.bool_]  # [filter]: whether it knows the two words together; the last is True


@kernel
def arc_entries(templates, tokens, weights, arcs):
    """Row, slot and value of every feature of some arcs.

    Pairs of words are noted in the filters of `weights`; features of pairs that are not there count
    for nothing, as they do when arcs are scored.
    """
    size = tokens.atoms.shape[1]
    side = np.empty((len(templates.sides.salt), size), np.uint64)
    hash_sides(templates.sides, tokens.atoms, side)
    before = np.empty((COUNTED, size), np.int64)
    count_before(tokens.counted, before)
    ratings = allocate_ratings(size, WHOLE)
    rate_arcs(weights.plausible, tokens, ratings)
    most = most_entries(templates.bounds, arcs.head, arcs.modifier)
    row, slot, value = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
    seen = np.empty(len(templates.filters) + 1, np.bool_)
    seen[-1] = True  # templates without a filter have group -1
    count = 0
    for i in range(len(arcs.row)):
        h, m = arcs.head[i], arcs.modifier[i]
        notable = abs(arcs.coefficient[i]) >= NOTABLE
        look_up_pair(templates.filters, tokens.atoms, weights, h, m, notable, seen)
        plausible = is_plausible(ratings, size, h, m)
        view = ArcView(h, m, plausible, side, before, seen)
        end = list_slots(templates, tokens, weights, view, slot, count)
        row[count:end] = arcs.row[i]
        value[count:end] = arcs.coefficient[i]
        count = end
    return row[:count], slot[:count], value[:count]


@helper
def most_entries(bounds, heads, modifiers):
    """The most features that these arcs can have together."""
    between = bounds[INSIDE + 1] - bounds[INSIDE]
    alone = bounds[-1] - between
    count = 0
    for i in range(len(heads)):
        count += 2 * (alone + between * abs(heads[i] - modifiers[i]))
    return count


@inlined
def look_up_pair(filters, atoms, weights, h, m, note, seen):
    """For every filter whether it knows the two words together: OUT seen; noted there if asked."""
    for group in range(len(filters)):
        words = atoms[filters[group]]
        bit = filter_bit(words[h], words[m], weights.filter_shift)
        byte, mask = bit >> np.uint64(3), np.uint8(1) << np.uint8(bit & np.uint64(7))
        if note:
            weights.filters[group, byte] |= mask
        seen[group] = (weights.filters[group, byte] & mask) != 0


@inlined
def list_slots(templates, tokens, weights, view, slots, count):
    """The slots of all features of an arc: OUT slots from `count` on; the new count."""
    h, m, plausible, side, before, seen = view
    low, high = min(h, m), max(h, m)
    wide_shift, narrow_shift = weights.wide_shift, weights.narrow_shift
    narrow_start = np.int64(LINE) << np.int64(np.uint64(64) - wide_shift)
    bounds = templates.bounds
    for t in range(len(templates.seed)):
        if not plausible and looks_at_both(bounds, t):
            continue
        if not is_used(templates, tokens, t, h, m) or not seen[templates.group[t]]:
            continue
        if t >= bounds[GUIDED] and tokens.guide[m] != h:
            continue
        plain = templates.plain[t]
        x = side[templates.head[t], h] ^ side[templates.modifier[t], m] ^ templates.seed[t]
        if templates.between[t] >= 0:
            for b in range(low + 1, high):
                value = tokens.atoms[templates.between[t], b] * BETWEEN
                count = add_wide(slots, count, line_at(x ^ value, wide_shift), plain, h, m)
        elif bounds[NARROW] <= t < bounds[NARROW_PAIR + 1]:
            slots[count] = narrow_start + 2 * line_at(x, narrow_shift) + np.int64(m > h)
            count += 1
        else:
            if bounds[COUNTING] <= t < bounds[COUNTING + 1]:
                x ^= counts_key(before, low, high)
            count = add_wide(slots, count, line_at(x, wide_shift), plain, h, m)
    return count


@helper
def add_wide(slots, count, line, plain, h, m):
    """Put the two slots of a wide line on a list."""
    start = LINE * line
    slots[count] = start | MIRRORED if plain else start + np.int64(m > h)
    slots[count + 1] = start + lane_of(h, m)
    return count + 2


@kernel
def tree_differences(gold, trees):
    """The arcs of the gold tree less those of each of some trees, one row a tree."""
    size = len(gold)
    most = 2 * trees.shape[0] * size
    row, head, modifier = (
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
    )
    coefficient = np.empty(most)
    count = 0
    for tree in range(trees.shape[0]):
        for m in range(1, size):
            if trees[tree, m] != gold[m]:
                head[count], coefficient[count] = gold[m], 1.0
                head[count + 1], coefficient[count + 1] = trees[tree, m], -1.0
                row[count : count + 2] = tree
                modifier[count : count + 2] = m
                count += 2
    return ArcList(row[:count], head[:count], modifier[:count], coefficient[:count])


@kernel
def expected_difference(gold, probability, least):
    """The arcs of the gold tree less the expected ones, in one row, leaving out tiny ones."""
    size = len(gold)
    most = size * size
    head, modifier = np.empty(most, np.int64), np.empty(most, np.int64)
    coefficient = np.empty(most)
    count = 0
    for h in range(size):
        for m in range(1, size):
            value = np.float64(gold[m] == h) - probability[h, m]
            if h != m and abs(value) >= least:
                head[count], modifier[count], coefficient[count] = h, m, value
                count += 1
    return ArcList(np.zeros(count, np.int64), head[:count], modifier[:count], coefficient[:count])


@kernel
def rival_heads(gold, heads, modifiers):
    """The gold arc of a modifier less another arc of it, one row for each of these."""
    most = 2 * len(heads)
    row, head, modifier = (
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
    )
    coefficient = np.empty(most)
    for i in range(len(heads)):
        row[2 * i : 2 * i + 2] = i
        modifier[2 * i : 2 * i + 2] = modifiers[i]
        head[2 * i], coefficient[2 * i] = gold[modifiers[i]], 1.0
        head[2 * i + 1], coefficient[2 * i + 1] = heads[i], -1.0
    return ArcList(row, head, modifier, coefficient)
