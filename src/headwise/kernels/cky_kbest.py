# mypy: allow-untyped-defs
"""The k best trees of a filled `TreeChart`, as lists of what they are built of.

The ranking is that of `kbest`; here is only what a tree of this kind looks like on paper.
"""

import numpy as np

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.descent import NOTHING, edges, way_values
from headwise.kernels.jit import helper, kernel
from headwise.kernels.kbest import BITS, FIRST_WAY, FOUND, RANK, rank_items
from headwise.kernels.runs import argjoin
from headwise.kernels.treechart import most_ways_of


@kernel
def ranked_trees(owned_chart, goal, k):
    """Scores and nodes of the k best trees, best first: see `read_nodes`."""
    chart = borrowed(owned_chart)
    n, most_ways = chart.n, most_ways_of(chart)
    room = 4 * n + 16
    enough, slot_of, slots, best_score, best, first, second = rank_items(
        chart, goal, n, k, room, most_ways
    )
    while not enough:
        room *= 4
        enough, slot_of, slots, best_score, best, first, second = rank_items(
            chart, goal, n, k, room, most_ways
        )
    found = slots[slot_of[goal], FOUND]
    nodes = read_nodes(chart, goal, found, most_ways, slot_of, slots, best, first, second)
    kept(owned_chart)
    return best_score[slot_of[goal], :found].copy(), nodes


@helper
def read_nodes(chart, goal, found, most_ways, slot_of, slots, best, first, second):
    """The nodes of all trees found for the goal, [tree, node, column], outer ones first.

    Columns: a real symbol, or -1 - chain for a chain without the symbol it ends in; start; end.
    A tree's list ends with a start of -1.
    """
    rules, width, reals = chart.rules, chart.n + 1, chart.lower_row.shape[1]
    nodes = np.full((found, 4 * chart.n + 1, 3), -1, np.int64)
    local, out = np.empty(most_ways), np.empty(most_ways)
    ways_a, ways_b = np.empty(most_ways, np.int64), np.empty(most_ways, np.int64)
    items, ranks = np.empty(8 * width, np.int64), np.empty(8 * width, np.int64)
    for tree in range(found):
        items[0], ranks[0], depth, at = goal, tree, 1, 0
        while depth > 0:
            depth -= 1
            item, rank = items[depth], ranks[depth]
            row, end = divmod(item, width)
            symbol, start = chart.row_symbol[row], chart.row_start[row]
            slot = slot_of[item]
            if slot >= 0 and slots[slot, FOUND] > rank:
                chosen = best[slot, rank]
                x, i, j = chosen >> (2 * BITS), (chosen >> BITS) & RANK, chosen & RANK
                a, b = first[slots[slot, FIRST_WAY] + x], second[slots[slot, FIRST_WAY] + x]
            else:
                count = edges(chart, item, local, ways_a, ways_b)
                way_values(chart.values, count, local, ways_a, ways_b, out)
                x = argjoin(out, count)
                a, b, i, j = ways_a[x], ways_b[x], 0, 0
            is_chain = symbol < reals and chart.lower_row[start, symbol] != row
            if symbol < reals and (x > 0 or not is_chain):
                name = -1 - rules.by_top[rules.top_starts[symbol] + x - 1] if is_chain else symbol
                nodes[tree, at, 0], nodes[tree, at, 1], nodes[tree, at, 2] = name, start, end
                at += 1
            # The right part goes first onto the stack, so that the left one is read first.
            items[depth], ranks[depth] = b, j
            depth += b != NOTHING
            items[depth], ranks[depth] = a, i
            depth += a != NOTHING
    return nodes
