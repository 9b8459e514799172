# mypy: allow-untyped-defs
"""The hyperedges of a HeadChart: what `chart_fill` sums, listed.

For best trees, k-best lists and samples, through `hyperedges` and `mark` of `backtrace`, and for
expected counts.
"""

from numba.extending import overload

from headwise.kernels.charts.backtrace import NOTHING, hyperedges, mark
from headwise.kernels.charts.chart import (
    CHAIN,
    CLOSE,
    CLOSED,
    GOAL,
    RIGHT,
    STEP,
    TREE,
    WHOLE,
    HeadChart,
    chain_item,
    close_item,
    closed_item,
    first_weight,
    lane_after,
    lane_allows,
    lane_side,
    lane_start,
    link_weight,
    step_item,
    stop_weight,
    tree_item,
    whole_item,
)
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.jit import helper, overload_helper


@helper
def list_hyperedges(chart, item, first, second):
    """List the hyperedges of an item: two items, and in chart.where a score. Returns how many."""
    size = chart.n + 1
    if item < chart.start[STEP]:
        at, m = divmod(item - chart.start[CHAIN], size)
        at, c = divmod(at, chart.counts)
        at, e = divmod(at, size)
        h, lane = divmod(at, chart.lanes)
        return chain_hyperedges(chart, h, lane, e, c, m, first, second)
    if item < chart.start[CLOSE]:
        at, mid = divmod(item - chart.start[STEP], size)
        at, m = divmod(at, size)
        at, c = divmod(at, chart.counts + 1)
        h, lane = divmod(at, chart.lanes)
        return step_hyperedges(chart, h, lane, mid, c, m, first, second)
    if item < chart.start[CLOSED]:
        at, c = divmod(item - chart.start[CLOSE], chart.counts)
        at, e = divmod(at, size)
        h, lane = divmod(at, chart.lanes)
        return close_hyperedges(chart, h, lane, e, c, first, second)
    if item < chart.start[TREE]:
        return closed_hyperedges(chart, item - chart.start[CLOSED], first, second)
    if item < chart.start[WHOLE]:
        at, f = divmod(item - chart.start[TREE], chart.firsts)
        at, high = divmod(at, size)
        m, low = divmod(at, size)
        return tree_hyperedges(chart, m, low, high, f, first, second)
    if item < chart.start[GOAL]:
        at, y = divmod(item - chart.start[WHOLE], size)
        at, x = divmod(at, size)
        h, m = divmod(at, size)
        low, high = (x, y) if h > m else (y, x)
        return whole_hyperedges(chart, h, m, low, high, first, second)
    return goal_hyperedges(chart, first, second)


@helper
def chain_hyperedges(chart, h, lane, e, c, m, first, second):
    """The last modifier m was added where the chain before it ended: mid."""
    before = chart.counts if c == chart.counts - 1 else c - 1
    if before < 0 or chart.spans[h, e] == -INFINITY:
        return 0
    count = 0
    if lane_side(chart, lane) == RIGHT:
        for mid in range(h, m):
            first[count] = step_item(chart, h, lane, mid, before, m)
            second[count] = whole_item(chart, h, m, mid + 1, e)
            count += 1
    else:
        for mid in range(m + 1, h + 1):
            first[count] = step_item(chart, h, lane, mid, before, m)
            second[count] = whole_item(chart, h, m, e, mid - 1)
            count += 1
    chart.where[:count] = 0
    return count


@helper
def step_hyperedges(chart, h, lane, mid, c, m, first, second):
    """The modifier before m; or, at the end of the counts, the two that lead to the largest."""
    second[:2] = NOTHING
    if c == chart.counts:
        first[0] = step_item(chart, h, lane, mid, c - 1, m)
        first[1] = step_item(chart, h, lane, mid, c - 2, m) if c >= 2 else NOTHING
        chart.where[:2] = 0
        return min(c, 2)
    if mid == h:
        if c != lane_start(chart, lane) or not lane_allows(chart, lane, m):
            return 0
        first[0], chart.where[0] = NOTHING, link_weight(chart, h, c, h, m)
        return 1
    if h == 0 and chart.single_root:
        return 0
    low, high = (h + 1, mid + 1) if mid > h else (mid, h)
    for p in range(low, high):
        first[p - low] = chain_item(chart, h, lane, mid, c, p)
        second[p - low] = NOTHING
        chart.where[p - low] = link_weight(chart, h, c, p, m)
    return high - low


@helper
def close_hyperedges(chart, h, lane, e, c, first, second):
    """The last modifier of a side."""
    side = lane_side(chart, lane)
    if e == h:
        if c != lane_start(chart, lane) or not lane_allows(chart, lane, h):
            return 0
        first[0], second[0] = NOTHING, NOTHING
        chart.where[0] = stop_weight(chart, h, side, c, h)
        return 1
    low, high = (h + 1, e + 1) if e > h else (e, h)
    for p in range(low, high):
        first[p - low] = chain_item(chart, h, lane, e, c, p)
        second[p - low] = NOTHING
        chart.where[p - low] = stop_weight(chart, h, side, c, p)
    return high - low


@helper
def closed_hyperedges(chart, at, first, second):
    """How many modifiers there were."""
    for c in range(chart.counts):
        first[c] = chart.start[CLOSE] + at * chart.counts + c
        second[c] = NOTHING
        chart.where[c] = 0
    return chart.counts


@helper
def tree_hyperedges(chart, m, low, high, f, first, second):
    """How many modifiers there were on the right, on which the left side may depend."""
    matters = chart.firsts > 1
    chart.where[: chart.counts] = 0
    if high == m:
        if matters and f > m:
            return 0
        first[0] = close_item(chart, m, m if matters else 0, m, 0)
        second[0] = closed_item(chart, m, chart.firsts + f, low)
        return 1
    if matters and f <= m:
        return 0
    for c in range(chart.counts):
        first[c] = close_item(chart, m, f, high, c)
        second[c] = closed_item(chart, m, lane_after(chart, c), low)
    return chart.counts


@helper
def whole_hyperedges(chart, h, m, low, high, first, second):
    """The first modifier of a tree, which the head sees."""
    for f in range(low, high + 1):
        first[f - low] = tree_item(chart, m, low, high, f)
        second[f - low] = NOTHING
        chart.where[f - low] = first_weight(chart, h, m, f)
    return high - low + 1


@helper
def goal_hyperedges(chart, first, second):
    """The first modifier of the root, if it matters."""
    chart.where[: chart.n] = 0
    second[: chart.n] = NOTHING
    if chart.firsts == 1:
        first[0] = closed_item(chart, 0, 0, chart.n)
        return 1
    for f in range(1, chart.n + 1):
        first[f - 1] = closed_item(chart, 0, f, chart.n)
    return chart.n


@overload_helper(hyperedges)
def chart_edges(chart, item, local, first, second):
    """The hyperedges of an item of a HeadChart."""
    if getattr(chart, "instance_class", None) is not HeadChart:
        return None

    def find(chart, item, local, first, second):
        count = list_hyperedges(chart, item, first, second)
        for x in range(count):
            local[x] = chart.weights[chart.where[x]]
        return count

    return find


@overload(mark, inline="always")
def chart_mark(chart, item, heads):
    """Read the arc off a chain of a HeadChart."""
    if getattr(chart, "instance_class", None) is not HeadChart:
        return None

    def write(chart, item, heads):
        if item < chart.start[STEP]:
            at, m = divmod(item - chart.start[CHAIN], chart.n + 1)
            heads[m] = at // chart.counts // (chart.n + 1) // chart.lanes

    return write
