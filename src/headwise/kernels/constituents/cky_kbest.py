# mypy: allow-untyped-defs
"""The k best trees of a filled `TreeChart`, as lists of what they are built of.

The ranking is that of `kbest`; here is only what a tree of this kind looks like on paper.
"""

import numpy as np

from headwise.kernels.charts.backtrace import NOTHING
from headwise.kernels.charts.kbest import FOUND, chosen_hyperedge, ranking_of
from headwise.kernels.constituents.treechart import most_ways_of
from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import kernel, maker


@kernel
def ranked_trees(chart, goal, k):
    """Scores and nodes of the k best trees, best first: see `read_nodes`."""
    ranking = ranking_of(chart, goal, chart.n, k, most_ways_of(chart))
    slot = ranking.slot_of[goal]
    found = ranking.slots[slot, FOUND]
    scores = ranking.best_score[slot, :found].copy()
    nodes = read_nodes(chart, ranking, goal, found)
    return scores, nodes


@maker
def read_nodes(owned_chart, owned_ranking, goal, found):
    """The nodes of all trees found for the goal, [tree, node, column], outer ones first.

    Columns: a real symbol, or -1 - chain for a chain without the symbol it ends in; start; end.
    A tree's list ends with a start of -1.
    """
    chart, ranking = borrowed(owned_chart), borrowed(owned_ranking)
    rules, width, reals = chart.rules, chart.n + 1, chart.lower_row.shape[1]
    nodes = np.full((found, 4 * chart.n + 1, 3), -1, np.int64)
    items, ranks = np.empty(8 * width, np.int64), np.empty(8 * width, np.int64)
    for tree in range(found):
        items[0], ranks[0], depth, at = goal, tree, 1, 0
        while depth > 0:
            depth -= 1
            item, rank = items[depth], ranks[depth]
            row, end = divmod(item, width)
            symbol, start = chart.row_symbol[row], chart.row_start[row]
            x, a, i, b, j = chosen_hyperedge(chart, ranking, item, rank)
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
