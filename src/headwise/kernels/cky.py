# mypy: allow-untyped-defs
"""Search over trees of a binary grammar (CKY), exact on the spans it may use: O(n³ · rules) time.

Symbols are numbered: the real ones first (labels and tags), then states, the left parts of
constituents, which occur only as left parts. A span is filled in two storeys:

    lower[A, i, j] = max over rules A → B C and k of  w + upper[B, i, k] + upper[C, k, j]
    upper[A, i, j] = max(lower[A, i, j], max over chains A → … → B of  w + lower[B, i, j])

A chain is a path of unary rules with a weight of its own, so every path is one derivation. Symbols
that no chain begins with have one storey. A row holds a symbol at one start i, over all ends; it is
made when the symbol is first found there. `right` holds the same by end, over all starts, so that
both factors of a split lie in a run. The range of k where a row is alive bounds that run.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.descent import NOTHING, edges
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.semiring import INFINITY, fill_run, largest

ROWS_AT_FIRST = 1024
"""Room for so many symbols a word is made at first."""

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


@kernel
def fill_trees(owned_rules, words, licence):
    """Fill a chart with the best values."""
    # Few symbols are found at each start: a second try with more room is cheaper than room for all.
    room = ROWS_AT_FIRST * len(words.starts)
    chart, enough = fill_with_room(owned_rules, words, licence, room)
    while not enough:
        room *= 4
        chart, enough = fill_with_room(owned_rules, words, licence, room)
    return chart


@helper
def fill_with_room(owned_rules, words, licence, room):
    """Fill a chart of at most so many rows; also whether these were enough."""
    rules = borrowed(owned_rules)
    n = len(words.starts) - 1
    width = n + 1
    size, reals = len(rules.pair_starts) - 1, len(rules.bottom_starts) - 1
    upper_row, lower_row = np.zeros((n, size), np.int32), np.zeros((n, reals), np.int32)
    row_symbol, row_start = np.empty(room, np.int32), np.empty(room, np.int32)
    first, last = np.empty(room, np.int32), np.empty(room, np.int32)  # ends where a row is alive
    values = np.empty(room * width)
    values[0] = 0.0  # the item NOTHING
    # For the end j at hand: what ends there, by start.
    right, right_first = np.empty(reals * width), np.empty(reals, np.int32)
    right_last = np.empty(reals, np.int32)
    lefts, left_count = np.empty((n, size), np.int32), np.zeros(n, np.int64)  # rows by start
    cell, ceiling = np.full(size, -INFINITY), np.full(reals, -INFINITY)
    found = np.empty(size, np.int32)  # the symbols in the cell, once each
    rows, j, enough = 1, 0, True
    while j < n and enough:
        j += 1
        right_last[:] = -1
        for i in range(j - 1, -1, -1):
            close_cell(rules, licence, i, j, cell, ceiling)
            count = 0
            if j - i == 1:
                for x in range(words.starts[i], words.starts[j]):
                    count = offer(cell, found, count, words.symbol[x], words.weight[x])
            for x in range(left_count[i]):
                row = lefts[i, x]
                b = row_symbol[row]
                if b < reals or licence.open[i, j, licence.group[b]]:
                    count = combine(
                        rules, values, row * width, b, first[row], last[row],
                        right, right_first, right_last, width, cell, found, count,
                    )  # fmt: skip
            count = raise_chains(rules, cell, ceiling, found, count)
            if rows + 2 * count > room:
                enough = False
                break
            for x in range(count):
                a = found[x]
                value = cell[a] if a >= reals else ceiling[a]
                if value > -INFINITY:
                    before = rows
                    rows = keep(
                        value, a, i, j, width, rows, upper_row, row_symbol, row_start, values
                    )
                    row = upper_row[i, a]
                    last[row] = j
                    if rows > before:
                        first[row] = j
                        if rules.pair_starts[a + 1] > rules.pair_starts[a]:
                            lefts[i, left_count[i]] = row
                            left_count[i] += 1
                if a < reals:
                    if value > -INFINITY:
                        if right_last[a] < 0:
                            fill_run(right, a * width, width, -INFINITY)
                            right_last[a] = i
                        right[a * width + i] = value
                        right_first[a] = i
                    if rules.top_starts[a + 1] == rules.top_starts[a]:
                        lower_row[i, a] = upper_row[i, a]
                    elif -INFINITY < cell[a] < INFINITY:
                        rows = keep(
                            cell[a], a, i, j, width, rows, lower_row, row_symbol, row_start, values
                        )
                else:
                    cell[a] = -INFINITY
    kept(owned_rules)
    chart = TreeChart(
        values[: rows * width], owned_rules, n, upper_row, lower_row, row_symbol[:rows],
        row_start[:rows],
    )  # fmt: skip
    return chart, enough


@inlined
def keep(value, a, i, j, width, rows, row_of, row_symbol, row_start, values):
    """Write a value to the row of a symbol, which is made if need be; how many rows there are."""
    row = row_of[i, a]
    if row == 0:
        row = row_of[i, a] = rows
        rows += 1
        row_symbol[row], row_start[row] = a, i
        fill_run(values, row * width, width, -INFINITY)
    values[row * width + j] = value
    return rows


@inlined
def close_cell(rules, licence, i, j, cell, ceiling):
    """Empty both storeys; what may not be there has a value that nothing exceeds.

    Where there is one storey, a licence for either of the coarser symbol's two is good for it.
    """
    for a in range(len(ceiling)):
        group = licence.group[a]
        low, high = licence.lower[i, j, group], licence.upper[i, j, group]
        if rules.top_starts[a] == rules.top_starts[a + 1]:
            low = high = low or high
        cell[a] = -INFINITY if low else INFINITY
        ceiling[a] = -INFINITY if high else INFINITY


@inlined
def offer(cell, found, count, symbol, value):
    """Raise the value of a symbol in the cell; how many symbols are found now."""
    if value > cell[symbol]:
        if cell[symbol] == -INFINITY:
            found[count] = symbol
            count += 1
        cell[symbol] = value
    return count


@inlined
def combine(
    rules, values, base, b, low, high, right, right_first, right_last, width, cell, found, count
):
    """Join a left part with all that may follow it and ends where the cell ends."""
    for pair in range(rules.pair_starts[b], rules.pair_starts[b + 1]):
        c = rules.pair_right[pair]
        if right_last[c] >= 0:
            begin = max(low, right_first[c])
            run = min(high, right_last[c]) - begin + 1
            if run > 0:
                value = largest(values, base + begin, right, c * width + begin, run)
                for rule in range(rules.rule_starts[pair], rules.rule_starts[pair + 1]):
                    count = offer(cell, found, count, rules.whole[rule], value + rules.weight[rule])
    return count


@inlined
def raise_chains(rules, cell, ceiling, found, count):
    """Fill the upper storey; how many symbols are found now in either."""
    reals, below = len(ceiling), count
    for x in range(below):
        b = found[x]
        if b < reals:
            if ceiling[b] < cell[b]:
                ceiling[b] = cell[b]
            for chain in range(rules.bottom_starts[b], rules.bottom_starts[b + 1]):
                a = rules.top[chain]
                value = cell[b] + rules.chain_weight[chain]
                if value > ceiling[a]:
                    if ceiling[a] == -INFINITY and (cell[a] == -INFINITY or cell[a] == INFINITY):
                        found[count] = a
                        count += 1
                    ceiling[a] = value
    for x in range(count):
        a = found[x]
        if a < reals and ceiling[a] == INFINITY:
            ceiling[a] = -INFINITY
    return count


@overload(edges)
def tree_edges(chart, item, local, first, second):
    """The ways to build an item of a TreeChart.

    Of an upper item: way 0 is its lower item, way 1 + x the x-th chain that begins with its symbol.
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
    """The ways to build an upper item."""
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
    """No item has more ways than this: rules of its symbol times splits, or chains."""
    rules, most = chart.rules, 1
    for a in range(len(rules.whole_starts) - 1):
        most = max(most, (rules.whole_starts[a + 1] - rules.whole_starts[a]) * chart.n)
    for a in range(len(rules.top_starts) - 1):
        most = max(most, rules.top_starts[a + 1] - rules.top_starts[a] + 1)
    return most
