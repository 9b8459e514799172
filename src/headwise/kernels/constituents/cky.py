# mypy: allow-untyped-defs
"""Search over trees of a binary grammar (CKY), exact on the spans it may use: O(n³ · rules) time.

A span is filled in two storeys (symbols are explained in `treechart`):

    lower[A, i, j] = max over rules A → B C and k of  w + upper[B, i, k] + upper[C, k, j]
    upper[A, i, j] = max(lower[A, i, j], max over chains A → … → B of  w + lower[B, i, j])

A chain is a path of unary rules with a weight of its own, so every path is one derivation. Symbols
that no chain begins with have one storey. A row holds a symbol at one start i, over all ends; it is
made when the symbol is first found there. `Ending` holds the same at one end, over all starts, so
that both factors of a split lie in a run, which is bounded by where the row has finite values.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.constituents.treechart import Floats, Ints, TreeChart
from headwise.kernels.primitives.runs import fill_run
from headwise.kernels.primitives.semiring import INFINITY, largest
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import embedded, inlined, kernel, maker

ROWS_AT_FIRST = 1024
"""Rows allocated per word at first."""


class SymbolRows(NamedTuple):
    """Rows as far as they are made. Those of left parts are also listed by start."""

    upper: Ints  # [start, symbol]: its row, 0 if it has none yet
    lower: Ints  # [start, real symbol]
    symbol: Ints  # [row]
    start: Ints  # [row]
    first: Ints  # [row]: the first end where it has a finite value …
    last: Ints  # … and the last
    values: Floats  # [row · (n + 1) + end]
    lefts: Ints  # [start, number]: rows
    left_count: NDArray[np.int64]  # [start]


class Ending(NamedTuple):
    """What ends where the cells at hand end, by start."""

    width: int
    values: Floats  # [symbol · width + start]
    first: Ints  # [symbol]: the first start where it has a finite value …
    last: Ints  # … and the last, -1 if it is not


class Cell(NamedTuple):
    """The span at hand: values of both storeys, and the symbols found there, once each."""

    lower: Floats
    upper: Floats
    found: Ints


@kernel
def fill_trees(owned_rules, words, licence):
    """Fill a chart with the best values."""
    # Few symbols are found at each start: a second try with more rows is cheaper than rows for all.
    capacity = ROWS_AT_FIRST * len(words.starts)
    chart, enough = try_fill(owned_rules, words, licence, capacity)
    while not enough:
        capacity *= 4
        chart, enough = try_fill(owned_rules, words, licence, capacity)
    return chart


@maker
def try_fill(owned_rules, words, licence, capacity):
    """Fill a chart of at most `capacity` rows; also whether these were enough."""
    n, size = len(words.starts) - 1, len(owned_rules.pair_starts) - 1
    reals = len(owned_rules.bottom_starts) - 1
    owned_rows, owned_ending = new_rows(n, size, reals, capacity), new_ending(n, reals)
    owned_cell = new_cell(size, reals)
    rules, rows, ending = borrowed(owned_rules), borrowed(owned_rows), borrowed(owned_ending)
    cell = borrowed(owned_cell)
    used, j, enough = 1, 0, True
    while j < n and enough:
        j += 1
        for c in range(reals):
            ending.last[c] = -1
        for i in range(j - 1, -1, -1):
            close_cell(rules, licence, i, j, cell)
            count = 0
            if j - i == 1:
                for x in range(words.starts[i], words.starts[j]):
                    count = offer(cell, count, words.symbol[x], words.weight[x])
            for x in range(rows.left_count[i]):
                row = rows.lefts[i, x]
                b = rows.symbol[row]
                if b < reals or licence.open[i, j, licence.group[b]]:
                    count = combine(rules, rows, ending, row, b, cell, count)
            count = raise_chains(rules, cell, count)
            if used + 2 * count > capacity:
                enough = False
                break
            used = keep_cell(rules, rows, ending, cell, count, i, j, used)
    kept(owned_rules)
    kept(owned_ending)
    kept(owned_cell)
    chart = TreeChart(
        owned_rows.values[: used * (n + 1)], owned_rules, n, owned_rows.upper, owned_rows.lower,
        owned_rows.symbol[:used], owned_rows.start[:used],
    )  # fmt: skip
    return chart, enough


@inlined
def new_rows(n, size, reals, capacity):
    """Rows to be filled; the first is of the item NOTHING."""
    values = np.empty(capacity * (n + 1))
    values[0] = 0.0
    return SymbolRows(
        np.zeros((n, size), np.int32), np.zeros((n, reals), np.int32), np.empty(capacity, np.int32),
        np.empty(capacity, np.int32), np.empty(capacity, np.int32), np.empty(capacity, np.int32),
        values,
        np.empty((n, size), np.int32), np.zeros(n, np.int64),
    )  # fmt: skip


@inlined
def new_ending(n, reals):
    """Buffers for what ends at one word."""
    return Ending(
        n + 1, np.empty(reals * (n + 1)), np.empty(reals, np.int32), np.empty(reals, np.int32)
    )


@inlined
def new_cell(size, reals):
    """An empty cell."""
    return Cell(np.full(size, -INFINITY), np.full(reals, -INFINITY), np.empty(size, np.int32))


@inlined
def keep_cell(rules, rows, ending, cell, count, i, j, used):
    """Write what was found in a cell to rows, and empty it of states; how many rows there are."""
    reals = len(cell.upper)
    for x in range(count):
        a = cell.found[x]
        value = cell.lower[a] if a >= reals else cell.upper[a]
        if value > -INFINITY:
            if rows.upper[i, a] == 0 and rules.pair_starts[a + 1] > rules.pair_starts[a]:
                rows.lefts[i, rows.left_count[i]] = used
                rows.left_count[i] += 1
            used = keep(value, a, i, j, used, rows, rows.upper)
            if a < reals:
                keep_right(value, a, i, ending)
        if a >= reals:
            cell.lower[a] = -INFINITY
        elif rules.top_starts[a + 1] == rules.top_starts[a]:
            rows.lower[i, a] = rows.upper[i, a]
        elif -INFINITY < cell.lower[a] < INFINITY:
            used = keep(cell.lower[a], a, i, j, used, rows, rows.lower)
    return used


@embedded
def keep(value, a, i, j, used, rows, row_of):
    """Write a value to the row of a symbol, which is made if need be; how many rows there are."""
    row, width = row_of[i, a], len(row_of) + 1
    if row == 0:
        row = row_of[i, a] = used
        used += 1
        rows.symbol[row], rows.start[row], rows.first[row] = a, i, j
        fill_run(rows.values, row * width, width, -INFINITY)
    rows.values[row * width + j] = value
    rows.last[row] = j
    return used


@embedded
def keep_right(value, a, i, ending):
    """Write a value to the run of a symbol over all starts; starts come from the right."""
    if ending.last[a] < 0:
        fill_run(ending.values, a * ending.width, ending.width, -INFINITY)
        ending.last[a] = i
    ending.values[a * ending.width + i] = value
    ending.first[a] = i


@inlined
def close_cell(rules, licence, i, j, cell):
    """Empty both storeys; what may not be there has a value that nothing exceeds.

    Where there is one storey, a licence for either of the coarser symbol's two is good for it.
    """
    for a in range(len(cell.upper)):
        group = licence.group[a]
        low, high = licence.lower[i, j, group], licence.upper[i, j, group]
        if rules.top_starts[a] == rules.top_starts[a + 1]:
            low = high = low or high
        cell.lower[a] = -INFINITY if low else INFINITY
        cell.upper[a] = -INFINITY if high else INFINITY


@embedded
def offer(cell, count, symbol, value):
    """Raise the value of a symbol in the cell; how many symbols are found now."""
    if value > cell.lower[symbol]:
        if cell.lower[symbol] == -INFINITY:
            cell.found[count] = symbol
            count += 1
        cell.lower[symbol] = value
    return count


@inlined
def combine(rules, rows, ending, row, b, cell, count):
    """Join a left part with all that may follow it and ends where the cell ends."""
    base, low, high = row * ending.width, rows.first[row], rows.last[row]
    for pair in range(rules.pair_starts[b], rules.pair_starts[b + 1]):
        c = rules.pair_right[pair]
        if ending.last[c] >= 0:
            begin = max(low, ending.first[c])
            run = min(high, ending.last[c]) - begin + 1
            if run > 0:
                at = c * ending.width + begin
                value = largest(rows.values, base + begin, ending.values, at, run)
                for rule in range(rules.rule_starts[pair], rules.rule_starts[pair + 1]):
                    count = offer(cell, count, rules.whole[rule], value + rules.weight[rule])
    return count


@inlined
def raise_chains(rules, cell, count):
    """Fill the upper storey; how many symbols are found now in either."""
    lower, upper, found = cell.lower, cell.upper, cell.found
    reals, below = len(upper), count
    for x in range(below):
        b = found[x]
        if b < reals:
            if upper[b] < lower[b]:
                upper[b] = lower[b]
            for chain in range(rules.bottom_starts[b], rules.bottom_starts[b + 1]):
                a = rules.top[chain]
                value = lower[b] + rules.chain_weight[chain]
                if value > upper[a]:
                    if upper[a] == -INFINITY and (lower[a] == -INFINITY or lower[a] == INFINITY):
                        found[count] = a
                        count += 1
                    upper[a] = value
    for x in range(count):
        a = found[x]
        if a < reals and upper[a] == INFINITY:
            upper[a] = -INFINITY
    return count
