# mypy: allow-untyped-defs
"""Scores of some arcs of a sentence, one by one: cheaper than all where most have been pruned."""

import numpy as np

from headwise.kernels.arc_features import (
    COARSE,
    COUNTED,
    count_before,
    hash_sides,
    known_lanes,
    lane_of,
    part_of,
)
from headwise.kernels.arc_kinds import GUIDED, INSIDE, NARROW_PAIR
from headwise.kernels.arc_pairs import (
    AT,
    HEAD,
    LANE,
    MODIFIER,
    NOWHERE,
    ONE,
    ROWS_OF_WORK,
    SOME,
    add_both,
    add_templates,
    choose_arcs,
    different,
    triples,
)
from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.jit import inlined, kernel


@kernel
def score_living_many(all_templates, all_tokens, starts, all_weights, heads, modifiers, arc_starts):
    """The scores of some arcs of many sentences, in their order.

    Those of a sentence are from `arc_starts[sentence]` on, its tokens from `starts[sentence]` on.
    """
    templates, tokens, weights = borrowed((all_templates, all_tokens, all_weights))
    scores = np.empty(len(heads))
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        own = part_of(tokens, a, b)
        first, last = arc_starts[sentence], arc_starts[sentence + 1]
        of_arcs = scores[first:last]
        score_living(templates, own, weights, heads[first:last], modifiers[first:last], of_arcs)
    return scores


@inlined
def score_living(templates, tokens, weights, heads, modifiers, scores):
    """The scores of the arcs from heads to modifiers: OUT scores."""
    size, count = tokens.atoms.shape[1], len(heads)
    own_side = np.empty((len(templates.sides.salt), size), np.uint64)
    own_tag, own_first = np.empty(size, np.int64), np.empty(size, np.int64)
    own_lists = np.empty((8, count), np.uint32)
    own_work = np.empty((ROWS_OF_WORK, count), np.uint32)
    side, tag, first = borrowed((own_side, own_tag, own_first))
    lists, work = borrowed((own_lists, own_work))
    arcs, known = lists[:4], lists[4:]
    hash_sides(templates.sides, tokens.atoms, side)
    tags = different(tokens.tags, tag, first)
    before = np.empty((COUNTED, size), np.int64)
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
        known[HEAD, number], known[MODIFIER, number] = h, m
        known[LANE, number], known[AT, number] = lane, k
        of_tags = known_lanes(
            tokens.tags, tokens.atoms[COARSE], h, m, weights.filters, weights.filter_shift
        )
        number += (of_tags >> lane) & ONE
    for t in range(templates.bounds[NARROW_PAIR]):
        add_template(templates, tokens, weights, side, t, arcs, count, work, sums)
    add_both(
        templates, tokens, weights, side, tag, first, tags, known, number, work, before, memo, sums
    )
    proposed = np.uint64(0)
    for k in range(count):
        arcs[HEAD, proposed], arcs[MODIFIER, proposed] = heads[k], modifiers[k]
        arcs[LANE, proposed], arcs[AT, proposed] = arcs[LANE, k], k
        proposed += np.uint64(tokens.guide[modifiers[k]] == heads[k])
    for t in range(templates.bounds[GUIDED], templates.bounds[GUIDED + 1]):
        add_template(templates, tokens, weights, side, t, arcs, proposed, work, sums)
    for k in range(count):
        scores[k] = sums[k] * weights.scale
    kept((own_side, own_tag, own_first, own_lists, own_work, own_memo, own_sums))


@inlined
def add_template(templates, tokens, weights, side, t, arcs, count, work, sums):
    """Add the weights of a template to those of some arcs that it applies to: OUT sums."""
    some = work[SOME : SOME + 4]
    used = choose_arcs(templates, tokens, weights, t, arcs, count, some)
    add_templates(templates, weights, side, np.array([t]), some, used, work, sums)
