# mypy: allow-untyped-defs
"""Scores of some arcs of a sentence, one by one: cheaper than all where most have been pruned."""

import numpy as np

from headwise.kernels.arc_features import (
    BETWEEN,
    COUNTED,
    MULTIPLIER,
    count_before,
    counts_key,
    filter_bit,
    hash_sides,
    lane_of,
)
from headwise.kernels.arc_scores import (
    COUNTING,
    GUIDED,
    INSIDE,
    NARROW,
    NARROW_PAIR,
    SIXTEEN,
    TWO,
)
from headwise.kernels.jit import inlined, kernel


@kernel
def score_living(templates, tokens, weights, heads, modifiers):
    """The scores of the arcs from heads to modifiers, in their order."""
    size, arcs = tokens.atoms.shape[1], len(heads)
    bounds, group = templates.bounds, templates.group
    side = np.empty((len(templates.sides.salt), size), np.uint64)
    hash_sides(templates.sides, tokens.atoms, side)
    sums = np.zeros(arcs, weights.arc_sums.dtype)
    lanes = np.empty((2, arcs), np.uint64)
    keys = np.empty(arcs, np.uint64)
    seen = np.empty((len(templates.filters), arcs), np.bool_)
    look_at_arcs(templates, tokens, weights, heads, modifiers, lanes, keys, seen)
    for t in range(len(templates.seed)):
        own, other, seed = templates.head[t], templates.modifier[t], templates.seed[t]
        of_head, of_modifier = templates.head_backs_off[t], templates.modifier_backs_off[t]
        narrow = bounds[NARROW] <= t < bounds[NARROW_PAIR + 1]
        counting = bounds[COUNTING] <= t < bounds[COUNTING + 1]
        inside = bounds[INSIDE] <= t < bounds[INSIDE + 1]
        for a in range(np.uint64(arcs)):
            h, m = np.uint64(heads[a]), np.uint64(modifiers[a])
            if group[t] >= 0 and not seen[group[t], a]:
                continue
            if of_head or of_modifier:
                backed = (of_head and tokens.backed_off[h]) or (
                    of_modifier and tokens.backed_off[m]
                )
                if not backed:
                    continue
            if t >= bounds[GUIDED] and tokens.guide[m] != heads[a]:
                continue
            x = side[own, h] ^ side[other, m] ^ seed
            if narrow:
                line = ((x * MULTIPLIER) >> weights.narrow_shift) * TWO
                sums[a] += weights.narrow[line + lanes[0, a]]
                continue
            if inside:
                for b in range(min(h, m) + np.uint64(1), max(h, m)):
                    key = x ^ (tokens.atoms[templates.between[t], b] * BETWEEN)
                    line = ((key * MULTIPLIER) >> weights.wide_shift) * SIXTEEN
                    sums[a] += weights.wide[line + lanes[0, a]] + weights.wide[line + lanes[1, a]]
                continue
            if counting:
                x ^= keys[a]
            line = ((x * MULTIPLIER) >> weights.wide_shift) * SIXTEEN
            sums[a] += weights.wide[line + lanes[0, a]] + weights.wide[line + lanes[1, a]]
    return sums * weights.scale


@inlined
def look_at_arcs(templates, tokens, weights, heads, modifiers, lanes, keys, seen):
    """What every arc is like: OUT lanes in a line, key of what it counts, filters that know it."""
    before = np.empty((COUNTED, tokens.atoms.shape[1]), np.int64)
    count_before(tokens.counted, before)
    for a in range(len(heads)):
        h, m = heads[a], modifiers[a]
        lanes[0, a], lanes[1, a] = np.int64(m > h), lane_of(h, m)
        keys[a] = counts_key(before, min(h, m), max(h, m))
        for group in range(len(templates.filters)):
            bit = filter_bit(tokens.atoms, templates.filters[group], h, m, weights.filter_shift)
            byte = weights.filters[group, bit >> np.uint64(3)]
            seen[group, a] = (byte >> np.uint8(bit & np.uint64(7))) & np.uint8(1)
