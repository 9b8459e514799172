# mypy: allow-untyped-defs
"""Weights of similar pairs of words, drawn to each other (Wang 2008, (6.6) to (6.8)).

A *tie* is of two pairs of words with a similarity S. The ties add to the objective

    ½ β ρ Σ S (θ[first] - θ[second])²

and a multiplier γ of each to its dual: θ loses γ/β times (first - second), and the dual γ² / 2βρS.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import build_map, look_up
from headwise.kernels.runtime.jit import helper, inlined, kernel

SPREAD = np.uint64(0x9E3779B97F4A7C15)
NONE = -1

BITS_A_PAIR = 16
"""The least bits of the filter for each pair: of sixteen absent ones it knows fifteen."""


class PairMap(NamedTuple):
    """Where pairs of words are. Most that are asked for are not: a small filter says so quickly."""

    words: int
    keys: NDArray[np.uint64]
    values: NDArray[np.int32]
    filter: NDArray[np.uint64]  # a bit for each of the first bits of a hash
    shift: np.uint64


@helper
def pair_hash(a, b, words):
    """The hash of two words in either order."""
    low, high = min(a, b), max(a, b)
    return (np.uint64(low) * np.uint64(words) + np.uint64(high)) * SPREAD


@inlined
def index_of(table, a, b):
    """The index of a pair of words, or NONE."""
    x = pair_hash(a, b, table.words)
    bit = x >> table.shift
    if (table.filter[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1):
        return look_up(table.keys, table.values, x)
    return np.int32(NONE)


@kernel
def map_pairs(low, high, words):
    """The map of pairs, numbered in their order."""
    hashes = np.empty(len(low), np.uint64)
    bits = 6
    while (1 << bits) < BITS_A_PAIR * len(low):
        bits += 1
    seen, shift = np.zeros(1 << (bits - 6), np.uint64), np.uint64(64 - bits)
    for p in range(len(low)):
        hashes[p] = pair_hash(low[p], high[p], words)
        bit = hashes[p] >> shift
        seen[bit >> np.uint64(6)] |= np.uint64(1) << (bit & np.uint64(63))
    keys, values = build_map(hashes, np.arange(len(low)).astype(np.int32))
    return PairMap(words, keys, values, seen, shift)


@kernel
def ascend_ties(first, second, strength, gammas, pairs, beta):
    """Visit each tie once: γ moves to where the dual is highest. IN/OUT gammas, pairs.

    `strength` is βρS.
    """
    for t in range(len(first)):
        apart = pairs[first[t]] - pairs[second[t]]
        step = (apart - gammas[t] / strength[t]) / (2.0 / beta + 1.0 / strength[t])
        gammas[t] += step
        pairs[first[t]] -= step / beta
        pairs[second[t]] += step / beta


@kernel
def ties_state(first, second, strength, gammas, pairs):
    """What ties add to the objective, what they take from the dual, and the largest violation."""
    objective, dual, worst = 0.0, 0.0, 0.0
    for t in range(len(first)):
        apart = pairs[first[t]] - pairs[second[t]]
        objective += 0.5 * strength[t] * apart * apart
        dual += 0.5 * gammas[t] * gammas[t] / strength[t]
        worst = max(worst, abs(apart - gammas[t] / strength[t]))
    return objective, dual, worst


@kernel
def similar_pairs(low, high, table, near, roots, most, ranks):
    """For every pair of words, the pairs that are most similar to it, and how similar.

    `low` and `high` are the words of each pair of the table, `near` and `roots` [word, rank] the
    similar words of each word and the square roots of their similarities. [pair, rank], the most
    similar first; NONE where there are no more.
    """
    count = len(low)
    found = np.full((count, most), NONE, np.int32)
    how = np.zeros((count, most), np.float32)
    for p in range(count):
        for a in range(min(ranks, near.shape[1])):
            one = near[low[p], a]
            for b in range(min(ranks, near.shape[1])):
                other = near[high[p], b]
                if one == NONE or other == NONE:
                    continue
                similar = roots[low[p], a] * roots[high[p], b]
                if similar <= how[p, most - 1]:
                    continue
                q = index_of(table, one, other)
                if q != NONE and q != p:
                    insert(found[p], how[p], q, similar)
    return found, how


@helper
def insert(found, how, q, similar):
    """Put a pair into a list at its rank, unless it is there: IN/OUT found, how."""
    for rank in range(len(found)):
        if found[rank] == q:  # it was found with its words the other way round
            if how[rank] >= similar:
                return
            for k in range(rank, len(found) - 1):
                found[k], how[k] = found[k + 1], how[k + 1]
            break
    at = len(found) - 1
    while at > 0 and how[at - 1] < similar:
        found[at], how[at] = found[at - 1], how[at - 1]
        at -= 1
    found[at], how[at] = q, similar


@kernel
def pair_scores(numbers, table, pairs, near, roots):
    """The weight of every two tokens, [token, token].

    Where two words have none, it is the average over the similar pairs that have one, weighted by
    their similarity (section 6.3); `near` and `roots` [token, rank] may be of no ranks. `numbers`
    are words, those from `table.words` on of no pair.
    """
    tokens = len(numbers)
    scores = np.zeros((tokens, tokens))
    for j in range(1, tokens):
        for i in range(j):
            p = NONE
            if numbers[i] < table.words and numbers[j] < table.words:
                p = index_of(table, numbers[i], numbers[j])
            weight = 0.0
            if p != NONE:
                weight = pairs[p]
            else:
                norm = 0.0
                for a in range(near.shape[1]):
                    for b in range(near.shape[1]):
                        one, other = near[i, a], near[j, b]
                        if one != NONE and other != NONE:
                            q = index_of(table, one, other)
                            if q != NONE:
                                similar = roots[i, a] * roots[j, b]
                                weight += similar * pairs[q]
                                norm += similar
                weight = weight / norm if norm > 0.0 else 0.0
            scores[i, j] = scores[j, i] = weight
    return scores
