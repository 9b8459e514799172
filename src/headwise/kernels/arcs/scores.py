# mypy: allow-untyped-defs
"""Scores of arcs: the sums of the weights of their features (`kinds` says how)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import (
    COUNTED,
    MULTIPLIER,
    Hashes,
    count_before,
    hash_sides,
    lanes_around,
    part_of,
)
from headwise.kernels.arcs.kinds import (
    COUNTING,
    GUIDED,
    INSIDE,
    MODIFIER_ALONE,
    NARROW,
    NARROW_PAIR,
    TAGS,
)
from headwise.kernels.arcs.pairs import (
    AT,
    HEAD,
    LANE,
    MODIFIER,
    NOWHERE,
    ONE,
    SeenSentence,
    add_both,
    allocate_keys,
    different,
    gather_keys,
    triples,
)
from headwise.kernels.arcs.plausible import WHOLE, allocate_ratings, lanes_from, rate_arcs
from headwise.kernels.arcs.tables import FOUR, LAST_LEFT, weight_at
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.primitives.vectors import LINE, add_line, prefetch
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel

INFINITY = np.inf

ARCS_AT_A_TIME = 2048
"""How many arcs are looked at together, or those of one head: memory has time to answer, and what
is asked for is still in the cache when it is used."""


class EndTemplate(NamedTuple):
    """A template that looks at tags or at one end alone, as it sees the tokens of a sentence."""

    keys: Hashes  # [token]
    mates: Hashes  # [token]: of the other end
    seed: np.uint64
    backs_off: bool  # whether it applies only to words that back off
    table: NDArray[np.generic]
    shift: np.uint64


@kernel
def score_many(all_templates, all_tokens, starts, all_weights, scores):
    """The scores of all arcs of many sentences, whose tokens stand one after the other.

    OUT scores: for each sentence [head, modifier], one after the other.
    """
    templates, tokens, weights = borrowed((all_templates, all_tokens, all_weights))
    capacity = list_capacity(longest_run(starts))
    own_arcs, own_some = np.empty((4, capacity), np.uint32), np.empty((4, capacity), np.uint32)
    bounds = templates.bounds
    own_keys = allocate_keys(longest_run(starts), bounds[NARROW_PAIR], bounds[COUNTING])
    own_ratings = allocate_ratings(longest_run(starts), WHOLE)
    arcs, some, ratings, keys = borrowed((own_arcs, own_some, own_ratings, own_keys))
    at = 0
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        size = b - a
        own = part_of(tokens, a, b)
        own_scores = scores[at : at + size * size].reshape(size, size)
        score_arcs(templates, own, weights, ratings, keys, arcs, some, own_scores)
        at += size * size
    kept((own_arcs, own_some, own_ratings, own_keys))


@helper
def list_capacity(size):
    """The most arcs of a sentence of `size` tokens that are listed together."""
    return min(size * size, max(size, ARCS_AT_A_TIME))


@inlined
def score_arcs(templates, tokens, weights, ratings, keys, arcs, some, scores):
    """The scores of all arcs of a sentence: OUT scores[head, modifier], and buffers."""
    size = tokens.atoms.shape[1]
    own_side = np.empty((len(templates.sides.salt), size), np.uint64)
    own_tag, own_first = np.empty(size, np.int64), np.empty(size, np.int64)
    side, tag, first = borrowed((own_side, own_tag, own_first))
    hash_sides(templates.sides, tokens.atoms, side)
    gather_keys(templates, side, keys)
    tags = different(tokens.tags, tag, first)
    rate_arcs(weights.plausible, tokens, ratings)
    lanes = lanes_around(size)
    own_sums = np.empty(size * size, weights.sums.dtype)
    sums = borrowed(own_sums)
    add_alone(templates, tokens, weights, side, tag, first[:tags], lanes, sums)
    heads = max(1, ARCS_AT_A_TIME // size)
    own_before = np.empty((COUNTED, size), np.int64)
    before = borrowed(own_before)
    count_before(tokens.counted, before)
    inside = templates.bounds[INSIDE + 1] - templates.bounds[INSIDE]
    own_memo = np.full((inside, triples(tags)), NOWHERE, np.uint64)
    seen = SeenSentence(side, keys, tag, first[:tags], before, borrowed(own_memo), some)
    for low in range(0, size, heads):
        high = min(size, low + heads)
        count = list_plausible(low, high, size, ratings, arcs)
        add_both(templates, tokens, weights, seen, arcs, count, sums)
    add_guided(templates, tokens, weights, side, lanes, sums)
    for h in range(size):
        for m in range(size):
            scores[h, m] = sums[h * size + m] * weights.scale
        scores[h, h] = scores[h, 0] = -INFINITY
    kept((own_side, own_tag, own_first, own_sums, own_before, own_memo))


@inlined
def add_alone(templates, tokens, weights, side, tag, first, lanes, sums):
    """Add what each end and what their tags say of every arc: OUT sums[head, modifier]."""
    size, tags = side.shape[1], len(first)
    everyone, anyone = np.arange(size), np.zeros(1, np.int64)
    kinds = weights.sums.dtype
    by_tags = np.zeros(tags * tags * LINE, kinds)
    of_head, of_modifier = np.zeros(size * LINE, kinds), np.zeros(size * LINE, kinds)
    # In a loop, so that what is called is compiled once for all kinds.
    for kind in range(NARROW):
        ones = first if kind == TAGS else everyone
        others = first if kind == TAGS else anyone
        out = by_tags if kind == TAGS else of_modifier if kind == MODIFIER_ALONE else of_head
        for asking in (True, False):  # for all lines, before the first is added
            add_kind(asking, kind, templates, tokens, weights, side, ones, others, out)
    for h in range(size):
        a = np.uint64(h * LINE)
        for m in range(size):
            lane = lanes[size + m - h]
            direction = np.uint64(lane > LAST_LEFT)
            b = np.uint64(m * LINE)
            c = np.uint64((tag[h] * tags + tag[m]) * LINE)
            total = of_head[a + lane] + of_modifier[b + lane] + by_tags[c + lane]
            total += of_head[a + direction] + of_modifier[b + direction] + by_tags[c + direction]
            sums[h * size + m] = total


@inlined
def add_kind(asking, kind, templates, tokens, weights, side, ones, others, out):
    """Ask for the lines of all templates that are scored in one way, or add them: OUT out."""
    bounds, seed, backed_off = templates.bounds, templates.seed, tokens.backed_off
    own = templates.modifier if kind == MODIFIER_ALONE else templates.head
    other = templates.head if kind == MODIFIER_ALONE else templates.modifier
    of_head, of_modifier = templates.head_backs_off, templates.modifier_backs_off
    wide, shift = weights.wide, weights.wide_shift
    for t in range(bounds[kind], bounds[kind + 1]):
        needed = of_head[t] or of_modifier[t]
        of_lines = EndTemplate(side[own[t]], side[other[t]], seed[t], needed, wide, shift)
        add_lines(asking, of_lines, backed_off, ones, others, out)
    narrow, shift = weights.narrow, weights.narrow_shift
    for t in range(bounds[kind + NARROW], bounds[kind + NARROW + 1]):
        needed = of_head[t] or of_modifier[t]
        of_twos = EndTemplate(side[own[t]], side[other[t]], seed[t], needed, narrow, shift)
        add_twos(asking, of_twos, backed_off, ones, others, out)


@helper
def add_lines(asking, template, backed_off, ones, others, sums):
    """Prefetch the wide lines of some tokens with some others, or add them: OUT sums."""
    keys, mates, seed, backing, wide, shift = template
    at = 0
    for i in range(len(ones)):
        x = keys[ones[i]] ^ seed
        for d in range(len(others)):
            line = (((x ^ mates[others[d]]) * MULTIPLIER) >> shift) << FOUR
            if asking:
                prefetch(wide, line)
            elif backed_off[ones[i]] or not backing:
                add_line(sums, at, wide, np.int64(line))
            at += LINE


@helper
def add_twos(asking, template, backed_off, ones, others, sums):
    """The same of narrow lines, whose two weights are those of directions."""
    keys, mates, seed, backing, narrow, shift = template
    at = 0
    for i in range(len(ones)):
        x = keys[ones[i]] ^ seed
        for d in range(len(others)):
            slot = (((x ^ mates[others[d]]) * MULTIPLIER) >> shift) << ONE
            if asking:
                prefetch(narrow, slot)
            elif backed_off[ones[i]] or not backing:
                sums[at] += narrow[slot]
                sums[at + 1] += narrow[slot + ONE]
            at += LINE


@helper
def list_plausible(low, high, size, ratings, arcs):
    """The plausible arcs of some heads: OUT arcs; how many there are."""
    count = np.uint64(0)
    for h in range(low, high):
        rating, lanes = (
            ratings.rating[h * size : (h + 1) * size],
            lanes_from(ratings.lanes, h, size),
        )
        first = count
        for m in range(1, size):
            arcs[MODIFIER, count] = m
            count += np.uint64(rating[m] >= ratings.least[m])
        for k in range(first, count):
            m = arcs[MODIFIER, k]
            arcs[HEAD, k], arcs[LANE, k], arcs[AT, k] = h, lanes[m], h * size + m
    return count


@helper
def add_guided(templates, tokens, weights, side, lanes, sums):
    """Add the weights of templates that look at arcs of another parser's tree: OUT sums."""
    bounds, size = templates.bounds, side.shape[1]
    for t in range(bounds[GUIDED], bounds[GUIDED + 1]):
        for m in range(1, size):
            h = tokens.guide[m]
            if h >= 0 and h != m:
                key = side[templates.head[t], h] ^ side[templates.modifier[t], m]
                line = ((key ^ templates.seed[t]) * MULTIPLIER) >> weights.wide_shift
                slot = (line << FOUR) + lanes[size + m - h]
                sums[h * size + m] += weight_at(weights.wide, slot)
