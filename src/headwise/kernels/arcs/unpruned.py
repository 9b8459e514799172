# mypy: allow-untyped-defs
"""Scores of some arcs of a sentence, one by one: cheaper than all where most have been pruned."""

import numpy as np

from headwise.kernels.arcs.features import (
    COUNTED,
    count_before,
    hash_sides,
    lane_of,
    part_of,
)
from headwise.kernels.arcs.kinds import GUIDED, INSIDE, NARROW_PAIR
from headwise.kernels.arcs.pairs import (
    AT,
    HEAD,
    LANE,
    MODIFIER,
    NOWHERE,
    SeenSentence,
    add_both,
    add_templates,
    allocate_keys,
    different,
    gather_keys,
    triples,
)
from headwise.kernels.arcs.plausible import WHOLE, allocate_ratings, is_plausible, rate_arcs
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import inlined, kernel


@kernel
def score_unpruned_many(
    all_templates, all_tokens, starts, all_weights, heads, modifiers, arc_starts
):
    """The scores of some arcs of many sentences, in their order.

    Those of a sentence are from `arc_starts[sentence]` on, its tokens from `starts[sentence]` on.
    """
    templates, tokens, weights = borrowed((all_templates, all_tokens, all_weights))
    scores = np.empty(len(heads))
    own_ratings = allocate_ratings(longest_run(starts), WHOLE)
    ratings = borrowed(own_ratings)
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        own = part_of(tokens, a, b)
        first, last = arc_starts[sentence], arc_starts[sentence + 1]
        of_arcs = scores[first:last]
        own_heads, own_modifiers = heads[first:last], modifiers[first:last]
        score_unpruned(templates, own, weights, ratings, own_heads, own_modifiers, of_arcs)
    kept(own_ratings)
    return scores


@inlined
def score_unpruned(templates, tokens, weights, ratings, heads, modifiers, scores):
    """The scores of the arcs from heads to modifiers: OUT scores."""
    size, count = tokens.atoms.shape[1], len(heads)
    own_side = np.empty((len(templates.sides.salt), size), np.uint64)
    own_tag, own_first = np.empty(size, np.int64), np.empty(size, np.int64)
    own_lists = np.empty((8, count), np.uint32)
    own_some = np.empty((4, count), np.uint32)
    own_keys = allocate_keys(size, 0, len(templates.seed))
    side, tag, first = borrowed((own_side, own_tag, own_first))
    lists, some, keys = borrowed((own_lists, own_some, own_keys))
    arcs, plausible = lists[:4], lists[4:]
    hash_sides(templates.sides, tokens.atoms, side)
    gather_keys(templates, side, keys)
    rate_arcs(weights.plausible, tokens, ratings)
    tags = different(tokens.tags, tag, first)
    own_before = np.empty((COUNTED, size), np.int64)
    before = borrowed(own_before)
    count_before(tokens.counted, before)
    inside = templates.bounds[INSIDE + 1] - templates.bounds[INSIDE]
    own_memo = np.full((inside, triples(tags)), NOWHERE, np.uint64)
    own_sums = np.zeros(count, weights.sums.dtype)
    memo, sums = borrowed((own_memo, own_sums))
    number = np.uint64(0)
    for k in range(count):
        h, m = heads[k], modifiers[k]
        lane = np.uint64(lane_of(h, m))
        arcs[HEAD, k], arcs[MODIFIER, k], arcs[LANE, k], arcs[AT, k] = h, m, lane, k
        plausible[HEAD, number], plausible[MODIFIER, number] = h, m
        plausible[LANE, number], plausible[AT, number] = lane, k
        number += np.uint64(is_plausible(ratings, size, h, m))
    a, b = 0, templates.bounds[NARROW_PAIR]
    add_templates(templates, tokens, weights, keys, a, b, arcs, count, some, sums)
    seen = SeenSentence(side, keys, tag, first[:tags], before, memo, some)
    add_both(templates, tokens, weights, seen, plausible, number, sums)
    proposed = np.uint64(0)
    for k in range(count):
        arcs[HEAD, proposed], arcs[MODIFIER, proposed] = heads[k], modifiers[k]
        arcs[LANE, proposed], arcs[AT, proposed] = arcs[LANE, k], k
        proposed += np.uint64(tokens.guide[modifiers[k]] == heads[k])
    a, b = templates.bounds[GUIDED], templates.bounds[GUIDED + 1]
    add_templates(templates, tokens, weights, keys, a, b, arcs, proposed, some, sums)
    for k in range(count):
        scores[k] = sums[k] * weights.scale
    kept((own_side, own_tag, own_first, own_lists, own_some, own_keys))
    kept((own_before, own_memo, own_sums))
