# mypy: allow-untyped-defs
"""Learning of tag weights: a structured margin, sentence by sentence, with the steps of AdaGrad.

A weight that has been changed often changes by less each time (Duchi et al. 2011), so that rare
features, of which most words have some, are heard at once:

    w ← w + g / √(Σ g²)        g: how often the right tags have a feature, less the tags found
"""

import numpy as np

from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.tag_search import (
    PAIRED,
    TRIPLED,
    UPOS,
    keep_best,
    pair_keys,
    search,
    slot_of,
    triple_keys,
    triple_slots,
)


@kernel
def learn_tags(tokens, weights, sums, squares, gold, order, step, margin, upos_margin):
    """One pass over the sentences in an order; returns the next step and the number of mistakes.

    sums: what the average of the weights needs (see `headwise.learners.weights`).
    squares: of the changes that each weight was asked for so far.
    margin: by how much every wrong tag must score less than the right one …
    upos_margin: … and by how much more, if its UPOS is wrong.
    """
    best = np.empty(len(tokens.words), np.int32)
    memory = np.empty(len(weights.part_keys), np.float32)
    seen = np.full(len(weights.part_keys), -1, np.int64)
    asked = np.zeros(len(weights.table), np.float32)
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
            right_slots = changed_slots(tokens, weights, a, b, gold, best)
            wrong_slots = changed_slots(tokens, weights, a, b, best, gold)
            for p in right_slots:
                asked[p] += 1
            for p in wrong_slots:
                asked[p] -= 1
            change(weights.table, sums, squares, asked, right_slots, step)
            change(weights.table, sums, squares, asked, wrong_slots, step)
        mistakes += wrong
        step += 1
    return step, mistakes


@inlined
def changed_slots(tokens, weights, a, b, tags, others):
    """Where the weights of a sentence with these tags are that it would not have with others."""
    parts, features = weights.part_of.shape[1], tokens.features.shape[1]
    slots = np.empty((b - a) * (parts * features + PAIRED + TRIPLED), np.int64)
    outside, shift, n = len(weights.transition_keys) - 1, weights.shift, 0
    for i in range(a, b):
        own = tags[i] != others[i]
        last = own or (i > a and tags[i - 1] != others[i - 1])
        for level in range(parts if own else 0):
            key = weights.part_keys[weights.part_of[tags[i], level]]
            for f in range(features):
                slots[n] = slot_of(tokens.features[i, f] ^ key, shift)
                n += tokens.features[i, f] != 0
        previous = tags[i - 1] if i > a else outside
        before = tags[i - 2] if i > a + 1 else outside
        if last:
            for x in pair_keys(tokens, weights, i, b, previous, tags[i]):
                slots[n] = slot_of(x, shift)
                n += 1
        if last or (i > a + 1 and tags[i - 2] != others[i - 2]):
            keys = triple_keys(tokens, weights, i, a, previous, tags[i])
            for p in triple_slots(weights, keys, before):
                slots[n] = p
                n += 1
    return slots[:n]


@helper
def change(table, sums, squares, asked, slots, step):
    """Change weights as is asked for, which is forgotten then: OUT table, sums, squares, asked."""
    for p in slots:
        gradient = asked[p]
        if gradient != 0:
            asked[p] = 0
            squares[p] += gradient * gradient
            by = gradient / np.sqrt(squares[p])
            table[p] += by
            sums[p] += by * np.float32(step)
