# mypy: allow-untyped-defs
"""Between parts and their tokens: what stands where in the flat score arrays, and back.

The tokens of a part are five columns, (g, h, r, s, m), whatever its type: grandparent, head, inner
sibling, sibling, modifier. A *unit* is what rows are stored by: a context for parts with a
grandparent, a head for the others.
"""

import numpy as np

from headwise.kernels.jit import helper, kernel
from headwise.kernels.rows import pairs_before, triples_before


@kernel
def list_tokens(grands, heads, row_start, modifiers, chain_start, siblings, count):
    """The tokens of all parts that know so many siblings, in order."""
    tokens = np.empty((count, 5), np.int64)
    at = 0
    for unit in range(len(heads)):
        g, h = grands[unit], heads[unit]
        for side in range(2):
            first = row_start[2 * h + side]
            stored = chain_start[2 * unit + side + 1] - chain_start[2 * unit + side] - 1
            for j in range(stored):
                m = modifiers[first + j]
                at = write_tokens(tokens, at, g, h, h, h, m)
                if siblings == 1:
                    for i in range(j):
                        at = write_tokens(tokens, at, g, h, h, modifiers[first + i], m)
                elif siblings == 2:
                    for i in range(j):
                        s = modifiers[first + i]
                        at = write_tokens(tokens, at, g, h, h, s, m)
                        for k in range(i):
                            at = write_tokens(tokens, at, g, h, modifiers[first + k], s, m)
    return tokens


@helper
def write_tokens(tokens, at, g, h, r, s, m):
    """Fill one row, and return the number of the next."""
    tokens[at, 0], tokens[at, 1], tokens[at, 2], tokens[at, 3], tokens[at, 4] = g, h, r, s, m
    return at + 1


@kernel
def list_stops(row_start, modifiers, count):
    """Head, side and last modifier of all STOP parts, in order."""
    tokens = np.empty((count, 3), np.int64)
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
    """Where the parts with these tokens are stored; -1 for parts over dead arcs."""
    found = np.full(len(tokens), -1, np.int64)
    for at in range(len(tokens)):
        g, h, r, s, m = tokens[at]
        unit = h
        if grand and rows.grand and h != 0:
            unit = -1 if rows.arc_id[g, h] < 0 else rows.arc_context[rows.arc_id[g, h]]
        if unit < 0 or rows.arc_id[h, m] < 0:
            continue
        row = 2 * unit + (m > h)
        i, k = place_in_row(rows, h, s), place_in_row(rows, h, r)
        if (siblings > 0 and i < -1) or (siblings > 1 and k < -1):
            continue
        j = place_in_row(rows, h, m)
        if grand:
            stored = rows.chain_start[row + 1] - rows.chain_start[row] - 1
            start = part_start(rows.chain_start, rows.pair_start, rows.triple_start, row, siblings)
        else:
            stored = rows.head_chain_start[row + 1] - rows.head_chain_start[row] - 1
            start = part_start(
                rows.head_chain_start, rows.head_pair_start, rows.head_triple_start, row, siblings
            )
        if j < stored:
            found[at] = start + place_among_parts(j, i, k, siblings)
    return found


@helper
def place_in_row(rows, h, m):
    """Which modifier of its row m is: -1 for the head itself ("none"), -2 for a dead arc."""
    if h == m:
        return -1
    arc = rows.arc_id[h, m]
    return -2 if arc < 0 else arc - rows.row_start[2 * h + (m > h)]


@helper
def part_start(chain_start, pair_start, triple_start, row, siblings):
    """Where the parts of a row start. Chains have a "none" each, which parts have not."""
    if siblings == 0:
        return chain_start[row] - row
    return pair_start[row] if siblings == 1 else triple_start[row]


@helper
def place_among_parts(j, i, k, siblings):
    """Which part of its row the one of modifier j, sibling i and inner sibling k is."""
    if siblings == 0:
        return j
    if siblings == 1:
        return pairs_before(j) + i + 1
    return triples_before(j) + (0 if i < 0 else 1 + pairs_before(i) + k + 1)


@kernel
def find_stops(rows, tokens):
    """Where the STOP parts with these heads, sides and last modifiers are stored; -1 if dead."""
    found = np.full(len(tokens), -1, np.int64)
    for at in range(len(tokens)):
        h, side, last = tokens[at]
        place = place_in_row(rows, h, last)
        if place >= -1:
            found[at] = rows.head_chain_start[2 * h + side] + place + 1
    return found


@kernel
def tokens_of_tree(heads):
    """The tokens of a tree's parts, one row for every word, and those of its STOP parts."""
    size = len(heads)
    tokens = np.empty((size - 1, 5), np.int64)
    # The last and last but one modifier so far of every head, on the side that is walked.
    for side in range(2):
        last = np.arange(size)
        before_last = np.arange(size)
        for step in range(1, size):
            m = step if side == 1 else size - step
            h = heads[m]
            if (m > h) == (side == 1):
                g = heads[h] if h > 0 else 0
                write_tokens(tokens, m - 1, g, h, before_last[h], last[h], m)
                before_last[h], last[h] = last[h], m
        if side == 0:
            left_last = last
    stops = np.empty((2 * size, 3), np.int64)
    for h in range(size):
        stops[2 * h, 0], stops[2 * h, 1], stops[2 * h, 2] = h, 0, left_last[h]
        stops[2 * h + 1, 0], stops[2 * h + 1, 1], stops[2 * h + 1, 2] = h, 1, last[h]
    return tokens, stops
