# mypy: allow-untyped-defs
"""Search over trees of a binary grammar (CKY), exact on the spans it may use: O(n³ · rules) time.

A span is filled in two storeys (symbols are explained in `treechart`):

    lower[A, i, j] = max over rules A → B C and k of  w + upper[B, i, k] + upper[C, k, j]
    upper[A, i, j] = max(lower[A, i, j], max over chains A → … → B of  w + lower[B, i, j])

A chain is a path of unary rules with a weight of its own, so every path is one derivation. Symbols
that no chain begins with have one storey. A row holds a symbol at one start i, over all ends; it is
made when the symbol is first found there. `right` holds the same by end, over all starts, so that
both factors of a split lie in a run. The range of k where a row is alive bounds that run.
"""

import numpy as np

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.runs import fill_run
from headwise.kernels.semiring import INFINITY, largest
from headwise.kernels.treechart import TreeChart

ROWS_AT_FIRST = 1024
"""Room for so many symbols a word is made at first."""


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
                    if upper_row[i, a] == 0 and rules.pair_starts[a + 1] > rules.pair_starts[a]:
                        lefts[i, left_count[i]] = rows
                        left_count[i] += 1
                    rows = keep(
                        value, a, i, j, rows, upper_row, row_symbol, row_start, first, last, values
                    )
                    if a < reals:
                        keep_right(value, a, i, width, right, right_first, right_last)
                if a >= reals:
                    cell[a] = -INFINITY
                elif rules.top_starts[a + 1] == rules.top_starts[a]:
                    lower_row[i, a] = upper_row[i, a]
                elif -INFINITY < cell[a] < INFINITY:
                    value = cell[a]
                    rows = keep(
                        value, a, i, j, rows, lower_row, row_symbol, row_start, first, last, values
                    )
    kept(owned_rules)
    chart = TreeChart(
        values[: rows * width], owned_rules, n, upper_row, lower_row, row_symbol[:rows],
        row_start[:rows],
    )  # fmt: skip
    return chart, enough


@inlined
def keep(value, a, i, j, rows, row_of, row_symbol, row_start, first, last, values):
    """Write a value to the row of a symbol, which is made if need be; how many rows there are."""
    row, width = row_of[i, a], len(row_of) + 1
    if row == 0:
        row = row_of[i, a] = rows
        rows += 1
        row_symbol[row], row_start[row], first[row] = a, i, j
        fill_run(values, row * width, width, -INFINITY)
    values[row * width + j] = value
    last[row] = j
    return rows


@inlined
def keep_right(value, a, i, width, right, right_first, right_last):
    """Write a value to the run of a symbol over all starts; starts come from the right."""
    if right_last[a] < 0:
        fill_run(right, a * width, width, -INFINITY)
        right_last[a] = i
    right[a * width + i] = value
    right_first[a] = i


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
