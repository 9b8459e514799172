# mypy: allow-untyped-defs
"""Learning of label weights: the structured perceptron with a margin, chain by chain."""

import numpy as np

from headwise.kernels.labels.features import VIEWS, allocate_children, list_children
from headwise.kernels.labels.search import (
    best_labels,
    empty_chain,
    longest_chain,
    pair_slots,
    see_right_chain,
    tree_of,
)
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel

MOST = 32767
"""The largest weight that two bytes hold."""


@kernel
def learn_labels(all_trees, starts, all_lists, all_weights, sums, order, step, margin):
    """One pass over the sentences in an order; returns the next step and the number of mistakes.

    sums: what the average of the weights needs (see `headwise.learners.weights`).
    margin: by how much every wrong label must score less than the right one.
    """
    trees, lists, weights = borrowed((all_trees, all_lists, all_weights))
    longest, mistakes = longest_chain(starts, trees.heads), 0
    own_chain = empty_chain(longest, len(weights.seeds), longest_run(lists.starts) + 1)
    own_best, own_right = np.empty(longest, np.int32), np.empty(longest, np.int32)
    own_seen, own_rows = np.empty(VIEWS, np.uint64), allocate_children(longest_run(starts))
    chain, best, right = borrowed((own_chain, own_best, own_right))
    seen, rows = borrowed((own_seen, own_rows))
    for s in order:
        a, b = starts[s], starts[s + 1]
        tree = tree_of(trees, a, b)
        list_children(tree.heads, rows)
        for h in range(1, b - a):
            if rows.starts[h] == rows.starts[h + 1]:
                continue
            length = see_right_chain(tree, rows, lists, weights, h, seen, chain, right)
            for k in range(length):
                for t in range(chain.counts[k]):
                    chain.local[k, t] += margin * (chain.labels[k, t] != right[k])
            best_labels(chain, length, best)
            wrong = 0
            for k in range(length):
                wrong += best[k] != right[k]
            if wrong > 0:
                correct(chain, length, weights, sums, tree.atoms, h, right, best, step)
            mistakes += wrong
        step += 1
    kept((own_chain, own_best, own_right, own_seen, own_rows))
    return step, mistakes


@inlined
def correct(chain, length, weights, sums, atoms, h, right, best, step):
    """Add to the weights of the right labels of a chain, and take from those that came out best."""
    end = len(weights.numbers) - 1
    for i in range(length + 1):
        for labels, change in ((right, 1), (best, -1)):
            previous = labels[i - 1] if i > 0 else end
            label = labels[i] if i < length else end
            number = weights.numbers[label]
            for p in pair_slots(weights.shift, atoms, h, previous):
                add(weights.table, sums, p ^ number, change, step)
            if i < length and right[i] != best[i]:
                for f in range(chain.features.shape[1]):
                    add(weights.table, sums, chain.features[i, f] ^ number, change, step)


@helper
def add(table, sums, p, change, step):
    """Change a weight, which is a whole number of two bytes and stays one."""
    before = np.int64(table[p])
    after = min(max(before + change, -MOST), MOST)
    table[p] = after
    sums[p] += (after - before) * step
