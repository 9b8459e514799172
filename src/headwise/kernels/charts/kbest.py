# mypy: allow-untyped-defs
"""The k best trees of a filled chart (Huang & Chiang 2005, the lazy algorithm 3).

The next best of an item is the best of its candidates (hyperedge, i, j): the i-th best of the
hyperedge's first item with the j-th best of its second. At first these are all hyperedges with
i = j = 0, of which the best is searched for. When a candidate is taken, its successors enter a
heap: (i + 1, j) follows (i, j), and (0, j + 1) follows (0, j), so none enters twice. What a
successor needs of other items is asked for only then, by a stack of requests instead of recursion.

An item has a slot once more than its best is asked for. Trees and derivations are one to one, so
the trees are distinct.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts.backtrace import NOTHING, hyperedge_values, hyperedges, mark
from headwise.kernels.primitives.runs import argjoin, copy_run
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import inlined, kernel, maker

FIRST_EDGE, EDGES, FRESH, FIRST_CANDIDATE, WAITING, FOUND, SUCCEEDED = range(7)
"""Columns of a slot: where the hyperedges of its item start, their number, and the best of those
not taken yet (-1 if there is none); where its candidates start, and their number; how many of its
best are found, and whether the successors of the last one found are candidates already."""

BITS = 20
"""A candidate (hyperedge, i, j) is one integer: the bits of each of i and j in it."""

RANK = (1 << BITS) - 1
"""The largest k."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Ranking(NamedTuple):
    """What is known of the order of the hyperedges of items."""

    slot_of: NDArray[np.int32]  # [item]; -1 if it has none
    slots: Integers  # [slot, column]
    best_score: Floats  # [slot, rank]
    best: Integers  # [slot, rank]: the candidates found
    local: Floats  # [hyperedge], as `hyperedges` gives them
    first: Integers
    second: Integers
    worth: Floats  # [hyperedge]: its value, until it is taken; then -inf
    heap_score: Floats
    heap: Integers
    most_edges: int  # no item has more


@maker
def new_ranking(chart, k, most_edges, capacity):
    """A ranking of a capacity in slots, with hyperedges of two items more.

    One is the next to get a slot. The other has none: see `chosen_hyperedge`.
    """
    edges = 8 * capacity + 2 * most_edges
    return Ranking(
        np.full(len(chart.values), -1, np.int32), np.empty((capacity, 7), np.int64),
        np.empty((capacity, k)), np.empty((capacity, k), np.int64),
        np.empty(edges), np.empty(edges, np.int64), np.empty(edges, np.int64),
        np.empty(edges), np.empty(edges + k * capacity), np.empty(edges + k * capacity, np.int64),
        most_edges,
    )  # fmt: skip


@inlined
def push(ranking, slot, score, candidate):
    """Add a candidate to the heap of a slot."""
    slots, heap_score, heap = ranking.slots, ranking.heap_score, ranking.heap
    base, at = slots[slot, FIRST_CANDIDATE], slots[slot, WAITING]
    slots[slot, WAITING] = at + 1
    while at > 0 and heap_score[base + (at - 1) // 2] < score:
        above = (at - 1) // 2
        heap_score[base + at], heap[base + at] = heap_score[base + above], heap[base + above]
        at = above
    heap_score[base + at], heap[base + at] = score, candidate


@inlined
def pop(ranking, slot):
    """Take the best candidate off the heap of a slot."""
    slots, heap_score, heap = ranking.slots, ranking.heap_score, ranking.heap
    base, last = slots[slot, FIRST_CANDIDATE], slots[slot, WAITING] - 1
    slots[slot, WAITING] = last
    top_score, top = heap_score[base], heap[base]
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
    return top_score, top


@inlined
def find_next(ranking, slot):
    """Add the next best of a slot to those found."""
    slots, worth = ranking.slots, ranking.worth
    found, fresh = slots[slot, FOUND], slots[slot, FRESH]
    waiting = slots[slot, WAITING] > 0
    if fresh >= 0 and not (
        waiting and ranking.heap_score[slots[slot, FIRST_CANDIDATE]] > worth[fresh]
    ):
        score, candidate = worth[fresh], (fresh - slots[slot, FIRST_EDGE]) << (2 * BITS)
        worth[fresh] = -INFINITY
        start = slots[slot, FIRST_EDGE]
        fresh = start + argjoin(worth[start:], slots[slot, EDGES])
        slots[slot, FRESH] = fresh if worth[fresh] > -INFINITY else -1
    else:
        score, candidate = pop(ranking, slot)
    ranking.best_score[slot, found], ranking.best[slot, found] = score, candidate
    slots[slot, FOUND], slots[slot, SUCCEEDED] = found + 1, 0


@inlined
def is_exhausted(ranking, slot):
    """Whether no further hyperedge is left."""
    slots = ranking.slots
    return slots[slot, SUCCEEDED] == 1 and slots[slot, WAITING] == 0 and slots[slot, FRESH] < 0


@inlined
def ranked_score(values, ranking, item, rank):
    """The score of the rank-th best of an item: -inf if there are fewer, +inf if not yet known."""
    score = values[item]
    if rank > 0 and item == NOTHING:
        score = -INFINITY
    elif rank > 0:
        slot = ranking.slot_of[item]
        score = INFINITY
        if slot >= 0 and ranking.slots[slot, FOUND] > rank:
            score = ranking.best_score[slot, rank]
        elif slot >= 0 and is_exhausted(ranking, slot):
            score = -INFINITY
    return score


@inlined
def add_successors(values, ranking, slot):
    """Let the last one found be succeeded, and return -1, -1.

    If that needs another item's next best, return that item and its rank, and do nothing.
    """
    slots, local = ranking.slots, ranking.local
    last = ranking.best[slot, slots[slot, FOUND] - 1]
    i, j = (last >> BITS) & RANK, last & RANK
    edge = slots[slot, FIRST_EDGE] + (last >> (2 * BITS))
    a, b = ranking.first[edge], ranking.second[edge]
    missing, missing_rank = -1, -1
    next_a, next_b = ranked_score(values, ranking, a, i + 1), -INFINITY
    if i == 0:
        next_b = ranked_score(values, ranking, b, j + 1)
    if next_a == INFINITY:
        missing, missing_rank = a, i + 1
    elif next_b == INFINITY:
        missing, missing_rank = b, j + 1
    else:
        if next_a > -INFINITY:
            other = ranked_score(values, ranking, b, j)
            push(ranking, slot, local[edge] + next_a + other, last + (1 << BITS))
        if next_b > -INFINITY:
            push(ranking, slot, local[edge] + values[a] + next_b, last + 1)
        slots[slot, SUCCEEDED] = 1
    return missing, missing_rank


@inlined
def add_slot(ranking, slot, edge, count, best, first_candidate):
    """Fill the row of a new slot."""
    slots = ranking.slots
    slots[slot, FIRST_EDGE], slots[slot, EDGES] = edge, count
    slots[slot, FRESH] = best if count > 0 and ranking.worth[best] > -INFINITY else -1
    slots[slot, FIRST_CANDIDATE], slots[slot, WAITING] = first_candidate, 0
    slots[slot, FOUND], slots[slot, SUCCEEDED] = 0, 1


@maker
def rank_items(owned_chart, owned_ranking, goal, n, k):
    """Rank the goal's k best. Returns whether the capacity sufficed."""
    chart, ranking = borrowed(owned_chart), borrowed(owned_ranking)
    values, slots = chart.values, ranking.slots
    most_used = len(ranking.local) - 2 * ranking.most_edges
    owned_requests = np.empty(8 * n + 16, np.int64), np.empty(8 * n + 16, np.int64)
    items, ranks = borrowed(owned_requests)
    used_slots = used_edges = used_heap = 0
    items[0], ranks[0], depth = goal, k - 1, 1
    enough = True
    while depth > 0 and enough:
        item, rank = items[depth - 1], ranks[depth - 1]
        slot = np.int64(ranking.slot_of[item])
        if slot < 0:
            local, first = ranking.local[used_edges:], ranking.first[used_edges:]
            second = ranking.second[used_edges:]
            count = hyperedges(chart, item, local, first, second)
            worth = ranking.worth[used_edges:]
            hyperedge_values(values, count, local, first, second, worth)
            x = argjoin(worth, count)
            slot = np.int64(used_slots)
            ranking.slot_of[item] = slot
            add_slot(ranking, slot, used_edges, count, used_edges + x, used_heap)
            used_slots, used_edges, used_heap = (
                used_slots + 1,
                used_edges + count,
                used_heap + count + k,
            )
            enough = used_slots < len(slots) and used_edges <= most_used
        if slots[slot, FOUND] > rank or is_exhausted(ranking, slot):
            depth -= 1
        elif slots[slot, SUCCEEDED] == 1:
            find_next(ranking, slot)
        else:
            missing, missing_rank = add_successors(values, ranking, slot)
            if missing >= 0:
                items[depth], ranks[depth] = missing, missing_rank
                depth += 1
    kept(owned_requests)
    return enough


@maker
def ranking_of(chart, goal, n, k, most_edges):
    """A ranking of the goal's k best, in a chart where no item has more than `most_edges`."""
    # Starting again with more capacity is cheaper than arrays that might be replaced in the loop.
    capacity = 4 * n + 16
    ranking = new_ranking(chart, k, most_edges, capacity)
    while not rank_items(chart, ranking, goal, n, k):
        capacity *= 4
        ranking = new_ranking(chart, k, most_edges, capacity)
    return ranking


@kernel
def kbest_trees(chart, goal, n, k):
    """Heads and scores of the k best trees, best first, from a chart of the MAX semiring."""
    ranking = ranking_of(chart, goal, n, k, n + 2)
    slot = ranking.slot_of[goal]
    found = ranking.slots[slot, FOUND]
    scores = ranking.best_score[slot, :found].copy()
    trees = read_trees(chart, ranking, goal, n, found)
    return trees, scores


@maker
def read_trees(owned_chart, owned_ranking, goal, n, found):
    """The heads of all trees found for the goal.

    Every tree but the best is read only where it differs from the best.
    """
    chart, ranking = borrowed(owned_chart), borrowed(owned_ranking)
    most_items = 8 * n + 16
    owned = (
        np.full((found, n + 1), -1, np.int64), np.zeros(len(chart.values), np.bool_),
        np.empty(most_items, np.int64), np.empty(most_items, np.int64),
    )  # fmt: skip
    trees, in_best, items, ranks = borrowed(owned)
    for tree in range(found):
        heads = trees[tree]
        copy_run(heads, 0, trees[0], 0, n + 1)
        items[0], ranks[0], depth = goal, tree, 1
        while depth > 0:
            depth -= 1
            item, rank = items[depth], ranks[depth]
            if rank == 0 and in_best[item]:
                continue
            in_best[item] |= tree == 0
            mark(chart, item, heads)
            _, a, i, b, j = chosen_hyperedge(chart, ranking, item, rank)
            items[depth], ranks[depth] = a, i
            depth += a != NOTHING
            items[depth], ranks[depth] = b, j
            depth += b != NOTHING
    return owned[0]


@inlined
def chosen_hyperedge(chart, ranking, item, rank):
    """The hyperedge of the rank-th best of an item, and its two items with their ranks."""
    slot, first, second = ranking.slot_of[item], ranking.first, ranking.second
    i = j = 0
    if slot >= 0 and ranking.slots[slot, FOUND] > rank:
        chosen = ranking.best[slot, rank]
        i, j = (chosen >> BITS) & RANK, chosen & RANK
        start, x = ranking.slots[slot, FIRST_EDGE], chosen >> (2 * BITS)
    else:
        start = len(first) - ranking.most_edges  # there, no slot has its hyperedges
        local, out = ranking.local[start:], ranking.worth[start:]
        count = hyperedges(chart, item, local, first[start:], second[start:])
        hyperedge_values(chart.values, count, local, first[start:], second[start:], out)
        x = argjoin(out, count)
    return x, first[start + x], i, second[start + x], j
