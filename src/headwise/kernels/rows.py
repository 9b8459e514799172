# mypy: allow-untyped-defs
"""Living arcs and the parts over them, in compressed rows.

A *row* is the list of living modifiers of a head on one side, from the inside out. A *context* is
what a head's modifiers are scored in: in plain factorisations the head alone, in grand ones the
head together with its own head. The modifiers of context (g, h) on the side of g must stand before
g, so a context sees the row of its head only up to its `reach`.

    arcs        by head, side (left first), from the inside out; row 2h + side is
                arc_head/arc_modifier[row_start[2h + side] : row_start[2h + side + 1]]
    contexts    by head, then grandparent; the root's only context is (0, 0)
    chains      for every context and side: "none", then each modifier of the row
    pairs       for every context and side, modifier j of the row (0, 1, …) and sibling i before it:
                entry j (j + 1) / 2 + i + 1, i = -1 being "none"
    triples     for every context, side, modifier j, sibling i, inner sibling l: the first entry of
                each j has no siblings, i = l = -1; the others are at 1 + i (i + 1) / 2 + l + 1

`*_start[2c + side]` says where the chains, pairs and triples of context c begin;
`head_*_start[2h + side]` the same for the rows of heads, which parts without grandparent use.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.jit import helper, kernel

Integers = NDArray[np.int64]


class Rows(NamedTuple):
    """The compressed rows of a sentence (see above)."""

    n: int
    grand: bool
    arc_id: Integers  # [head, modifier]; -1 where the arc is dead
    arc_head: Integers  # [arc]
    arc_modifier: Integers  # [arc]
    arc_context: Integers  # [arc]: the context in which the modifier is a head
    row_start: Integers  # [2 head + side]
    context_grand: Integers  # [context]
    context_head: Integers  # [context]
    context_start: Integers  # [head]
    reach: Integers  # [context, side]: how many modifiers a projective tree can use
    chain_start: Integers  # [2 context + side]
    pair_start: Integers
    triple_start: Integers
    head_chain_start: Integers  # [2 head + side]
    head_pair_start: Integers
    head_triple_start: Integers


@helper
def pairs_before(j):
    """The number of pairs of the modifiers before j."""
    return j * (j + 1) // 2


@helper
def triples_before(j):
    """The number of triples of the modifiers before j."""
    return j + (j - 1) * j * (j + 1) // 6


@kernel
def list_arcs(living):
    """Number the living arcs, row by row: ids, heads, modifiers, row starts."""
    size = living.shape[0]
    arc_id = np.full((size, size), -1, np.int64)
    row_start = np.zeros(2 * size + 1, np.int64)
    heads = np.empty(size * size, np.int64)
    modifiers = np.empty(size * size, np.int64)
    arc = 0
    for h in range(size):
        for m in range(h - 1, 0, -1):
            if living[h, m]:
                arc_id[h, m], heads[arc], modifiers[arc] = arc, h, m
                arc += 1
        row_start[2 * h + 1] = arc
        for m in range(h + 1, size):
            if living[h, m]:
                arc_id[h, m], heads[arc], modifiers[arc] = arc, h, m
                arc += 1
        row_start[2 * h + 2] = arc
    return arc_id, heads[:arc].copy(), modifiers[:arc].copy(), row_start


@kernel
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


@kernel
def measure(grands, heads, modifiers, row_start, crossing):
    """The reach of every context, and where its chains, pairs and triples start.

    With `crossing`, parts are stored also for modifiers beyond the grandparent, which only
    non-projective trees have.
    """
    contexts = len(heads)
    reach = np.empty((contexts, 2), np.int64)
    chains = np.zeros(2 * contexts + 1, np.int64)
    pairs = np.zeros(2 * contexts + 1, np.int64)
    triples = np.zeros(2 * contexts + 1, np.int64)
    for c in range(contexts):
        g, h = grands[c], heads[c]
        for side in range(2):
            first, end = row_start[2 * h + side], row_start[2 * h + side + 1]
            length = end - first
            if g != h and (g > h) == (side == 1):
                length = 0
                while first + length < end and abs(modifiers[first + length] - h) < abs(g - h):
                    length += 1
            reach[c, side] = length
            stored = end - first if crossing else length
            chains[2 * c + side + 1] = chains[2 * c + side] + stored + 1
            pairs[2 * c + side + 1] = pairs[2 * c + side] + pairs_before(stored)
            triples[2 * c + side + 1] = triples[2 * c + side] + triples_before(stored)
    return reach, chains, pairs, triples


def compress(living: NDArray[np.bool_], grand: bool, crossing: bool) -> Rows:
    """The rows over a matrix of living arcs, whose diagonal and first column must be False."""
    arc_id, arc_head, arc_modifier, row_start = list_arcs(living)
    grands, heads, context_start, arc_context = list_contexts(arc_id, len(arc_head), grand)
    reach, *starts = measure(grands, heads, arc_modifier, row_start, crossing)
    tokens = np.arange(len(living))
    _, *head_starts = (
        measure(tokens, tokens, arc_modifier, row_start, crossing) if grand else (reach, *starts)
    )
    return Rows(
        len(living) - 1,
        grand,
        arc_id,
        arc_head,
        arc_modifier,
        arc_context,
        row_start,
        grands,
        heads,
        context_start,
        reach,
        *starts,
        *head_starts,
    )
