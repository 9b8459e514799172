# mypy: allow-untyped-defs
"""The hyperedges of a HigherChart; for best trees, k-best lists and samples."""

import math

from headwise.kernels.charts.backtrace import NOTHING, hyperedges, mark
from headwise.kernels.charts.higher_chart import HigherChart, half_at, neighbour, span_at
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.runtime.jit import embedded, helper, inlined, overload_helper


@helper
def row_of(start, index):
    """The row that holds an index: the last one that starts at or before it, and is not empty."""
    low, high = 0, len(start) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if start[middle] <= index:
            low = middle
        else:
            high = middle
    return low


@helper
def split_pair(index):
    """The modifier j and the sibling i (-1 for none) of a pair counted from its row's start."""
    j = int((math.sqrt(8.0 * index + 1.0) - 1.0) / 2.0)
    j += pairs_before(j + 1) <= index
    j -= pairs_before(j) > index
    return j, index - pairs_before(j) - 1


@inlined
def half_item(chart, arc, side, end):
    """The item of a half of an arc's modifier, or NOTHING and its value if it is a word alone."""
    item = half_at(chart.rows.n, chart.rows.arc_half[arc], side, end)
    if chart.rows.arc_modifier[arc] == end:
        return NOTHING, chart.values[item]
    return item, 0.0


@overload_helper(hyperedges, forceinline=True)
def higher_edges(chart, item, local, first, second):
    """The hyperedges of an item of a HigherChart."""
    if getattr(chart, "instance_class", None) is not HigherChart:
        return None

    def find(chart, item, local, first, second):
        if item < chart.open_start:
            return half_edges(chart, item, local, first, second)
        if item < chart.between_start:
            return open_edges(chart, item - chart.open_start, local, first, second)
        if item < chart.pair_start:
            return between_edges(chart, item - chart.between_start, local, first, second)
        return pair_edges(chart, item - chart.pair_start, local, first, second)

    return find


@embedded
def half_edges(chart, item, local, first, second):
    """The hyperedges of a half: its last modifier."""
    rows, parts = chart.rows, chart.parts
    half_row, e = divmod(item - 1, rows.n + 1)
    c, side = half_row // 2, half_row % 2
    if rows.grand:
        c = rows.arc_context[c] if c < len(rows.arc_context) else 0
    h = rows.context_head[c]
    arc, end = rows.row_start[2 * h + side], rows.row_start[2 * h + side + 1]
    chain = chart.open_start + rows.chain_start[2 * c + side]
    always = parts.spans[h, e]
    if h == 0 and len(parts.stop) > 0:
        always += parts.stop[0]
    count = 0
    while arc < end and abs(rows.arc_modifier[arc] - h) <= abs(e - h):
        second[count], alone = half_item(chart, arc, side, e)
        first[count] = chain + count + 1
        local[count] = always + alone
        if len(parts.stop) > 0:
            local[count] += parts.stop[rows.row_start[2 * h + side] + 2 * h + side + count + 1]
        count += 1
        arc += 1
    return count


@helper
def score_at(scores, index):
    """A score, or 0 if parts of its type are not scored."""
    return scores[index] if len(scores) > 0 else 0.0


@helper
def stored_context(context, gap_first, gap_stored):
    """Which of the contexts stored for an arc is one of its head's that is not in the gap."""
    return context if context < gap_first else context - gap_stored


@inlined
def parts_of_modifier(chart, c, a, j):
    """What modifier j (arc a) scores in a context, whatever its siblings.

    And where the scores start that depend on one sibling, and on two, in this context.
    """
    rows, parts = chart.rows, chart.parts
    h = rows.context_head[c]
    index = stored_context(c - rows.context_start[h], rows.gap_first[a], rows.gap_stored[a])
    always = parts.arc[h, rows.arc_modifier[a]]
    always += score_at(parts.grandchild, rows.grand_start[a] + index)
    pairs = rows.grand_sibling_start[a] + index * (j + 1)
    return always, pairs, rows.grand_tri_start[a] + index * (1 + pairs_before(j))


@inlined
def near_item(chart, h, side, j):
    """What `half_item` says of the half of modifier j that reaches to the neighbour of its head."""
    arc = chart.rows.row_start[2 * h + side] + j
    return half_item(chart, arc, 1 - side, neighbour(h, side))


@inlined
def between_item(chart, h, side, j, i):
    """The item between sibling i and modifier j."""
    rows = chart.rows
    first = rows.row_start[2 * h + side]
    if rows.grand:
        return chart.between_start + rows.sibling_start[first + j] + i + 1
    return span_at(chart, rows.arc_modifier[first + i], rows.arc_modifier[first + j])


@embedded
def open_edges(chart, index, local, first, second):
    """The hyperedges of an open item: the sibling of its last modifier."""
    rows = chart.rows
    row = row_of(rows.chain_start, index)
    c, side, j = row // 2, row % 2, index - rows.chain_start[row] - 1
    h = rows.context_head[c]
    count = 1 if h == 0 and chart.single_root else j + 1
    if chart.tri:
        pair = chart.pair_start + rows.pair_start[row] + pairs_before(j)
        for x in range(count):
            local[x], first[x], second[x] = 0.0, pair + x, NOTHING
        return count
    a = rows.row_start[2 * h + side] + j
    always, pairs, _ = parts_of_modifier(chart, c, a, j)
    for x in range(count):
        local[x] = always + score_at(chart.parts.sibling, rows.sibling_start[a] + x)
        local[x] += score_at(chart.parts.grand_sibling, pairs + x)
        first[x] = chart.open_start + rows.chain_start[row] + x
    for x in range(1, count):
        second[x] = between_item(chart, h, side, j, x - 1)
    first[0], alone = near_item(chart, h, side, j)
    local[0], second[0] = local[0] + alone, NOTHING
    return count


@embedded
def pair_edges(chart, index, local, first, second):
    """The hyperedges of a pair: the sibling of the inner one."""
    rows = chart.rows
    row = row_of(rows.pair_start, index)
    c, side = row // 2, row % 2
    j, i = split_pair(index - rows.pair_start[row])
    h = rows.context_head[c]
    a = rows.row_start[2 * h + side] + j
    always, pairs, grand_tri = parts_of_modifier(chart, c, a, j)
    always += score_at(chart.parts.sibling, rows.sibling_start[a] + i + 1)
    always += score_at(chart.parts.grand_sibling, pairs + i + 1)
    inner, count = (0, 1) if i < 0 else (1 + pairs_before(i), i + 1)
    for x in range(count):
        local[x] = always + score_at(chart.parts.tri_sibling, rows.tri_start[a] + inner + x)
        local[x] += score_at(chart.parts.grand_tri_sibling, grand_tri + inner + x)
    if i < 0:
        first[0], alone = near_item(chart, h, side, j)
        local[0], second[0] = local[0] + alone, NOTHING
        return 1
    between = between_item(chart, h, side, j, i)
    for x in range(count):
        first[x] = chart.pair_start + rows.pair_start[row] + pairs_before(i) + x
        second[x] = between
    return count


@embedded
def between_edges(chart, index, local, first, second):
    """The hyperedges of what is between siblings: where their halves meet."""
    rows = chart.rows
    if rows.grand:
        high = row_of(rows.sibling_start, index)
        h, m = rows.arc_head[high], rows.arc_modifier[high]
        low = rows.row_start[2 * h + (m > h)] + index - rows.sibling_start[high] - 1
        if rows.arc_modifier[low] > rows.arc_modifier[high]:
            low, high = high, low
    else:
        hi, lo = divmod(index, rows.n + 1)
        low, high = any_arc_to(rows, lo), any_arc_to(rows, hi)
    lo, hi = rows.arc_modifier[low], rows.arc_modifier[high]
    for x in range(hi - lo):
        first[x], left_alone = half_item(chart, low, 1, lo + x)
        second[x], right_alone = half_item(chart, high, 0, lo + x + 1)
        local[x] = left_alone + right_alone
    return hi - lo


@inlined
def any_arc_to(rows, m):
    """An arc to a word; in plain contexts its halves are the same for all of them."""
    h = 0
    while rows.arc_id[h, m] < 0:
        h += 1
    return rows.arc_id[h, m]


@overload_helper(mark, forceinline=True)
def higher_mark(chart, item, heads):
    """Read the arc off an item of a HigherChart."""
    if getattr(chart, "instance_class", None) is not HigherChart:
        return None

    def write(chart, item, heads):
        rows = chart.rows
        if chart.open_start <= item < chart.between_start:
            index = item - chart.open_start
            row = row_of(rows.chain_start, index)
            j = index - rows.chain_start[row] - 1
        elif item >= chart.pair_start:
            index = item - chart.pair_start
            row = row_of(rows.pair_start, index)
            j, _ = split_pair(index - rows.pair_start[row])
        else:
            return
        h = rows.context_head[row // 2]
        heads[rows.arc_modifier[rows.row_start[2 * h + row % 2] + j]] = h

    return write
