# mypy: allow-untyped-defs
"""Charts of trees: what a grammar, the words and a filled chart look like; and their hyperedges.

Symbols are numbered: the real ones first (labels and tags), then states, the left parts of
constituents, which occur only as left parts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts.backtrace import NOTHING, hyperedges
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.jit import helper, overload_helper

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


class Rules(NamedTuple):
    """A grammar. Rows `starts[x] : starts[x + 1]` of a table belong to x."""

    pair_starts: Ints  # by left part: pairs of left and right part
    pair_right: Ints  # [pair]
    rule_starts: Ints  # by pair: binary rules
    whole: Ints  # [rule]
    left: Ints  # [rule]
    right: Ints  # [rule]
    weight: Floats  # [rule]
    whole_starts: Ints  # by whole: which rules
    by_whole: Ints
    bottom_starts: Ints  # by what they end in: chains
    top: Ints  # [chain]
    bottom: Ints  # [chain]
    chain_weight: Floats  # [chain]
    top_starts: Ints  # by what they begin with: which chains
    by_top: Ints


class Words(NamedTuple):
    """The tags that each word may have: rows starts[i] : starts[i + 1] belong to word i."""

    starts: Ints
    symbol: Ints
    weight: Floats


class Licence(NamedTuple):
    """Which symbols may span what: the `group` of each, and [start, end, group] for both storeys.

    `open` says the same of states: whether what they are part of may end there or later. One group
    that may everywhere is a licence for everything.
    """

    group: Ints
    lower: NDArray[np.bool_]
    upper: NDArray[np.bool_]
    open: NDArray[np.bool_]


class TreeChart(NamedTuple):
    """The filled chart: item `row · (n + 1) + end` is a symbol over a span."""

    values: Floats
    rules: Rules
    n: int
    upper_row: Ints  # [start, symbol], 0 where it was not found
    lower_row: Ints  # [start, real symbol]
    row_symbol: Ints
    row_start: Ints


@overload_helper(hyperedges)
def tree_edges(chart, item, local, first, second):
    """The hyperedges of an item of a TreeChart.

    Of an upper item: hyperedge 0 is its lower item, hyperedge 1 + x the x-th chain that begins with
    its symbol.
    """
    if getattr(chart, "instance_class", None) is not TreeChart:
        return None

    def find(chart, item, local, first, second):
        rules, width = chart.rules, chart.n + 1
        row, j = divmod(item, width)
        a, i = chart.row_symbol[row], chart.row_start[row]
        if a < chart.lower_row.shape[1] and chart.lower_row[i, a] != row:
            return chain_edges(chart, a, i, j, local, first, second)
        if rules.whole_starts[a] == rules.whole_starts[a + 1]:  # a tag, over its word
            local[0], first[0], second[0] = chart.values[item], NOTHING, NOTHING
            return 1
        count = 0
        for x in range(rules.whole_starts[a], rules.whole_starts[a + 1]):
            rule = rules.by_whole[x]
            left = chart.upper_row[i, rules.left[rule]]
            if left > 0:
                for k in range(i + 1, j):
                    right = chart.upper_row[k, rules.right[rule]]
                    if (
                        right > 0
                        and chart.values[left * width + k] > -INFINITY
                        and chart.values[right * width + j] > -INFINITY
                    ):
                        local[count] = rules.weight[rule]
                        first[count], second[count] = left * width + k, right * width + j
                        count += 1
        return count

    return find


@helper
def chain_edges(chart, a, i, j, local, first, second):
    """The hyperedges of an upper item."""
    rules, width = chart.rules, chart.n + 1
    start, end = rules.top_starts[a], rules.top_starts[a + 1]
    for x in range(end - start + 1):
        bottom = a if x == 0 else rules.bottom[rules.by_top[start + x - 1]]
        row = chart.lower_row[i, bottom]
        local[x], first[x], second[x] = -INFINITY, NOTHING, NOTHING
        if row > 0 and chart.values[row * width + j] > -INFINITY:
            local[x] = 0.0 if x == 0 else rules.chain_weight[rules.by_top[start + x - 1]]
            first[x] = row * width + j
    return end - start + 1


@helper
def most_ways_of(chart):
    """No item has more hyperedges than this: rules of its symbol times splits, or chains."""
    rules, most = chart.rules, 1
    for a in range(len(rules.whole_starts) - 1):
        most = max(most, (rules.whole_starts[a + 1] - rules.whole_starts[a]) * chart.n)
    for a in range(len(rules.top_starts) - 1):
        most = max(most, rules.top_starts[a + 1] - rules.top_starts[a] + 1)
    return most
