# mypy: allow-untyped-defs
"""The k best non-projective trees in order (Camerini, Fratta & Maffioli 1980; Hall 2007).

The set of all trees is cut into *spaces* by arcs required and arcs forbidden. The best tree A of a
space comes from one contraction (`mst`), and the same contraction shows an arc e of A by whose loss
the second best tree arises. A heap holds the spaces by the score of their second best trees:

    take the space whose second best tree is best, and cut it by e:
        without e    its best tree is the second best of the space: the next tree to give out
        with e       its best tree is A, given out before
    and put both back, each by its own second best tree.

That is two contractions a tree, O(k n²) in all.

*Second best.* Every word's arc e in A was taken by one node S of the contraction, and any other arc
f into S from outside the subtree of e may replace it, at a loss of best[S] - enter[S][f]. The
smallest loss over all S and f is that of the second best tree.

Weights are integers, so that equal scores are equal and no tree is lost or given out twice by
rounding. Where A must come out again among equals, it is given an advantage: every weight is
multiplied by n + 1, and those of the arcs of A raised by one.

With a single root, trees are ordered by (fewest root arcs, score) as in `mst`, and trees of several
roots, which would come last, are left out.
"""

import heapq

import numpy as np

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.jit import helper, kernel
from headwise.kernels.mst import (
    INTEGER_LIMIT,
    INTEGER_NONE,
    contract_cycles,
    expand,
    fill_row,
    new_contraction,
    root_arcs,
    start,
    tree_score,
)

LARGEST = 1 << 59
REQUIRED, FORBIDDEN = 1, 0


@helper
def as_integers(scores):
    """Weights in proportion to the scores, as fine as 64 bits allow."""
    n = scores.shape[0] - 1
    largest = 0.0
    for h in range(n + 1):
        for m in range(1, n + 1):
            if scores[h, m] != -np.inf and h != m:
                largest = max(largest, abs(scores[h, m]))
    # A power of two, so that scores which are whole numbers, or halves, … stay exact.
    exponent = np.floor(np.log2(LARGEST / (n + 1)) - np.log2(largest)) if largest > 0 else 0.0
    scale = 2.0 ** np.floor(exponent / 2)  # in two steps, as both together may be too large
    rest = 2.0 ** (exponent - np.floor(exponent / 2))
    weights = np.full((n + 1, n + 1), INTEGER_NONE, np.int64)
    for h in range(n + 1):
        for m in range(1, n + 1):
            if scores[h, m] != -np.inf and h != m:
                weights[h, m] = np.int64(np.rint(scores[h, m] * scale * rest))
    return weights


@helper
def restrict(weights, cuts, space, out):
    """The weights of a space: itself and its ancestors are `cuts[space] = parent, h, m, kind`."""
    out[:] = weights
    while space > 0:
        head, modifier = cuts[space, 1], cuts[space, 2]
        kept = out[head, modifier]
        if cuts[space, 3] == REQUIRED:
            out[:, modifier] = INTEGER_NONE
            out[head, modifier] = kept
        else:
            out[head, modifier] = INTEGER_NONE
        space = cuts[space, 0]


@helper
def favour(weights, heads):
    """Give a tree the advantage over all trees of equal weight. Changes the weights."""
    n = weights.shape[0] - 1
    for h in range(n + 1):
        for m in range(1, n + 1):
            if weights[h, m] > INTEGER_LIMIT:
                weights[h, m] = weights[h, m] * (n + 1) + (heads[m] == h)


@helper
def solve(c, weights, single_root, heads):
    """Find the best tree of a space. OUT: heads. The number of nodes, or -1 if there is no tree."""
    n = weights.shape[0] - 1
    if not start(c, weights, single_root):
        return -1
    nodes = contract_cycles(c, weights, n + 1, single_root)
    if nodes < 0 or (single_root and root_arcs(c, n) > 1):
        return -1
    expand(c, n, nodes, heads)
    return nodes


@helper
def second_best(c, weights, nodes, single_root, heads):
    """The loss of the second best tree, and the word whose arc it lacks; word 0 if none."""
    n = weights.shape[0] - 1
    first, beyond = number_subtrees(heads)
    loss, word = 0, 0
    for node in range(1, nodes):
        if c.walk[node] != 0:
            continue
        fill_row(c, weights, node, n)
        other = best_other_arc(c, node, n, first, beyond, single_root)
        other = max(other, best_parallel_arc(c, node))
        if other > INTEGER_LIMIT and (word == 0 or c.best[node] - other < loss):
            loss = c.best[node] - other
            word = c.target[node]
    return loss, word


@helper
def number_subtrees(heads):
    """Number tokens from the top down: the subtree of m is numbered first[m] … beyond[m] - 1."""
    size = heads.shape[0]
    child, sibling = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for m in range(size - 1, 0, -1):
        sibling[m] = child[heads[m]]
        child[heads[m]] = m
    first, beyond = np.empty(size, np.int64), np.empty(size, np.int64)
    number, token = 0, 0
    while True:
        first[token] = number
        number += 1
        if child[token] != 0:
            token = child[token]
            continue
        beyond[token] = number
        while token != 0 and sibling[token] == 0:
            token = heads[token]
            beyond[token] = number
        if token == 0:
            return first, beyond
        token = sibling[token]


@helper
def may_replace(source, m, head, first, beyond, single_root):
    """Whether an arc from `source` may replace head → m without a cycle or a second root."""
    if source == head or (single_root and source == 0 and head != 0):
        return False
    return not first[m] <= first[source] < beyond[m]


@helper
def best_other_arc(c, node, n, first, beyond, single_root):
    """The worth of the best replacement for the arc of a node, from another source."""
    best = INTEGER_NONE
    m, head = c.target[node], c.source[node]
    for source in range(n + 1):
        if may_replace(source, m, head, first, beyond, single_root):
            best = max(best, c.enter[node, source])
    return best


@helper
def best_parallel_arc(c, node):
    """The worth of the best arc from the same source to another word of the node."""
    best = INTEGER_NONE
    source, inner = c.source[node], c.target[node]
    while inner != node:
        if best > INTEGER_LIMIT:
            best -= c.best[inner]
        beside = c.around[inner]
        while beside != inner:
            if c.enter[beside, source] > INTEGER_LIMIT:
                best = max(best, c.enter[beside, source] - c.best[beside])
            beside = c.around[beside]
        inner = c.parent[inner]
    return best


@kernel
def kbest_trees(scores, k, single_root, trees):
    """Find the k best trees of scores[head, modifier], of which the diagonal is not looked at.

    OUT: trees[k, n + 1], best first. Returns how many there are.
    """
    n = scores.shape[0] - 1
    owned = new_contraction(n, INTEGER_NONE, INTEGER_LIMIT)
    c = borrowed(owned)
    weights = as_integers(scores)
    work = weights.copy()
    heads = np.empty(n + 1, np.int64)
    cuts = np.zeros((2 * k, 4), np.int64)
    heap = [(0, 0, 0, 0)]  # minus the weight of a second best tree, space, best tree, word
    spaces, count = 0, 0
    while count < k and len(heap) > 0:
        _, parent, tree, word = heapq.heappop(heap)
        for kind in range(FORBIDDEN, REQUIRED + 1):
            if kind == REQUIRED and (word == 0 or count == k):
                continue  # the space of all trees has not been cut, or there are enough trees
            if word != 0:
                cuts[spaces, 0], cuts[spaces, 1] = parent, trees[tree, word]
                cuts[spaces, 2], cuts[spaces, 3] = word, kind
            restrict(weights, cuts, spaces, work)
            unit = 1
            if kind == REQUIRED:
                favour(work, trees[tree])
                unit = n + 1
            nodes = solve(c, work, single_root, heads)
            if nodes < 0:
                continue  # only the space of all trees can be empty
            if kind == FORBIDDEN:
                trees[count] = heads
                best = count
                count += 1
            else:
                best = tree
            loss, lost = second_best(c, work, nodes, single_root, heads)
            if lost != 0:
                total = tree_score(weights, heads)
                heapq.heappush(heap, (loss // unit - total, spaces, best, lost))
            spaces += 1
    kept(owned)
    return count
