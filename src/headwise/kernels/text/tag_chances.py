# mypy: allow-untyped-defs
"""Probabilities of tags: forward and backward sums over the tags that enter the search.

forward[i, u, t]  = pair[i, u, t] + log Σ_v exp(forward[i-1, v, u] + triple[i, v, u, t])
backward[i, u, t] = log Σ_w exp(pair[i+1, t, w] + triple[i+1, u, t, w] + backward[i+1, t, w])
"""

import numpy as np

from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.tag_search import (
    BEAM,
    keep_best,
    pair_score,
    triple_keys,
    triple_score,
)


@kernel
def tag_chances(tokens, weights, zero, temperature):
    """The tags that were tried for each token, -1 after the last one, and their probabilities.

    Both are [token, k]; `zero` has the type of scores, which are divided by the temperature.
    """
    size = len(tokens.words)
    tags, chances = np.full((size, BEAM), -1, np.int32), np.zeros((size, BEAM))
    memory = np.empty(len(weights.part_keys), zero.dtype)
    seen = np.full(len(weights.part_keys), -1, np.int64)
    no_gold = np.empty(0, np.int32)
    for sentence in range(len(tokens.starts) - 1):
        a, b = tokens.starts[sentence], tokens.starts[sentence + 1]
        kept, counts, scores = keep_best(tokens, weights, a, b, memory, seen, no_gold, False)
        pairs, triples = score_chain(tokens, weights, a, b, kept, counts, scores, temperature)
        sum_chain(pairs, triples, counts, chances[a:b])
        for i in range(b - a):
            tags[a + i, : counts[i]] = kept[i, : counts[i]]
    return tags, chances


@inlined
def score_chain(tokens, weights, a, b, kept, counts, scores, temperature):
    """The scores of pairs [token, u, t], with those of t itself, and triples [token, v, u, t]."""
    outside = len(weights.transition_keys) - 1
    pairs = np.empty((b - a, BEAM, BEAM))
    triples = np.empty((b - a, BEAM, BEAM, BEAM))
    for i in range(b - a):
        for t in range(counts[i]):
            tag = kept[i, t]
            for u in range(counts[i - 1] if i > 0 else 1):
                previous = kept[i - 1, u] if i > 0 else outside
                pair = scores[i, t] + pair_score(
                    tokens, weights, a + i, b, previous, tag, scores.dtype.type(0)
                )
                keys = triple_keys(tokens, weights, a + i, a, previous, tag)
                pairs[i, u, t] = pair / temperature
                for v in range(counts[i - 2] if i > 1 else 1):
                    before = kept[i - 2, v] if i > 1 else outside
                    triples[i, v, u, t] = triple_score(weights, keys, before, pair) / temperature
    return pairs, triples


@inlined
def sum_chain(pairs, triples, counts, chances):
    """The probabilities of the tags of a sentence: OUT chances[token, t]."""
    size = len(counts)
    forward, backward = np.empty((size, BEAM, BEAM)), np.zeros((size, BEAM, BEAM))
    for i in range(size):
        for u in range(counts[i - 1] if i > 0 else 1):
            for t in range(counts[i]):
                total = triples[0, 0, 0, t] if i == 0 else -np.inf
                for v in range(0 if i == 0 else counts[i - 2] if i > 1 else 1):
                    total = log_sum(total, forward[i - 1, v, u] + triples[i, v, u, t])
                forward[i, u, t] = pairs[i, u, t] + total
    for i in range(size - 2, -1, -1):
        for u in range(counts[i - 1] if i > 0 else 1):
            for t in range(counts[i]):
                total = -np.inf
                for w in range(counts[i + 1]):
                    following = pairs[i + 1, t, w] + triples[i + 1, u, t, w]
                    total = log_sum(total, following + backward[i + 1, t, w])
                backward[i, u, t] = total
    whole = -np.inf
    for t in range(counts[0]):
        whole = log_sum(whole, forward[0, 0, t] + backward[0, 0, t])
    for i in range(size):
        for u in range(counts[i - 1] if i > 0 else 1):
            for t in range(counts[i]):
                chances[i, t] += np.exp(forward[i, u, t] + backward[i, u, t] - whole)


@helper
def log_sum(a, b):
    """The logarithm of exp(a) + exp(b); one of them may be -∞, not both."""
    high, low = max(a, b), min(a, b)
    return high + np.log1p(np.exp(low - high))
