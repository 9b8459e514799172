# mypy: allow-untyped-defs
"""Between parts and their tokens: what stands where in the flat score arrays, and back.

The tokens of a part are five columns, (g, h, r, s, m), whatever its type: grandparent, head, inner
sibling, sibling, modifier.
"""

import numpy as np

from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.runtime.jit import helper, inlined, kernel


@kernel
def list_tokens(rows, grand, siblings, count):
    """The tokens of all parts of a type, in order."""
    tokens = np.empty((count, 5), np.int64)
    at = 0
    for arc in range(len(rows.arc_head)):
        h, m = rows.arc_head[arc], rows.arc_modifier[arc]
        first = rows.row_start[2 * h + (m > h)]
        if not grand:
            at = list_siblings(tokens, at, h, rows.arc_modifier, h, first, arc, siblings)
            continue
        for c in range(rows.context_start[h], rows.context_start[h + 1]):
            position = c - rows.context_start[h] - rows.gap_first[arc]
            if not 0 <= position < rows.gap_stored[arc]:
                g = rows.context_grand[c]
                at = list_siblings(tokens, at, g, rows.arc_modifier, h, first, arc, siblings)
    return tokens


@helper
def list_siblings(tokens, at, g, modifiers, h, first, arc, siblings):
    """The tokens of the parts of one arc in one context."""
    m = modifiers[arc]
    at = write_tokens(tokens, at, g, h, h, h, m)
    if siblings == 0:
        return at
    for inner in range(first, arc):
        s = modifiers[inner]
        at = write_tokens(tokens, at, g, h, h, s, m)
        if siblings == 2:
            for innermost in range(first, inner):
                at = write_tokens(tokens, at, g, h, modifiers[innermost], s, m)
    return at


@helper
def write_tokens(tokens, at, g, h, r, s, m):
    """Fill one row, and return the number of the next."""
    tokens[at, 0], tokens[at, 1], tokens[at, 2], tokens[at, 3], tokens[at, 4] = g, h, r, s, m
    return at + 1


@kernel
def list_stops(row_start, modifiers):
    """Head, side and last modifier of all STOP parts, in order."""
    tokens = np.empty((len(row_start) - 1 + len(modifiers), 3), np.int64)
    at = 0
    for h in range(len(row_start) // 2):
        for side in range(2):
            tokens[at, 0], tokens[at, 1], tokens[at, 2] = h, side, h
            at += 1
            for arc in range(row_start[2 * h + side], row_start[2 * h + side + 1]):
                tokens[at, 0], tokens[at, 1], tokens[at, 2] = h, side, modifiers[arc]
                at += 1
    return tokens


@kernel
def find_parts(rows, grand, siblings, tokens):
    """Where the parts with these tokens are stored; -1 if pruned, or if they make no part."""
    found = np.full(len(tokens), -1, np.int64)
    for at in range(len(tokens)):
        g, h, r, s, m = tokens[at]
        arc = rows.arc_id[h, m]
        if arc < 0 or not are_siblings(siblings, h, r, s, m):
            continue
        context = context_of_part(rows, g, h, arc) if grand else 0
        j, i, k = (
            position_in_row(rows, h, m),
            position_in_row(rows, h, s),
            position_in_row(rows, h, r),
        )
        if context < 0 or (siblings > 0 and i < -1) or (siblings > 1 and k < -1):
            continue
        if siblings == 0:
            found[at] = rows.grand_start[arc] + context if grand else arc
        elif siblings == 1:
            start = rows.grand_sibling_start[arc] if grand else rows.sibling_start[arc]
            found[at] = start + context * (j + 1) + i + 1
        else:
            start = rows.grand_tri_start[arc] if grand else rows.tri_start[arc]
            inside = 0 if i < 0 else 1 + pairs_before(i) + k + 1
            found[at] = start + context * (1 + pairs_before(j)) + inside
    return found


@inlined
def are_siblings(siblings, h, r, s, m):
    """Whether the siblings of a part stand on the modifier's side, in order, or are "none"."""
    side = 1 if m > h else -1
    outer = siblings < 1 or s == h or side * h < side * s < side * m
    inner = siblings < 2 or r == h or (s != h and side * h < side * r < side * s)
    return outer and inner


@helper
def position_in_row(rows, h, m):
    """Which modifier of its row m is: -1 for the head itself ("none"), -2 for a pruned arc."""
    if h == m:
        return -1
    arc = rows.arc_id[h, m]
    return -2 if arc < 0 else arc - rows.row_start[2 * h + (m > h)]


@inlined
def context_of_part(rows, g, h, arc):
    """Which of the contexts stored for an arc (g, h) is; -1 if it is not stored."""
    context = 0
    if h == 0 and g != 0:
        return -1  # the root's own head is written as the root
    if h > 0:
        if rows.arc_id[g, h] < 0:
            return -1
        context = rows.arc_context[rows.arc_id[g, h]] - rows.context_start[h]
    if context < rows.gap_first[arc]:
        return context
    past = context - rows.gap_stored[arc]
    return past if past >= rows.gap_first[arc] else -1


@kernel
def find_stops(rows, tokens):
    """Where the STOP parts with these heads, sides and last modifiers are stored; -1 if pruned."""
    found = np.full(len(tokens), -1, np.int64)
    for at in range(len(tokens)):
        h, side, last = tokens[at]
        position = position_in_row(rows, h, last)
        if position >= -1 and (last == h or (last > h) == (side == 1)):
            row = 2 * h + side
            found[at] = rows.row_start[row] + row + position + 1
    return found


@kernel
def tokens_of_tree(heads):
    """The tokens of a tree's parts, one row for every word, and those of its STOP parts."""
    size = len(heads)
    tokens = np.empty((size - 1, 5), np.int64)
    stops = np.empty((2 * size, 3), np.int64)
    for side in range(2):
        # The last and the last but one modifier so far of every head, on this side.
        last, before_last = np.arange(size), np.arange(size)
        for step in range(1, size):
            m = step if side == 1 else size - step
            h = heads[m]
            if (m > h) == (side == 1):
                g = heads[h] if h > 0 else 0
                write_tokens(tokens, m - 1, g, h, before_last[h], last[h], m)
                before_last[h], last[h] = last[h], m
        for h in range(size):
            stops[2 * h + side, 0], stops[2 * h + side, 1] = h, side
            stops[2 * h + side, 2] = last[h]
    return tokens, stops
