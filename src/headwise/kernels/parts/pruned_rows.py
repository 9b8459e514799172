# mypy: allow-untyped-defs
"""Unpruned arcs and the parts over them, in compressed rows.

A *row* is the list of unpruned modifiers of a head on one side, from the inside out. A *context* is
what a head's modifiers are scored in: in plain factorisations the head alone, in grand ones the
head together with its own head. In a projective tree, the modifiers of context (g, h) on the side
of g stand before g: seen from a modifier m of h, the contexts whose g is between h and m are a gap
in the list of all contexts of h.

    arcs       by head, side (left first), from the inside out; the modifiers of row 2h + side are
               arc_modifier[row_start[2h + side] : row_start[2h + side + 1]]
    contexts   by head, then grandparent; the root's only context is (0, 0), that of any other head
               of a plain factorisation (h, h)
    parts      by arc, then context (grand parts only; those in the gap are left out), then sibling
               ("none" first, then from the inside out), then inner sibling (in the same way)

The sibling of the j-th arc of a row (0, 1, …) is one of "none", 0 … j - 1: j + 1 siblings. If the
sibling is i, the inner sibling is one of "none", 0 … i - 1: 1 + j (j + 1) / 2 pairs of siblings.

Charts keep the halves of words by arc, so that those of a head's modifiers are neighbours, the
root's last; for each context and side, they keep an open item for "none" and for every modifier
that the context can have, and a pair item for every such modifier and its sibling.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, kernel, maker

Integers = NDArray[np.int64]


class PartRows(NamedTuple):
    """The compressed rows of a sentence (see above)."""

    n: int
    grand: bool
    arc_id: Integers  # [head, modifier]; -1 where the arc is pruned
    arc_head: Integers  # [arc]
    arc_modifier: Integers  # [arc]
    arc_context: Integers  # [arc]: the context in which the modifier is a head
    row_start: Integers  # [2 head + side]
    context_grand: Integers  # [context]
    context_head: Integers  # [context]
    context_start: Integers  # [head]: where its contexts start
    gap_first: Integers  # [arc]: which context of the head is the first in the gap
    gap_size: Integers  # [arc]
    gap_stored: Integers  # [arc]: the same, or 0 if parts of contexts in the gap are stored too
    sibling_start: Integers  # [arc]: where its parts start, for each type
    tri_start: Integers
    grand_start: Integers
    grand_sibling_start: Integers
    grand_tri_start: Integers
    arc_half: Integers  # [arc]: where charts keep the halves of the modifier
    context_half: Integers  # [context]: where charts keep the halves of the head
    chain_start: Integers  # [2 context + side]: where charts keep its open items
    pair_start: Integers  # [2 context + side]: where charts keep its pair items


@helper
def pairs_before(j):
    """The number of pairs (modifier, sibling) of the modifiers before the j-th of a row."""
    return j * (j + 1) // 2


@maker
def list_arcs(unpruned):
    """Number the unpruned arcs, row by row: ids, heads, modifiers, row starts."""
    size = unpruned.shape[0]
    arc_id = np.full((size, size), -1, np.int64)
    row_start = np.zeros(2 * size + 1, np.int64)
    heads = np.empty(size * size, np.int64)
    modifiers = np.empty(size * size, np.int64)
    arc = 0
    for h in range(size):
        for m in range(h - 1, 0, -1):
            if unpruned[h, m]:
                arc_id[h, m], heads[arc], modifiers[arc] = arc, h, m
                arc += 1
        row_start[2 * h + 1] = arc
        for m in range(h + 1, size):
            if unpruned[h, m]:
                arc_id[h, m], heads[arc], modifiers[arc] = arc, h, m
                arc += 1
        row_start[2 * h + 2] = arc
    return arc_id, heads[:arc].copy(), modifiers[:arc].copy(), row_start


@maker
def list_contexts(arc_id, arcs, grand):
    """Number the contexts: grandparents, heads, starts per head, and the context of every arc."""
    size = arc_id.shape[0]
    arc_context = np.empty(arcs, np.int64)
    grands = np.zeros(size + arcs, np.int64)
    heads = np.zeros(size + arcs, np.int64)
    start = np.zeros(size + 1, np.int64)
    context = 1
    start[1] = 1
    for h in range(1, size):
        for g in range(size):
            if arc_id[g, h] >= 0:
                arc_context[arc_id[g, h]] = context
                if grand:
                    grands[context], heads[context] = g, h
                    context += 1
        if not grand:
            grands[context], heads[context] = h, h
            context += 1
        start[h + 1] = context
    return grands[:context].copy(), heads[:context].copy(), start, arc_context


@maker
def find_gaps(heads, modifiers, grands, context_start, grand):
    """For every arc, the contexts of its head whose grandparent is between head and modifier."""
    first = np.zeros(len(heads), np.int64)
    size = np.zeros(len(heads), np.int64)
    for arc in range(len(heads)):
        h, m = heads[arc], modifiers[arc]
        if grand and h > 0:
            for c in range(context_start[h], context_start[h + 1]):
                first[arc] += grands[c] < min(h, m)
                size[arc] += min(h, m) <= grands[c] <= max(h, m)
    return first, size


@maker
def find_starts(heads, modifiers, row_start, context_start, gap):
    """For every arc, where its parts start: sibling, tri-sibling, and the three grand types."""
    starts = np.zeros((5, len(heads) + 1), np.int64)
    for arc in range(len(heads)):
        h = heads[arc]
        j = arc - row_start[2 * h + (modifiers[arc] > h)]
        contexts = context_start[h + 1] - context_start[h] - gap[arc]
        counts = (j + 1, 1 + pairs_before(j), contexts, contexts * (j + 1))
        for kind in range(4):
            starts[kind, arc + 1] = starts[kind, arc] + counts[kind]
        starts[4, arc + 1] = starts[4, arc] + contexts * (1 + pairs_before(j))
    return starts


@maker
def find_chains(arc_head, arc_modifier, context_start, gap_first, gap_size):
    """For every context and side, where open items and pair items start."""
    contexts = context_start[-1]
    chains, pairs = np.zeros(2 * contexts + 1, np.int64), np.zeros(2 * contexts + 1, np.int64)
    reach = np.zeros(2 * contexts, np.int64)
    for arc in range(len(arc_head)):
        h = arc_head[arc]
        side = np.int64(arc_modifier[arc] > h)
        for c in range(context_start[h], context_start[h + 1]):
            if not 0 <= c - context_start[h] - gap_first[arc] < gap_size[arc]:
                reach[2 * c + side] += 1
    for row in range(2 * contexts):
        chains[row + 1] = chains[row] + reach[row] + 1
        pairs[row + 1] = pairs[row] + pairs_before(reach[row])
    return chains, pairs


@maker
def find_halves(arc_id, arc_modifier, context_grand, context_head, grand):
    """Where charts keep the halves of each arc's modifier, and of each context's head."""
    arcs, contexts = len(arc_modifier), len(context_grand)
    arc_half, context_half = arc_modifier, np.arange(contexts)
    if grand:
        arc_half, context_half[0] = np.arange(arcs), arcs
        for c in range(1, contexts):
            context_half[c] = arc_id[context_grand[c], context_head[c]]
    return arc_half, context_half


@kernel
def compress(unpruned, grand, crossing):
    """The rows over a matrix of unpruned arcs, whose diagonal and first column must be False.

    With `crossing`, parts of contexts in the gap are stored too, which non-projective trees have.
    """
    arc_id, heads, modifiers, row_start = list_arcs(unpruned)
    context_grand, context_head, context_start, arc_context = list_contexts(
        arc_id, len(heads), grand
    )
    gap_first, gap_size = find_gaps(heads, modifiers, context_grand, context_start, grand)
    gap_stored = np.zeros_like(gap_size) if crossing else gap_size
    starts = find_starts(heads, modifiers, row_start, context_start, gap_stored)
    arc_half, context_half = find_halves(arc_id, modifiers, context_grand, context_head, grand)
    chain_start, pair_start = find_chains(heads, modifiers, context_start, gap_first, gap_size)
    return PartRows(
        unpruned.shape[0] - 1,
        grand,
        arc_id,
        heads,
        modifiers,
        arc_context,
        row_start,
        context_grand,
        context_head,
        context_start,
        gap_first,
        gap_size,
        gap_stored,
        starts[0],
        starts[1],
        starts[2],
        starts[3],
        starts[4],
        arc_half,
        context_half,
        chain_start,
        pair_start,
    )
