# mypy: allow-untyped-defs
"""Exact samples of non-projective trees by loop-erased random walks (Wilson 1996).

From every word that is not in the tree yet, walk to a head drawn by its weight, to a head of that,
and so on until the tree is met; without its loops, the walk joins the tree. With a single root, the
root word is drawn first by its exact probability, and the walks end there.

Walks run long where words hold each other in cycles. How long they run says nothing of the tree
that comes out (loops are independent of what is left, Propp & Wilson 1998), so a walk may be given
up after a number of steps without bias, and the tree drawn in another way (`regrowth`), O(n³).

Every tree has its own stream of random numbers, so the first trees of many are the same as few.
"""

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.nonprojective.matrixtree import arc_marginals
from headwise.kernels.nonprojective.regrowth import regrow_trees
from headwise.kernels.primitives.randomness import draw, random_bits
from headwise.kernels.runtime.jit import kernel, maker

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@maker
def cumulative_weights(scores, first):
    """For every word, its heads' weights summed up from token `first` on."""
    size = scores.shape[0]
    sums = np.zeros((size, size))
    for m in range(1, size):
        top = -np.inf
        for h in range(first, size):
            if h != m:
                top = max(top, scores[h, m])
        total = 0.0
        for h in range(size):
            if h >= first and h != m and scores[h, m] > -np.inf:
                total += np.exp(scores[h, m] - top)
            sums[m, h] = total
    return sums


@maker
def walk_tree(sums, root, limit, state, heads):
    """Draw a tree by walks that end at token `root`. OUT: heads. False if given up."""
    size = heads.shape[0]
    joined = np.zeros(size, np.bool_)
    joined[root] = True
    steps = 0
    for start in range(1, size):
        word = start
        while not joined[word]:
            heads[word] = draw(sums[word], state)
            word = heads[word]
            steps += 1
            if steps > limit:
                return False
        word = start
        while not joined[word]:
            joined[word] = True
            word = heads[word]
    return True


@kernel
def walk_trees(scores, root_sums, limit, seed, trees, roots, states, done):
    """Draw trees by walks. `root_sums` are the root words' probabilities, summed up, or empty.

    IN: seed, the state of a stream from which every tree's own stream starts. OUT: trees, roots
    (0 for several), the states of the trees' streams [tree, 1], and done: False where the walks
    were given up.
    """
    single_root = len(root_sums) > 0
    sums = cumulative_weights(scores, 1 if single_root else 0)
    for i in range(trees.shape[0]):
        states[i, 0] = random_bits(seed)
        roots[i] = draw(root_sums, states[i]) if single_root else 0
        done[i] = walk_tree(sums, roots[i], limit, states[i], trees[i])


def sample_trees(scores: Floats, single_root: bool, limit: int, seed: int, trees: Integers) -> None:
    """Draw trees by exp(score). There must be a tree. OUT: trees[count, n + 1].

    `limit` is the number of steps after which the walks for a tree are given up.
    """
    root_sums = np.cumsum(arc_marginals(scores, True)[0]) if single_root else np.empty(0)
    roots, done = np.empty(len(trees), np.int64), np.empty(len(trees), np.bool_)
    states = np.empty((len(trees), 1), np.uint64)
    walk_trees(scores, root_sums, limit, np.array([seed], np.uint64), trees, roots, states, done)
    given_up = np.flatnonzero(~done)
    if len(given_up):
        by_root = given_up[np.argsort(roots[given_up], kind="stable")]
        regrow_trees(scores, by_root, roots, states, trees)
    rooted = np.flatnonzero(roots)
    trees[rooted, roots[rooted]] = 0
    trees[:, 0] = -1
