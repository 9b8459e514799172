# mypy: allow-untyped-defs
"""The best non-projective tree: Chu-Liu-Edmonds for dense graphs, in O(n²) (Tarjan 1977).

The steps are in `contraction`.

**A single root exactly** (in the spirit of Gabow & Tarjan 1984): trees are compared by (fewest root
arcs, highest score). No root arc lies on a cycle, so in that order a node takes a root arc only
where it has no other, and nothing needs to be added to any score. If the best tree with any number
of roots happens to have one root, it is the answer already; otherwise its contractions stay valid,
and only the nodes that took a root arc choose again.
"""

import numpy as np

from headwise.kernels.nonprojective.contraction import (
    ROOT_ALLOWED,
    ROOT_LAST,
    choose_again,
    contract_cycles,
    expand,
    new_contraction,
    root_arcs,
    start,
)
from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import embedded, helper, kernel


@helper
def tree_score(scores, heads):
    """The sum of the scores of a tree's arcs."""
    total = scores[heads[1], 1]
    for word in range(2, scores.shape[0]):
        total += scores[heads[word], word]
    return total


@helper
def lower_root(scores, out):
    """The scores with the root's row lowered to a maximum of 0. OUT: out.

    Every tree of a single root has one arc of that row, so the order of trees stays. What all root
    arcs have in common would only take digits from what they are compared with.
    """
    for h in range(len(scores)):
        copy_run(out[h], 0, scores[h], 0, len(scores))
    top = -np.inf
    for m in range(1, scores.shape[0]):
        top = max(top, scores[0, m])
    if top > -np.inf:
        for m in range(1, scores.shape[0]):
            out[0, m] -= top


@embedded
def best_tree_in(c, scores, single_root, heads):
    """Find the best tree with given arrays. OUT: heads. False if there is none."""
    n = scores.shape[0] - 1
    if not start(c, scores, ROOT_ALLOWED):
        return False
    nodes = n + 1
    root_last = ROOT_ALLOWED
    while True:
        nodes = contract_cycles(c, scores, nodes, root_last)
        if nodes < 0:
            return False
        if not single_root or root_arcs(c, n) == 1:
            expand(c, nodes, heads)
            return True
        if root_last:
            return False
        root_last = ROOT_LAST
        choose_again(c, scores)


@embedded
def solve(c, work, table, single_root, heads):
    """Find the best tree with given arrays. OUT: heads. Returns its score, or -inf."""
    size = table.shape[0]
    lowered = table
    if single_root:
        lowered = work[: size * size].reshape(size, size)
        lower_root(table, lowered)
    found = best_tree_in(c, lowered, single_root, heads)
    return tree_score(table, heads) if found else -np.inf


@kernel
def best_tree(owned_scores, single_root):
    """The heads of the best tree, -1 for the root, and its score; -inf if there is no tree.

    `scores` is [head, modifier]; its diagonal and column 0 are not looked at.
    """
    size = owned_scores.shape[0]
    owned = new_contraction(size - 1), np.empty(size * size), np.empty(size, np.int64)
    c, work, heads = borrowed(owned)
    total = solve(c, work, borrowed(owned_scores), single_root, heads)
    return owned[2], total


@kernel
def best_trees(owned_scores, lengths, single_root, owned_heads, totals):
    """Find the best trees of many sentences.

    `scores` holds the (n + 1) × (n + 1) arrays of all sentences one after the other, `lengths`
    their numbers of words. OUT: heads (n + 1 entries a sentence, one after the other) and totals,
    the scores of the trees (-inf where there is none; its heads are then undefined).
    """
    most = lengths.max()
    owned = new_contraction(most), np.empty((most + 1) ** 2)
    c, work = borrowed(owned)
    scores, heads = borrowed(owned_scores), borrowed(owned_heads)
    at, row = 0, 0
    for i in range(lengths.shape[0]):
        size = lengths[i] + 1
        table = scores[at : at + size * size].reshape(size, size)
        totals[i] = solve(c, work, table, single_root, heads[row : row + size])
        at += size * size
        row += size
    kept(owned)
