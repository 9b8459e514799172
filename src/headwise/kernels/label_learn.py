# mypy: allow-untyped-defs
"""Learning of label weights: the structured perceptron with a margin, chain by chain."""

import numpy as np

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.jit import inlined, kernel
from headwise.kernels.label_features import list_children
from headwise.kernels.label_search import (
    best_labels,
    empty_chain,
    longest_chain,
    pair_keys,
    place,
    see_right_chain,
)
from headwise.kernels.runs import longest_run


@kernel
def learn_labels(
    all_atoms, all_kinds, starts, all_heads, gold, all_lists, all_weights, sums, order, step, margin
):
    """One pass over the sentences in an order; returns the next step and the number of mistakes.

    sums: what the average of the weights needs (see `headwise.learners.weights`).
    margin: by how much every wrong label must score less than the right one.
    """
    atoms, kinds, heads = borrowed((all_atoms, all_kinds, all_heads))
    lists, weights = borrowed((all_lists, all_weights))
    longest, mistakes = longest_chain(starts, heads), 0
    own_chain = empty_chain(longest, len(weights.seeds), longest_run(lists.starts) + 1)
    own_best, own_right = np.empty(longest, np.int32), np.empty(longest, np.int32)
    chain, best, right = borrowed((own_chain, own_best, own_right))
    for s in order:
        a, b = starts[s], starts[s + 1]
        own, tree = atoms[:, a:b], heads[a:b]
        own_rows = list_children(tree)
        rows = borrowed(own_rows)
        for h in range(1, b - a):
            if rows.starts[h] == rows.starts[h + 1]:
                continue
            length = see_right_chain(
                own, kinds[a:b], tree, gold[a:b], rows, lists, weights, h, chain, right
            )
            for k in range(length):
                for t in range(chain.counts[k]):
                    chain.local[k, t] += margin * (chain.labels[k, t] != right[k])
            best_labels(chain, length, best)
            wrong = 0
            for k in range(length):
                wrong += best[k] != right[k]
            if wrong > 0:
                update(chain, length, weights, sums, own, h, right, np.float32(1), step)
                update(chain, length, weights, sums, own, h, best, np.float32(-1), step)
            mistakes += wrong
        kept(own_rows)
        step += 1
    kept((own_chain, own_best, own_right))
    return step, mistakes


@inlined
def update(chain, length, weights, sums, atoms, h, labels, change, step):
    """Add to the weights of all features of a chain with these labels."""
    end = len(weights.keys) - 1
    for i in range(length + 1):
        previous = labels[i - 1] if i > 0 else end
        label = labels[i] if i < length else end
        for x in pair_keys(weights, atoms, h, previous, label):
            p = place(x, weights.shift)
            weights.table[p] += change
            sums[p] += change * step
        if i < length:
            for f in range(chain.features.shape[1]):
                p = place(chain.features[i, f] ^ weights.keys[label], weights.shift)
                weights.table[p] += change
                sums[p] += change * step
