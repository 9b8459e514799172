# mypy: allow-untyped-defs
"""Whole parses of orders two to four in one call: prune, score, search, sentence by sentence."""

from typing import NamedTuple

import numpy as np

from headwise.kernels import order1
from headwise.kernels.arc_features import ArcTemplates, Tokens
from headwise.kernels.arc_living import score_living
from headwise.kernels.arc_scores import score_one
from headwise.kernels.arc_tables import Weights
from headwise.kernels.higher_answers import best
from headwise.kernels.higher_chart import PartScores
from headwise.kernels.jit import kernel
from headwise.kernels.part_scores import (
    GRAND_SIBLING,
    GRAND_TRI_SIBLING,
    GRANDCHILD,
    SIBLING,
    STOP,
    TRI_SIBLING,
    PartTemplates,
    PartWeights,
    part_sides,
    score_parts,
    score_stops,
)
from headwise.kernels.rows import compress
from headwise.kernels.semiring import INFINITY


class HigherModel(NamedTuple):
    """A model above the first order, with its pruner."""

    pruner_templates: ArcTemplates
    pruner: Weights
    arc_templates: ArcTemplates
    arcs: Weights
    part_templates: PartTemplates
    parts: PartWeights
    single_root: bool
    grand: bool
    tri: bool
    ratio: float  # arcs live if their probability is at least this times that of the likeliest
    most: int  # … and among so many likeliest heads of a word


@kernel
def living_heads(probability, ratio, most):
    """Which arcs are kept: [head, modifier]."""
    size = probability.shape[0]
    living = np.zeros((size, size), np.bool_)
    for m in range(1, size):
        least = ratio * probability[:, m].max()
        if size > most:
            least = max(least, np.partition(probability[:, m], size - most)[size - most])
        for h in range(size):
            living[h, m] = h != m and probability[h, m] > 0.0 and probability[h, m] >= least
    return living


@kernel
def living_of(arc, single_root, ratio, most):
    """Which arcs live under a pruner's scores: [head, modifier].

    Those of the best tree are among them, so that there always is one; all live if there is none.
    """
    size = arc.shape[0]
    spans = np.zeros_like(arc)
    tree, _ = order1.best(arc, spans, single_root)
    if len(tree) == 0:
        return np.ones((size, size), np.bool_)
    _, probability = order1.marginals(arc, spans, single_root)
    living = living_heads(probability, ratio, most)
    for m in range(1, size):
        living[tree[m], m] = True
    return living


@kernel
def scores_over(model, tokens, rows):
    """The scores of all parts over compressed rows."""
    seen = part_sides(model.part_templates.sides, tokens.atoms)
    templates, weights, start = model.part_templates, model.parts, model.part_templates.start
    nothing = np.empty(0)
    sibling = grandchild = grand_sibling = tri_sibling = grand_tri = stop = nothing
    if start[SIBLING] < start[SIBLING + 1]:
        count = rows.sibling_start[-1]
        sibling = score_parts(templates, SIBLING, False, 1, seen, rows, weights, count)
    if start[GRANDCHILD] < start[GRANDCHILD + 1]:
        count = rows.grand_start[-1]
        grandchild = score_parts(templates, GRANDCHILD, True, 0, seen, rows, weights, count)
    if start[GRAND_SIBLING] < start[GRAND_SIBLING + 1]:
        count = rows.grand_sibling_start[-1]
        grand_sibling = score_parts(templates, GRAND_SIBLING, True, 1, seen, rows, weights, count)
    if start[TRI_SIBLING] < start[TRI_SIBLING + 1]:
        count = rows.tri_start[-1]
        tri_sibling = score_parts(templates, TRI_SIBLING, False, 2, seen, rows, weights, count)
    if start[GRAND_TRI_SIBLING] < start[GRAND_TRI_SIBLING + 1]:
        count = rows.grand_tri_start[-1]
        grand_tri = score_parts(templates, GRAND_TRI_SIBLING, True, 2, seen, rows, weights, count)
    if start[STOP] < start[STOP + 1]:
        stop = score_stops(templates, seen, rows, weights)
    heads, modifiers = rows.arc_head, rows.arc_modifier
    alive = score_living(model.arc_templates, tokens, model.arcs, heads, modifiers)
    arc = np.full((rows.n + 1, rows.n + 1), -INFINITY)
    for a in range(len(alive)):
        arc[heads[a], modifiers[a]] = alive[a]
    spans = np.zeros((rows.n + 1, rows.n + 1))
    return PartScores(arc, spans, sibling, grandchild, grand_sibling, tri_sibling, grand_tri, stop)


@kernel
def parse_many(model, tokens, starts):
    """The best trees of many sentences, whose tokens stand one after the other."""
    heads = np.empty(starts[-1] - starts[0], np.int64)
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        own = Tokens(
            tokens.atoms[:, a:b],
            tokens.tags[a:b],
            tokens.backed_off[a:b],
            tokens.counted[:, a:b],
            tokens.guide[a:b],
        )
        arc = score_one(model.pruner_templates, own, model.pruner)
        living = living_of(arc, model.single_root, model.ratio, model.most)
        rows = compress(living, model.grand, False)
        tree, _ = best(rows, scores_over(model, own, rows), model.single_root, model.tri)
        heads[a - starts[0] : b - starts[0]] = tree
    return heads
