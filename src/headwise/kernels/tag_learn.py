# mypy: allow-untyped-defs
"""Learning of tag weights: the structured perceptron with a margin, sentence by sentence."""

import numpy as np

from headwise.kernels.jit import inlined, kernel
from headwise.kernels.tag_search import (
    UPOS,
    keep_best,
    pair_keys,
    place,
    search,
    triple_keys,
    triple_places,
)


@kernel
def learn_tags(tokens, weights, sums, gold, order, step, margin, upos_margin):
    """One pass over the sentences in an order; returns the next step and the number of mistakes.

    sums: what the average of the weights needs (see `headwise.learners.weights`).
    margin: by how much every wrong tag must score less than the right one …
    upos_margin: … and by how much more, if its UPOS is wrong.
    """
    best = np.empty(len(tokens.words), np.int32)
    memory = np.empty(len(weights.part_keys), np.float32)
    seen = np.full(len(weights.part_keys), -1, np.int64)
    coarse = weights.part_of[:, UPOS]
    mistakes = 0
    for k in range(len(order)):
        seen[:] = -1  # weights have changed since
        a, b = tokens.starts[order[k]], tokens.starts[order[k] + 1]
        kept, counts, scores = keep_best(tokens, weights, a, b, memory, seen, gold, True)
        for i in range(b - a):
            for t in range(counts[i]):
                scores[i, t] += margin * (kept[i, t] != gold[a + i])
                scores[i, t] += upos_margin * (coarse[kept[i, t]] != coarse[gold[a + i]])
        search(tokens, weights, a, b, kept, counts, scores, best)
        wrong = 0
        for i in range(a, b):
            wrong += best[i] != gold[i]
        if wrong > 0:
            update(tokens, weights, sums, a, b, gold, np.float32(1), np.float32(step))
            update(tokens, weights, sums, a, b, best, np.float32(-1), np.float32(step))
        mistakes += wrong
        step += 1
    return step, mistakes


@inlined
def update(tokens, weights, sums, a, b, tags, change, step):
    """Add to the weights of all features of a sentence with these tags."""
    table, shift = weights.table, weights.shift
    outside = len(weights.transition_keys) - 1
    for i in range(a, b):
        for level in range(weights.part_of.shape[1]):
            key = weights.part_keys[weights.part_of[tags[i], level]]
            for f in range(tokens.features.shape[1]):
                x = tokens.features[i, f]
                if x != 0:
                    p = place(x ^ key, shift)
                    table[p] += change
                    sums[p] += change * step
        previous = tags[i - 1] if i > a else outside
        before = tags[i - 2] if i > a + 1 else outside
        for x in pair_keys(tokens, weights, i, b, previous, tags[i]):
            table[place(x, shift)] += change
            sums[place(x, shift)] += change * step
        for p in triple_places(
            weights, triple_keys(tokens, weights, i, a, previous, tags[i]), before
        ):
            table[p] += change
            sums[p] += change * step
