# mypy: allow-untyped-defs
"""The k best trees of a filled chart (Huang & Chiang 2005, the lazy algorithm 3).

The ways to build an item are ranked by a heap of candidates (way, i, j): the i-th best of its first
item with the j-th best of its second. A candidate enters the heap when the one it succeeds leaves
it: (i + 1, j) follows (i, j), and (0, j + 1) follows (0, j), so none enters twice. What a successor
needs of other items is asked for only then, by a stack of requests instead of recursion.

An item has a slot once more than its best is asked for. Trees and derivations are one to one, so
the trees are distinct.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.descent import edges, mark, way_values
from headwise.kernels.jit import helper, kernel
from headwise.kernels.semiring import INFINITY, argjoin

Integers, Floats = NDArray[np.int64], NDArray[np.float64]

WAYS, FIRST_WAY, WAITING, FIRST_CANDIDATE, FOUND, SUCCEEDED = range(6)
"""Columns of a slot: the number of its item's ways and where they start, the number of its
candidates and where they start, how many of its best are found, and whether the successors of the
last one found are candidates already."""

BITS = 20
"""A candidate (way, i, j) is one whole number, with so many bits for each of i and j."""

RANK = (1 << BITS) - 1


class Ranking(NamedTuple):
    """What is known so far."""

    slot_of: Integers  # [item]; -1 if it has none
    slots: Integers  # [slot, column]
    best_score: Floats  # [slot, rank]
    best: Integers  # [slot, rank]: the candidates found
    local: Floats  # [way]
    first: Integers  # [way]
    second: Integers  # [way]
    candidate_score: Floats  # heaps, one after the other
    candidate: Integers
    used: Integers  # the number of slots, ways and candidates in use


@helper
def new_ranking(items, slots, ways, k):
    """An empty ranking with room for so many slots and ways."""
    candidates = ways + slots * (k + 1)
    return Ranking(
        np.full(items, -1, np.int64),
        np.zeros((slots, 6), np.int64),
        np.empty((slots, k)),
        np.empty((slots, k), np.int64),
        np.empty(ways),
        np.empty(ways, np.int64),
        np.empty(ways, np.int64),
        np.empty(candidates),
        np.empty(candidates, np.int64),
        np.zeros(3, np.int64),
    )


@helper
def has_room(ranking, n):
    """Whether there is room for one more slot."""
    return ranking.used[0] < len(ranking.slots) and ranking.used[1] + n + 2 <= len(ranking.local)


@helper
def grown(ranking, k, n):
    """The same ranking in twice the room."""
    slots, ways, candidates = ranking.used
    larger = new_ranking(len(ranking.slot_of), 2 * slots + 16, 2 * ways + 16 * (n + 2), k)
    larger.slot_of[:] = ranking.slot_of
    larger.slots[:slots] = ranking.slots[:slots]
    larger.best_score[:slots] = ranking.best_score[:slots]
    larger.best[:slots] = ranking.best[:slots]
    larger.local[:ways] = ranking.local[:ways]
    larger.first[:ways] = ranking.first[:ways]
    larger.second[:ways] = ranking.second[:ways]
    larger.candidate_score[:candidates] = ranking.candidate_score[:candidates]
    larger.candidate[:candidates] = ranking.candidate[:candidates]
    larger.used[:] = ranking.used
    return larger


@helper
def add_slot(chart, ranking, item, k, out):
    """Give an item a slot, with every way to build it as a candidate, best with best."""
    slot, ways, candidates = ranking.used
    local, first, second = ranking.local[ways:], ranking.first[ways:], ranking.second[ways:]
    count = edges(chart, item, local, first, second)
    way_values(chart, count, local, first, second, out)
    slots = ranking.slots
    slots[slot, WAYS], slots[slot, FIRST_WAY], slots[slot, FIRST_CANDIDATE] = count, ways, candidates
    slots[slot, WAITING], slots[slot, FOUND], slots[slot, SUCCEEDED] = 0, 0, 1
    ranking.slot_of[item] = slot
    for way in range(count):
        if out[way] > -INFINITY:
            push(ranking, slot, out[way], way << (2 * BITS))
    ranking.used[0] = slot + 1
    ranking.used[1] = ways + count
    ranking.used[2] = candidates + count + k + 1


@helper
def push(ranking, slot, score, candidate):
    """Add a candidate to the heap of a slot."""
    base, at = ranking.slots[slot, FIRST_CANDIDATE], ranking.slots[slot, WAITING]
    ranking.slots[slot, WAITING] = at + 1
    while at > 0:
        above = (at - 1) // 2
        if ranking.candidate_score[base + above] >= score:
            break
        ranking.candidate_score[base + at] = ranking.candidate_score[base + above]
        ranking.candidate[base + at] = ranking.candidate[base + above]
        at = above
    ranking.candidate_score[base + at] = score
    ranking.candidate[base + at] = candidate


@helper
def pop(ranking, slot):
    """Move the best candidate of a slot to those found."""
    base, found = ranking.slots[slot, FIRST_CANDIDATE], ranking.slots[slot, FOUND]
    ranking.best_score[slot, found] = ranking.candidate_score[base]
    ranking.best[slot, found] = ranking.candidate[base]
    ranking.slots[slot, FOUND], ranking.slots[slot, SUCCEEDED] = found + 1, 0
    last = ranking.slots[slot, WAITING] - 1
    ranking.slots[slot, WAITING] = last
    score = ranking.candidate_score[base + last]
    at = 0
    while 2 * at + 1 < last:
        below = base + 2 * at + 1
        if below + 1 < base + last:
            below += ranking.candidate_score[below + 1] > ranking.candidate_score[below]
        if ranking.candidate_score[below] <= score:
            break
        ranking.candidate_score[base + at] = ranking.candidate_score[below]
        ranking.candidate[base + at] = ranking.candidate[below]
        at = below - base
    ranking.candidate_score[base + at] = score
    ranking.candidate[base + at] = ranking.candidate[base + last]


@helper
def ranked_score(chart, ranking, item, rank):
    """The score of the rank-th best of an item: -inf if there are fewer, +inf if not yet known."""
    if rank == 0:
        return chart.values[item]
    slot = ranking.slot_of[item]
    if slot < 0:
        return INFINITY
    if ranking.slots[slot, FOUND] > rank:
        return ranking.best_score[slot, rank]
    return -INFINITY if is_exhausted(ranking, slot) else INFINITY


@helper
def is_exhausted(ranking, slot):
    """Whether no further way is left."""
    return ranking.slots[slot, WAITING] == 0 and ranking.slots[slot, SUCCEEDED] == 1


@helper
def add_successors(chart, ranking, slot):
    """Let the last one found be succeeded, and return -1, -1.

    If that needs another item's next best, return that item and its rank, and do nothing.
    """
    last = ranking.best[slot, ranking.slots[slot, FOUND] - 1]
    way, i, j = last >> (2 * BITS), (last >> BITS) & RANK, last & RANK
    at = ranking.slots[slot, FIRST_WAY] + way
    first, second = ranking.first[at], ranking.second[at]
    next_first = ranked_score(chart, ranking, first, i + 1)
    if next_first == INFINITY:
        return first, i + 1
    next_second = -INFINITY
    if i == 0 and second >= 0:
        next_second = ranked_score(chart, ranking, second, j + 1)
        if next_second == INFINITY:
            return second, j + 1
    if next_first > -INFINITY:
        other = ranked_score(chart, ranking, second, j) if second >= 0 else 0.0
        push(ranking, slot, ranking.local[at] + next_first + other, last + (1 << BITS))
    if next_second > -INFINITY:
        push(ranking, slot, ranking.local[at] + chart.values[first] + next_second, last + 1)
    ranking.slots[slot, SUCCEEDED] = 1
    return -1, -1


@kernel
def kbest_trees(chart, goal, n, k):
    """Heads and scores of the k best trees, best first, from a chart of the MAX semiring."""
    ranking = new_ranking(len(chart.values), 4 * n + 16, (4 * n + 16) * 8 + n + 2, k)
    out = np.empty(n + 2)
    items, ranks = np.empty(8 * n + 16, np.int64), np.empty(8 * n + 16, np.int64)
    items[0], ranks[0], depth = goal, k - 1, 1
    while depth > 0:
        item, rank = items[depth - 1], ranks[depth - 1]
        if ranking.slot_of[item] < 0:
            if not has_room(ranking, n):
                ranking = grown(ranking, k, n)
            add_slot(chart, ranking, item, k, out)
        slot = ranking.slot_of[item]
        if ranking.slots[slot, FOUND] > rank or is_exhausted(ranking, slot):
            depth -= 1
        elif ranking.slots[slot, SUCCEEDED] == 1:
            pop(ranking, slot)
        else:
            missing, missing_rank = add_successors(chart, ranking, slot)
            if missing >= 0:
                items[depth], ranks[depth] = missing, missing_rank
                depth += 1
    return read_trees(chart, ranking, goal, n)


@helper
def read_trees(chart, ranking, goal, n):
    """Heads and scores of all trees found for the goal."""
    found = ranking.slots[ranking.slot_of[goal], FOUND]
    trees = np.full((found, n + 1), -1, np.int64)
    local, out = np.empty(n + 2), np.empty(n + 2)
    first, second = np.empty(n + 2, np.int64), np.empty(n + 2, np.int64)
    items, ranks = np.empty(8 * n + 16, np.int64), np.empty(8 * n + 16, np.int64)
    for tree in range(found):
        items[0], ranks[0], depth = goal, tree, 1
        while depth > 0:
            depth -= 1
            item, rank = items[depth], ranks[depth]
            mark(chart, item, trees[tree])
            slot = ranking.slot_of[item]
            i, j = 0, 0
            if slot >= 0 and ranking.slots[slot, FOUND] > rank:
                chosen = ranking.best[slot, rank]
                i, j = (chosen >> BITS) & RANK, chosen & RANK
                at = ranking.slots[slot, FIRST_WAY] + (chosen >> (2 * BITS))
                left, right = ranking.first[at], ranking.second[at]
            else:
                count = edges(chart, item, local, first, second)
                if count == 0:
                    continue
                way_values(chart, count, local, first, second, out)
                x = argjoin(out, count)
                left, right = first[x], second[x]
            items[depth], ranks[depth] = left, i
            items[depth + 1], ranks[depth + 1] = right, j
            depth += 1 + (right >= 0)
    return trees, ranking.best_score[ranking.slot_of[goal], :found].copy()
