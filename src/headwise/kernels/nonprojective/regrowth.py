# mypy: allow-untyped-defs
"""Exact samples of non-projective trees in bounded time: words are eliminated, then put back.

Once all words are eliminated (`elimination`), the only tree left is the root alone. Words are put
back in the opposite order. Without k, an arc h → m has the weight

    weight[h, m] + share[h] · weight[k, m]

so it runs from h to m, or from h through k to m: one of the two is drawn. Let S be the modifiers
whose arcs run through k. They become modifiers of k, and their former heads are forgotten. What is
left hanging on the root is a tree without S and all below it; k's head is drawn from its words by
their shares. That is exact: what S hung on before, summed over all ways that led to a tree, has the
same weight as k hanging on that tree, because shares add up to 1 (the sum over all trees of the
product of the shares of the heads, of pieces that are to hang together, is the share of the piece
that has the root).

Which word an arc runs through is drawn when the arc arises, for all words yet to come at once.
An elimination takes O(n³), a tree O(n²) and O(n) more for every arc that changes.
"""

import numpy as np

from headwise.kernels.nonprojective.elimination import (
    NEVER,
    TOO_SMALL,
    eliminate,
    new_elimination,
    scaled_weights,
)
from headwise.kernels.primitives.randomness import draw
from headwise.kernels.runtime.jit import helper, kernel, maker

UNKNOWN, HANGS, IS_CUT = 0, 1, 2


@maker
def eliminate_all(scores, logs):
    """Eliminate the words n … 1 in this order; their steps are 0 … n - 1.

    Returns the elimination, the weights before it, the rows of weights that words had when they
    were eliminated, and whether numbers were too small.
    """
    size = scores.shape[0]
    weights, _ = scaled_weights(scores, False, logs)
    before, rows = weights.copy(), np.empty((size, size))
    e = new_elimination(scores)
    for step in range(size - 1):
        k = size - 1 - step
        e.low[step], e.high[step] = 1, k
        rows[k] = weights[k]
        eliminate(e, weights, k, step, NEVER, False, logs)
    return e, before, rows, e.headroom[size - 2] < TOO_SMALL


@maker
def draw_one(terms, count, logs, state):
    """Draw one of some terms by its weight. IN/OUT: state; changes the terms."""
    if logs:
        top = terms[:count].max()
        for i in range(count):
            terms[i] = np.exp(terms[i] - top)
    return min(draw(np.cumsum(terms[:count]), state), count - 1)


@maker
def draw_through(e, before, rows, k, h, m, terms, logs, state):
    """Draw the word above k that the arc h → m runs through; 0 if it runs through none."""
    size = before.shape[0]
    terms[0] = before[h, m]
    for j in range(k + 1, size):
        share, given = e.share[size - 1 - j, h], rows[j, m]
        terms[j - k] = share + given if logs else share * given
    found = draw_one(terms, size - k, logs, state)
    return k + found if found > 0 else 0


@helper
def find_hanging(heads, through, k, piece):
    """Find which tokens below k hang on the root by arcs that do not run through k. OUT: piece."""
    piece[:k] = UNKNOWN
    piece[0] = HANGS
    for start in range(1, k):
        word = start
        while piece[word] == UNKNOWN and through[word] != k:
            word = heads[word]
        if piece[word] == UNKNOWN:
            piece[word] = IS_CUT
        found = piece[word]
        word = start
        while piece[word] == UNKNOWN:
            piece[word] = found
            word = heads[word]


@maker
def put_back(e, before, rows, logs, state, heads):
    """Put all words back. OUT: heads."""
    size = before.shape[0]
    through, piece = np.zeros(size, np.int64), np.zeros(size, np.int64)
    terms = np.empty(size)
    for k in range(1, size):
        find_hanging(heads, through, k, piece)
        for h in range(k):
            share = e.share[size - 1 - k, h]
            terms[h] = share if piece[h] == HANGS else (-np.inf if logs else 0.0)
        heads[k] = draw_one(terms, k, logs, state)
        through[k] = draw_through(e, before, rows, k, heads[k], k, terms, logs, state)
        for m in range(1, k):
            if through[m] == k:
                heads[m] = k
                through[m] = draw_through(e, before, rows, k, k, m, terms, logs, state)


@maker
def with_root_word(scores, root):
    """Scores under which a word is the only one at the root; the same scores if it is token 0."""
    limited = scores.copy()
    if root != 0:
        limited[0, :] = -np.inf
        limited[:, root] = -np.inf
        limited[0, root] = 0.0
    return limited


@kernel
def regrow_trees(scores, which, roots, states, trees):
    """Draw some of many trees: those in `which`, with given root words (0: any number of roots).

    There must be such trees. IN/OUT: states, of the random numbers of each tree. OUT: trees.
    An elimination is used for all trees in a row of the same root word.
    """
    logs = False
    e, before, rows, lost = eliminate_all(with_root_word(scores, roots[which[0]]), logs)
    for at in range(len(which)):
        i = which[at]
        if at > 0 and roots[i] != roots[which[at - 1]]:
            logs = False
            e, before, rows, lost = eliminate_all(with_root_word(scores, roots[i]), logs)
        if lost:
            logs = True
            e, before, rows, lost = eliminate_all(with_root_word(scores, roots[i]), logs)
        put_back(e, before, rows, logs, states[i], trees[i])
