# mypy: allow-untyped-defs
"""Scores of some arcs of a sentence, one by one: cheaper than all where most have been pruned."""

import numpy as np

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
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.vectors import prefetch


@kernel
def score_living_many(templates, tokens, starts, weights, heads, modifiers, arc_starts):
    """The scores of some arcs of many sentences, in their order.

    Those of a sentence are from `arc_starts[sentence]` on, its tokens from `starts[sentence]` on.
    """
    scores = np.empty(len(heads))
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        own = Tokens(
            tokens.atoms[:, a:b],
            tokens.tags[a:b],
            tokens.backed_off[a:b],
            tokens.counted[:, a:b],
            tokens.guide[a:b],
        )
        first, last = arc_starts[sentence], arc_starts[sentence + 1]
        of_arcs = scores[first:last]
        score_living(templates, own, weights, heads[first:last], modifiers[first:last], of_arcs)
    return scores


@inlined
def score_living(templates, tokens, weights, heads, modifiers, scores):
    """The scores of the arcs from heads to modifiers: OUT scores."""
    size, arcs = tokens.atoms.shape[1], len(heads)
    side = np.empty((len(templates.sides.salt), size), np.uint64)
    hash_sides(templates.sides, tokens.atoms, side)
    sums = np.zeros(arcs, weights.arc_sums.dtype)
    lanes = np.empty((2, arcs), np.uint64)
    keys = np.empty(arcs, np.uint64)
    seen = np.empty((len(templates.filters) + 1, arcs), np.bool_)
    look_at_arcs(templates, tokens, weights, heads, modifiers, lanes, keys, seen)
    used, lines = np.empty(arcs, np.int64), np.empty(arcs, np.uint64)
    bounds = templates.bounds
    for t in range(len(templates.seed)):
        own, other, seed = templates.head[t], templates.modifier[t], templates.seed[t]
        counting = bounds[COUNTING] <= t < bounds[COUNTING + 1]
        count = arcs_used(templates, tokens, t, heads, modifiers, seen, used)
        if bounds[INSIDE] <= t < bounds[INSIDE + 1]:
            between = tokens.atoms[templates.between[t]]
            for a in range(arcs):
                x = side[own, heads[a]] ^ side[other, modifiers[a]] ^ seed
                add_inside(
                    x,
                    heads[a],
                    modifiers[a],
                    between,
                    weights.wide,
                    weights.wide_shift,
                    lanes,
                    a,
                    sums,
                )
            continue
        narrow = bounds[NARROW] <= t < bounds[NARROW_PAIR + 1]
        for k in range(count):
            a = used[k]
            x = side[own, heads[a]] ^ side[other, modifiers[a]] ^ seed
            if counting:
                x ^= keys[a]
            if narrow:
                lines[k] = ((x * MULTIPLIER) >> weights.narrow_shift) * TWO
                prefetch(weights.narrow, lines[k])
            else:
                lines[k] = ((x * MULTIPLIER) >> weights.wide_shift) * SIXTEEN
                prefetch(weights.wide, lines[k])
        for k in range(count):
            a = used[k]
            if narrow:
                sums[a] += weights.narrow[lines[k] + lanes[0, a]]
            else:
                sums[a] += (
                    weights.wide[lines[k] + lanes[0, a]] + weights.wide[lines[k] + lanes[1, a]]
                )
    for a in range(arcs):
        scores[a] = sums[a] * weights.scale


@inlined
def arcs_used(templates, tokens, t, heads, modifiers, seen, used):
    """The arcs that a template applies to: OUT used; how many there are."""
    of_head, of_modifier = templates.head_backs_off[t], templates.modifier_backs_off[t]
    guided, group, count = t >= templates.bounds[GUIDED], templates.group[t], 0
    for a in range(len(heads)):
        h, m = heads[a], modifiers[a]
        applies = group < 0 or seen[group, a]
        if of_head or of_modifier:
            backed = of_head and tokens.backed_off[h]
            applies = applies and (backed or (of_modifier and tokens.backed_off[m]))
        if guided:
            applies = applies and tokens.guide[m] == h
        used[count] = a
        count += applies
    return count


@helper
def add_inside(x, h, m, between, wide, shift, lanes, a, sums):
    """Add the weights of a template that looks at every word between to those of arc a."""
    for b in range(min(h, m) + 1, max(h, m)):
        line = (((x ^ (between[b] * BETWEEN)) * MULTIPLIER) >> shift) * SIXTEEN
        sums[a] += wide[line + lanes[0, a]] + wide[line + lanes[1, a]]


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
