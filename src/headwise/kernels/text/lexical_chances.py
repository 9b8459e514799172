# mypy: allow-untyped-defs
"""Probabilities of links and ends, smoothed by similar words (Wang 2008, section 5.3)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, inlined, kernel

LEFT, RIGHT = 0, 1
NONE = -1
LEAST_NORM = 1e-6
"""Below this, the sum of similarities is what rounding leaves of nothing."""


class LinkTable(NamedTuple):
    """Counts of links: the row of a head on a side holds its modifiers, by modifier and count."""

    start: NDArray[np.int64]  # [head * 2 + side]
    modifier: NDArray[np.int32]
    before: NDArray[np.int8]  # the count c of modifiers in between
    seen: NDArray[np.int32]  # C(u, v, c, d)
    linked: NDArray[np.int32]  # K(u, v, c, d)
    rate: NDArray[np.float64]  # [side, c] the share of links among all pairs
    total: NDArray[np.int64]  # [head * 2 + side, c] sums of `linked` over modifiers


class Neighbours(NamedTuple):
    """The words that stand in for each token of a sentence, itself first if it is known."""

    own: NDArray[np.int32]  # [token] or NONE
    word: NDArray[np.int32]  # [token, rank] or NONE
    similarity: NDArray[np.float64]  # [token, rank]


@kernel
def stop_chances(ended, asked, rate, near, smooth):
    """P(no more modifiers | word, c, side) of every token: [token, side, c]."""
    tokens, counts = len(near.own), ended.shape[2]
    chances = np.empty((tokens, 2, counts))
    for t in range(tokens):
        for side in range(2):
            for c in range(counts):
                own, share, average, norm = 0.0, 0.0, 0.0, 0.0
                for k in range(near.word.shape[1]):
                    word = near.word[t, k]
                    if word == NONE or asked[word, side, c] == 0:
                        continue
                    estimate = ended[word, side, c] / asked[word, side, c]
                    if word == near.own[t]:
                        own, share = asked[word, side, c], estimate
                    else:
                        average += near.similarity[t, k] * estimate
                        norm += near.similarity[t, k]
                chances[t, side, c] = mixed(own, share, average, norm, rate[side, c], smooth)
    return chances


@helper
def mixed(count, share, average, norm, rate, smooth):
    """The estimate of a context seen `count` times, with that of similar ones (equation 5.3).

    Where no similar context was seen, the rate of all words is taken; where the context itself was
    not, only the similar ones count. Not smoothed, it is the share, 0 of what was never seen.
    """
    if not smooth:
        return share
    similar = average / norm if norm > LEAST_NORM else rate
    if count == 0:
        return similar
    trust = (count + 1.0) / (count + 5.0)
    return trust * share + (1.0 - trust) * similar


@kernel
def link_chances(table, near, smooth, one_word):
    """P(link | head, modifier, c) of every pair of tokens: [head, c, modifier].

    With `one_word`, only one word of a similar context differs.
    """
    tokens, counts = len(near.own), table.rate.shape[1]
    columns = np.full(len(table.start) // 2, NONE, np.int32)
    used = number_columns(near, columns)
    chances = np.zeros((tokens, counts, tokens))
    roots = np.sqrt(near.similarity)
    # [column, c]: sums over the words like the head of similarity · share, and of similarity …
    share_sum, norm_sum = np.empty((used, counts)), np.empty((used, counts))
    # … and for the head itself its share, and how often the context was seen
    own_share, own_seen = np.empty((used, counts)), np.empty((used, counts))
    for h in range(tokens):
        for side in range(2):
            share_sum[:], norm_sum[:], own_share[:], own_seen[:] = 0.0, 0.0, 0.0, 0.0
            for k in range(near.word.shape[1]):
                word = near.word[h, k]
                if word != NONE:
                    row = word * 2 + side
                    add_row(table, row, columns, roots[h, k], share_sum, norm_sum)
                    if word == near.own[h]:
                        copy_row(table, row, columns, own_share, own_seen)
            low, high = (1, h) if side == LEFT else (h + 1, tokens)
            for m in range(low, high):
                for c in range(counts):
                    average, norm, count, share = 0.0, 0.0, 0.0, 0.0
                    for k in range(near.word.shape[1]):
                        if near.word[m, k] == NONE:
                            continue
                        column = columns[near.word[m, k]]
                        is_own = near.word[m, k] == near.own[m]
                        if is_own:
                            count, share = own_seen[column, c], own_share[column, c]
                        if is_own or not one_word:
                            average += roots[m, k] * share_sum[column, c]
                            norm += roots[m, k] * norm_sum[column, c]
                        elif own_seen[column, c] > 0:
                            average += roots[m, k] * own_share[column, c]
                            norm += roots[m, k]
                    if count > 0:  # the context itself is not similar to itself
                        average, norm = average - share, norm - 1.0
                    rate = table.rate[side, c]
                    chances[h, c, m] = mixed(count, share, average, norm, rate, smooth)
    return chances


@inlined
def add_row(table, row, columns, weight, share_sum, norm_sum):
    """Add the shares of links of a row, and its weight where there are any. OUT: both sums."""
    for e in range(table.start[row], table.start[row + 1]):
        column = columns[table.modifier[e]]
        if column != NONE:
            share_sum[column, table.before[e]] += weight * (table.linked[e] / table.seen[e])
            norm_sum[column, table.before[e]] += weight


@inlined
def copy_row(table, row, columns, share, seen):
    """Copy the shares of links of a row, and its counts. OUT: share, seen."""
    for e in range(table.start[row], table.start[row + 1]):
        column = columns[table.modifier[e]]
        if column != NONE:
            share[column, table.before[e]] = table.linked[e] / table.seen[e]
            seen[column, table.before[e]] = table.seen[e]


@kernel
def modifier_chances(table, near, unknown, smooth):
    """P(modifier | head, c, side) of all pairs, for the joint model: [head, c, modifier].

    `unknown` is the word that unknown words are counted as.
    """
    tokens, ranks, counts = len(near.own), near.word.shape[1], table.rate.shape[1]
    chances = np.zeros((tokens, counts, tokens))
    for h in range(tokens):
        for side in range(2):
            low, high = (1, h) if side == LEFT else (h + 1, tokens)
            for c in range(counts):
                norm, count = 0.0, 0.0
                for k in range(ranks):
                    word = near.word[h, k]
                    if word != NONE and table.total[word * 2 + side, c] > 0:
                        if word == near.own[h]:
                            count = table.total[word * 2 + side, c]
                        else:
                            norm += near.similarity[h, k]
                for m in range(low, high):
                    wanted = near.own[m] if near.own[m] != NONE else unknown
                    average, share = 0.0, 0.0
                    for k in range(ranks):
                        word = near.word[h, k]
                        if word == NONE or table.total[word * 2 + side, c] == 0:
                            continue
                        linked = times_linked(table, word * 2 + side, wanted, c)
                        estimate = linked / table.total[word * 2 + side, c]
                        if word == near.own[h]:
                            share = estimate
                        else:
                            average += near.similarity[h, k] * estimate
                    chances[h, c, m] = mixed(count, share, average, norm, 0.0, smooth)
    return chances


@helper
def times_linked(table, row, modifier, c):
    """How often a modifier was linked to a head at a count: found by halving."""
    low, high = table.start[row], table.start[row + 1]
    while low < high:
        middle = (low + high) // 2
        at = table.modifier[middle]
        if at < modifier or (at == modifier and table.before[middle] < c):
            low = middle + 1
        else:
            high = middle
    if low == table.start[row + 1] or table.modifier[low] != modifier or table.before[low] != c:
        return 0
    return table.linked[low]


@inlined
def number_columns(near, columns):
    """Number the words that occur among neighbours. OUT: columns. Returns how many there are."""
    used = 0
    for t in range(near.word.shape[0]):
        for k in range(near.word.shape[1]):
            if near.word[t, k] != NONE and columns[near.word[t, k]] == NONE:
                columns[near.word[t, k]] = used
                used += 1
    return used
