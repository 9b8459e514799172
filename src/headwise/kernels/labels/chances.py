# mypy: allow-untyped-defs
"""Probabilities of labels, given a tree: forward and backward sums over the chains of children."""

import numpy as np

from headwise.kernels.labels.features import VIEWS, allocate_children, list_children
from headwise.kernels.labels.search import (
    empty_chain,
    longest_chain,
    see_right_chain,
    tree_of,
)
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.runtime.jit import helper, kernel, maker


@kernel
def label_chances(trees, starts, lists, weights):
    """The probability of each label under its tree, and the logarithm of that of all of a tree's.

    The scale of the weights says how sure they are. Arcs from the root have but one label.
    """
    chances, together = np.ones(len(trees.heads)), np.zeros(len(starts) - 1)
    longest = longest_chain(starts, trees.heads)
    chain = empty_chain(longest, len(weights.seeds), longest_run(lists.starts) + 1)
    right, seen = np.empty(longest, np.int32), np.empty(VIEWS, np.uint64)
    rows = allocate_children(longest_run(starts))
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        tree = tree_of(trees, a, b)
        list_children(tree.heads, rows)
        for h in range(1, b - a):
            first = rows.starts[h]
            if first == rows.starts[h + 1]:
                continue
            length = see_right_chain(tree, rows, lists, weights, h, seen, chain, right)
            forward, backward, whole = sums_of(chain, length)
            for k in range(length):
                t = index_of(chain.labels[k], right[k])
                chances[a + rows.children[first + k]] = np.exp(
                    min(forward[k, t] + backward[k, t] - whole, 0.0)
                )
            together[s] += min(score_of(chain, length, right) - whole, 0.0)
    return chances, together


@kernel
def label_distributions(trees, starts, lists, weights, count):
    """The probabilities of all of `count` labels under their trees, [token, label].

    Labels that an arc may not have, and all of the root itself, have the probability 0.
    """
    found, longest = np.zeros((len(trees.heads), count)), longest_chain(starts, trees.heads)
    chain = empty_chain(longest, len(weights.seeds), longest_run(lists.starts) + 1)
    right, seen = np.empty(longest, np.int32), np.empty(VIEWS, np.uint64)
    rows = allocate_children(longest_run(starts))
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        tree = tree_of(trees, a, b)
        list_children(tree.heads, rows)
        for k in range(rows.starts[0], rows.starts[1]):
            found[a + rows.children[k], weights.root] = 1.0
        for h in range(1, b - a):
            first = rows.starts[h]
            if first == rows.starts[h + 1]:
                continue
            length = see_right_chain(tree, rows, lists, weights, h, seen, chain, right)
            forward, backward, whole = sums_of(chain, length)
            for k in range(length):
                own = found[a + rows.children[first + k]]
                for t in range(chain.counts[k]):
                    total = forward[k, t] + backward[k, t] - whole
                    own[chain.labels[k, t]] = np.exp(min(total, 0.0))
    return found


@helper
def index_of(labels, label):
    """Which of some labels one is."""
    t = 0
    while labels[t] != label:
        t += 1
    return t


@helper
def score_of(chain, length, right):
    """The score of one labelling of a chain."""
    total, before = 0.0, 0
    for k in range(length):
        t = index_of(chain.labels[k], right[k])
        total += chain.local[k, t] + chain.pair[k, before, t]
        before = t
    return total + chain.pair[length, before, 0]


@maker
def sums_of(chain, length):
    """log Σ exp over all labellings up to each label, after it, and of the whole chain.

    forward[i, t] = local[i, t] + log Σ_u exp(forward[i-1, u] + pair[i, u, t])
    backward[i, u] = log Σ_t exp(pair[i+1, u, t] + local[i+1, t] + backward[i+1, t])
    """
    most = chain.labels.shape[1]
    forward, backward = chain.local[:length].copy(), np.zeros((length, most))
    terms = np.empty(most)
    for i in range(length):
        for t in range(chain.counts[i]):
            if i == 0:
                forward[0, t] += chain.pair[0, 0, t]
                continue
            for u in range(chain.counts[i - 1]):
                terms[u] = forward[i - 1, u] + chain.pair[i, u, t]
            forward[i, t] += log_sum(terms, chain.counts[i - 1])
    for u in range(chain.counts[length - 1]):
        backward[length - 1, u] = chain.pair[length, u, 0]
        terms[u] = forward[length - 1, u] + chain.pair[length, u, 0]
    whole = log_sum(terms, chain.counts[length - 1])
    for i in range(length - 2, -1, -1):
        for u in range(chain.counts[i]):
            for t in range(chain.counts[i + 1]):
                following = chain.local[i + 1, t] + backward[i + 1, t]
                terms[t] = chain.pair[i + 1, u, t] + following
            backward[i, u] = log_sum(terms, chain.counts[i + 1])
    return forward, backward, whole


@helper
def log_sum(terms, count):
    """log Σ exp of the first terms."""
    highest = terms[0]
    for k in range(1, count):
        highest = max(highest, terms[k])
    total = 0.0
    for k in range(count):
        total += np.exp(terms[k] - highest)
    return highest + np.log(total)
