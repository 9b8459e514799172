# mypy: allow-untyped-defs
"""The k best trees of a filled chart (Huang & Chiang 2005, the lazy algorithm 3).

The ways to build an item are ranked by a heap of candidates (way, i, j): the i-th best of its first
item with the j-th best of its second. A candidate enters the heap when the one it succeeds leaves
it: (i + 1, j) follows (i, j), and (0, j + 1) follows (0, j), so none enters twice. What a successor
needs of other items is asked for only then, by a stack of requests instead of recursion.

An item has a slot once more than its best is asked for. Trees and derivations are one to one, so
the trees are distinct. Arrays are passed one by one because tuples of arrays are slow in Numba:
every access counts references.
"""

import numpy as np

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.descent import NOTHING, edges, mark, way_values
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.runs import argjoin
from headwise.kernels.semiring import INFINITY

FIRST_WAY, WAITING, FIRST_CANDIDATE, FOUND, SUCCEEDED = range(5)
"""Columns of a slot: where the ways to build its item start, the number of its candidates and where
they start, how many of its best are found, and whether the successors of the last one found are
candidates already."""

BITS = 20
"""A candidate (way, i, j) is one whole number, with so many bits for each of i and j."""

RANK = (1 << BITS) - 1
"""The largest k."""


@inlined
def push(slots, heap_score, heap, slot, score, candidate):
    """Add a candidate to the heap of a slot."""
    base, at = slots[slot, FIRST_CANDIDATE], slots[slot, WAITING]
    slots[slot, WAITING] = at + 1
    while at > 0 and heap_score[base + (at - 1) // 2] < score:
        above = (at - 1) // 2
        heap_score[base + at], heap[base + at] = heap_score[base + above], heap[base + above]
        at = above
    heap_score[base + at], heap[base + at] = score, candidate


@inlined
def pop(slots, heap_score, heap, best_score, best, slot):
    """Move the best candidate of a slot to those found."""
    base, found, last = slots[slot, FIRST_CANDIDATE], slots[slot, FOUND], slots[slot, WAITING] - 1
    best_score[slot, found], best[slot, found] = heap_score[base], heap[base]
    slots[slot, FOUND], slots[slot, SUCCEEDED], slots[slot, WAITING] = found + 1, 0, last
    score, candidate = heap_score[base + last], heap[base + last]
    at, below = base, base + 1
    while below < base + last:
        if below + 1 < base + last and heap_score[below + 1] > heap_score[below]:
            below += 1
        if heap_score[below] <= score:
            break
        heap_score[at], heap[at] = heap_score[below], heap[below]
        at, below = below, 2 * below - base + 1
    heap_score[at], heap[at] = score, candidate


@inlined
def is_exhausted(slots, slot):
    """Whether no further way is left."""
    return slots[slot, WAITING] == 0 and slots[slot, SUCCEEDED] == 1


@inlined
def ranked_score(values, slot_of, slots, best_score, item, rank):
    """The score of the rank-th best of an item: -inf if there are fewer, +inf if not yet known."""
    score = values[item]
    if rank > 0 and item == NOTHING:
        score = -INFINITY
    elif rank > 0:
        slot = slot_of[item]
        score = INFINITY
        if slot >= 0 and slots[slot, FOUND] > rank:
            score = best_score[slot, rank]
        elif slot >= 0 and is_exhausted(slots, slot):
            score = -INFINITY
    return score


@inlined
def add_successors(
    values, slot_of, slots, best_score, best, local, first, second, heap_score, heap, slot
):
    """Let the last one found be succeeded, and return -1, -1.

    If that needs another item's next best, return that item and its rank, and do nothing.
    """
    last = best[slot, slots[slot, FOUND] - 1]
    i, j = (last >> BITS) & RANK, last & RANK
    way = slots[slot, FIRST_WAY] + (last >> (2 * BITS))
    a, b = first[way], second[way]
    missing, missing_rank = -1, -1
    next_a, next_b = ranked_score(values, slot_of, slots, best_score, a, i + 1), -INFINITY
    if i == 0:
        next_b = ranked_score(values, slot_of, slots, best_score, b, j + 1)
    if next_a == INFINITY:
        missing, missing_rank = a, i + 1
    elif next_b == INFINITY:
        missing, missing_rank = b, j + 1
    else:
        if next_a > -INFINITY:
            other = ranked_score(values, slot_of, slots, best_score, b, j)
            push(slots, heap_score, heap, slot, local[way] + next_a + other, last + (1 << BITS))
        if next_b > -INFINITY:
            push(slots, heap_score, heap, slot, local[way] + values[a] + next_b, last + 1)
        slots[slot, SUCCEEDED] = 1
    return missing, missing_rank


@inlined
def add_slot(slots, heap_score, heap, out, slot, way, count, first_candidate):
    """Fill the row of a new slot; all ways to build its item are candidates, best with best."""
    slots[slot, FIRST_WAY], slots[slot, FIRST_CANDIDATE] = way, first_candidate
    slots[slot, WAITING], slots[slot, FOUND], slots[slot, SUCCEEDED] = 0, 0, 1
    for x in range(count):
        if out[x] > -INFINITY:
            push(slots, heap_score, heap, slot, out[x], x << (2 * BITS))


@helper
def rank_items(chart, goal, n, k, room, most_ways):
    """Rank the goal's k best, with room for so many slots; no item has more than `most_ways`.

    Returns whether the room was enough, and slot_of, slots, best_score, best, first, second.
    """
    values = chart.values
    slot_of = np.full(len(values), -1, np.int64)  # [item]
    slots = np.empty((room, 5), np.int64)  # [slot, column]
    best_score, best = np.empty((room, k)), np.empty((room, k), np.int64)
    local, out = np.empty(8 * room + most_ways), np.empty(most_ways)
    first, second = np.empty(len(local), np.int64), np.empty(len(local), np.int64)
    heap_score = np.empty(len(local) + k * room)
    heap = np.empty(len(heap_score), np.int64)
    items, ranks = np.empty(8 * n + 16, np.int64), np.empty(8 * n + 16, np.int64)
    used_slots = used_ways = used_heap = 0
    items[0], ranks[0], depth = goal, k - 1, 1
    enough = True
    while depth > 0 and enough:
        item, rank = items[depth - 1], ranks[depth - 1]
        slot = slot_of[item]
        if slot < 0:
            count = edges(chart, item, local[used_ways:], first[used_ways:], second[used_ways:])
            way_values(values, count, local[used_ways:], first[used_ways:], second[used_ways:], out)
            slot = slot_of[item] = used_slots
            add_slot(slots, heap_score, heap, out, slot, used_ways, count, used_heap)
            used_slots, used_ways, used_heap = (
                used_slots + 1,
                used_ways + count,
                used_heap + count + k,
            )
            enough = used_slots < room and used_ways + most_ways <= len(local)
        if slots[slot, FOUND] > rank or is_exhausted(slots, slot):
            depth -= 1
        elif slots[slot, SUCCEEDED] == 1:
            pop(slots, heap_score, heap, best_score, best, slot)
        else:
            missing, missing_rank = add_successors(
                values,
                slot_of,
                slots,
                best_score,
                best,
                local,
                first,
                second,
                heap_score,
                heap,
                slot,
            )
            if missing >= 0:
                items[depth], ranks[depth] = missing, missing_rank
                depth += 1
    return enough, slot_of, slots, best_score, best, first, second


@kernel
def kbest_trees(owned_chart, goal, n, k):
    """Heads and scores of the k best trees, best first, from a chart of the MAX semiring."""
    chart = borrowed(owned_chart)
    # Starting again with more room is cheaper than arrays that might be replaced in the loop.
    room = 4 * n + 16
    ways = n + 2
    enough, slot_of, slots, best_score, best, first, second = rank_items(
        chart, goal, n, k, room, ways
    )
    while not enough:
        room *= 4
        enough, slot_of, slots, best_score, best, first, second = rank_items(
            chart, goal, n, k, room, ways
        )
    found = slots[slot_of[goal], FOUND]
    trees = read_trees(chart, goal, n, found, slot_of, slots, best, first, second)
    kept(owned_chart)
    return trees, best_score[slot_of[goal], :found].copy()


@helper
def read_trees(chart, goal, n, found, slot_of, slots, best, first, second):
    """The heads of all trees found for the goal."""
    values = chart.values
    trees = np.full((found, n + 1), -1, np.int64)
    local, out = np.empty(n + 2), np.empty(n + 2)
    ways_a, ways_b = np.empty(n + 2, np.int64), np.empty(n + 2, np.int64)
    items, ranks = np.empty(8 * n + 16, np.int64), np.empty(8 * n + 16, np.int64)
    for tree in range(found):
        heads = trees[tree]
        items[0], ranks[0], depth = goal, tree, 1
        while depth > 0:
            depth -= 1
            item, rank = items[depth], ranks[depth]
            mark(chart, item, heads)
            slot = slot_of[item]
            if slot >= 0 and slots[slot, FOUND] > rank:
                chosen = best[slot, rank]
                i, j = (chosen >> BITS) & RANK, chosen & RANK
                way = slots[slot, FIRST_WAY] + (chosen >> (2 * BITS))
                a, b = first[way], second[way]
            else:
                count = edges(chart, item, local, ways_a, ways_b)
                way_values(values, count, local, ways_a, ways_b, out)
                x = argjoin(out, count)
                a, b, i, j = ways_a[x], ways_b[x], 0, 0
            items[depth], ranks[depth] = a, i
            depth += a != NOTHING
            items[depth], ranks[depth] = b, j
            depth += b != NOTHING
    return trees
