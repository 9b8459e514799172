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

Scores stay floating-point numbers. Which trees a space has does not depend on them, so rounding can
neither lose a tree nor give one out twice. Each space is contracted by itself, so a very bad arc
hides no difference between trees that do without it. Where two trees are equal, or nearly so, the
contraction of the space with e may give another tree than A. Then that one is the second best.

With a single root, trees are ordered by (fewest root arcs, score) as in `mst`, and trees of several
roots, which would come last, are left out.
"""

import heapq
from typing import NamedTuple

import numpy as np

from headwise.kernels.nonprojective.contraction import (
    contract_cycles,
    expand,
    fill_row,
    new_contraction,
    root_arcs,
    start,
)
from headwise.kernels.nonprojective.mst import best_tree_in, lower_root, tree_score
from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, kernel, maker

REQUIRED, FORBIDDEN = 1, 0
FIRST_CAPACITY = 16  # trees


class Exchange(NamedTuple):
    """An arc that may replace that of a node of a contraction."""

    loss: float  # how much the tree is worth less
    node: int
    source: int
    target: int


@helper
def restrict(weights, cuts, space, out):
    """The weights of a space: itself and its ancestors are `cuts[space] = parent, h, m, kind`."""
    for h in range(len(weights)):
        copy_run(out[h], 0, weights[h], 0, len(weights))
    while space > 0:
        head, modifier = cuts[space, 1], cuts[space, 2]
        kept = out[head, modifier]
        if cuts[space, 3] == REQUIRED:
            out[:, modifier] = -np.inf
            out[head, modifier] = kept
        else:
            out[head, modifier] = -np.inf
        space = cuts[space, 0]


@helper
def solve(c, weights, single_root, heads):
    """Find the best tree of a space. OUT: heads. The number of nodes, or -1 if there is no tree."""
    n = weights.shape[0] - 1
    if not start(c, weights, single_root):
        return -1
    nodes = contract_cycles(c, weights, n + 1, single_root)
    if nodes < 0 or (single_root and root_arcs(c, n) > 1):
        return -1
    expand(c, nodes, heads)
    return nodes


@maker
def second_best(c, weights, nodes, single_root, heads, second):
    """Find the second best tree. IN: heads, of `solve`. OUT: second. Changes the contraction.

    Returns the word whose arc it lacks, or 0 if there is none.
    """
    best = best_exchange(c, weights, nodes, single_root, heads)
    if best.node == 0:
        return 0
    word = c.target[best.node]
    c.source[best.node], c.target[best.node] = best.source, best.target
    expand(c, nodes, second)
    return word


@maker
def best_exchange(c, weights, nodes, single_root, heads):
    """The exchange of the smallest loss; node 0 if there is none."""
    n = weights.shape[0] - 1
    first, beyond = number_subtrees(heads)
    best = Exchange(np.inf, 0, 0, 0)
    for node in range(1, nodes):
        if c.walk[node] == 0:
            fill_row(c, weights, node, n)
            other = best_other_arc(c, node, n, first, beyond, single_root)
            best = other if other.loss < best.loss else best
            other = best_parallel_arc(c, node)
            best = other if other.loss < best.loss else best
    return best


@maker
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
    """The best replacement for the arc of a node, from another source."""
    worth, best = -np.inf, 0
    m, head = c.target[node], c.source[node]
    for source in range(n + 1):
        if c.enter[node, source] > worth and may_replace(
            source, m, head, first, beyond, single_root
        ):
            worth, best = c.enter[node, source], source
    return Exchange(c.best[node] - worth, node, best, c.into[node, best])


@helper
def best_parallel_arc(c, node):
    """The best replacement for the arc of a node, from the same source to another of its words.

    Both arcs are compared on the innermost cycle around their words. Outside it they lose the same,
    which may be so much that their difference would be lost in it.
    """
    loss, target = np.inf, 0
    source, inner = c.source[node], c.target[node]
    while inner != node:
        gain = c.enter[inner, source] - c.best[inner]
        beside = c.around[inner]
        while beside != inner:
            other = c.enter[beside, source] - c.best[beside]
            if gain - other < loss:
                loss, target = gain - other, c.into[beside, source]
            beside = c.around[beside]
        inner = c.parent[inner]
    return Exchange(loss, node, source, target)


@maker
def next_in_space(c, weights, nodes, single_root, tree, heads, second):
    """Find the best tree of a space but the given one. IN: heads, of `solve`. OUT: second.

    Returns the word whose arc of the given tree it lacks, or 0 if there is none.
    """
    for m in range(1, heads.shape[0]):
        if heads[m] != tree[m]:
            copy_run(second, 0, heads, 0, len(heads))
            return m
    return second_best(c, weights, nodes, single_root, heads, second)


@maker
def twice_as_long(array):
    """A copy with twice as many rows."""
    longer = np.empty((2 * array.shape[0], array.shape[1]), array.dtype)
    longer[: array.shape[0]] = array
    return longer


@kernel
def kbest_trees(scores, k, single_root):
    """Find the k best trees of scores[head, modifier], of which the diagonal is not looked at.

    Returns their heads [tree, token], best first; fewer than k if there are fewer.
    """
    n = scores.shape[0] - 1
    owned = new_contraction(n)
    c = borrowed(owned)
    weights = scores.copy()
    if single_root:
        lower_root(scores, weights)
    work, heads, second = weights.copy(), np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    trees, cuts = (
        np.empty((FIRST_CAPACITY, n + 1), np.int64),
        np.zeros((2 * FIRST_CAPACITY, 4), np.int64),
    )
    count = 1 if best_tree_in(c, weights, single_root, trees[0]) else 0
    spaces = 0
    # Minus the score of a space's second best tree, the space, its best tree, the word to cut at.
    heap = [(0.0, 0, 0, 0)]
    while 0 < count < k and len(heap) > 0:
        _, parent, tree, word = heapq.heappop(heap)
        if count == trees.shape[0]:
            trees, cuts = twice_as_long(trees), twice_as_long(cuts)
        for kind in range(FORBIDDEN, REQUIRED + 1):
            if kind == FORBIDDEN and word == 0:
                continue  # the space of all trees has not been cut
            if word != 0:
                cuts[spaces, 0], cuts[spaces, 1] = parent, trees[tree, word]
                cuts[spaces, 2], cuts[spaces, 3] = word, kind
            restrict(weights, cuts, spaces, work)
            nodes = solve(c, work, single_root, heads)
            best = tree
            if kind == FORBIDDEN:
                best = count
                trees[count] = heads
                count += 1
            if count == k:
                break
            lost = next_in_space(c, work, nodes, single_root, trees[best], heads, second)
            if lost != 0:
                heapq.heappush(heap, (-tree_score(weights, second), spaces, best, lost))
            spaces += 1
    kept(owned)
    return trees[:count]
