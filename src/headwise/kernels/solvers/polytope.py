# mypy: allow-untyped-defs
"""The matrix of heads that is nearest to scores (Wang 2009; Wang 2008, section 8.4.1).

    minimise ½ Σ (y[h, m] - score[h, m])²
    subject to   y ≥ 0,   Σ_h y[h, m] = 1 for every word m,   y[m, m] = 0,
                 y[h, m] + y[m, h] ≤ 1 for every two words

(No entry is above 1 then.) With a multiplier μ ≥ 0 for each two words, and a threshold τ for each
word, the solution is

    y[h, m] = max(0, score[h, m] - μ[h, m] - τ[m])

Each word by itself is the projection onto a simplex. Few pairs of words come to more than 1 by
that; they are visited in turn, and μ of each moves to where it comes to just 1, or to 0. This is
coordinate ascent on the dual, which has no other stationary points than its maximum.
"""

import numpy as np

from headwise.kernels.primitives.semiring import largest1
from headwise.kernels.runtime.jit import helper, kernel

MOST_HALVINGS = 200
"""Steps within which μ of one pair is found: each at least halves where it can be."""

EXACT = 1e-14
"""A pair is met that comes this near to 1."""


@kernel
def nearest_heads(scores, tolerance, passes):
    """The matrix [head, modifier] nearest to scores, and by how much it misses a condition.

    That is the excess of a pair over 1, or its distance from 1 where μ > 0; all other conditions
    hold but for rounding. It is at most `tolerance`, unless `passes` were not enough.
    """
    size = scores.shape[0]
    value, threshold = np.empty((size, size)), np.empty(size)  # [modifier, head]
    for m in range(1, size):
        for h in range(size):
            value[m, h] = scores[h, m]
        value[m, m] = -np.inf
        threshold[m], _ = simplex_threshold(value[m])
    pushed = np.zeros((size, size))  # μ
    worst = meet_pairs(value, threshold, pushed, tolerance, passes)
    heads = np.zeros((size, size))
    for m in range(1, size):
        for h in range(size):
            heads[h, m] = max(0.0, value[m, h] - threshold[m])
    return heads, worst


@helper
def meet_pairs(value, threshold, pushed, tolerance, passes):
    """Visit pairs of words until all are met: IN/OUT value, threshold, pushed; the largest miss."""
    size = len(threshold)
    worst = 0.0
    for _ in range(passes + 1):
        worst = 0.0
        for m in range(2, size):
            for h in range(1, m):
                excess = both(value, threshold, h, m) - 1.0
                miss = excess if pushed[h, m] == 0.0 else abs(excess)
                if miss > tolerance:
                    worst = max(worst, miss)
                    meet_pair(value, threshold, pushed, h, m)
        if worst == 0.0:
            break
    return worst


@helper
def both(value, threshold, h, m):
    """How much of one is the head of the other, either way."""
    down = max(0.0, value[m, h] - threshold[m])
    return down + max(0.0, value[h, m] - threshold[h])


@helper
def meet_pair(value, threshold, pushed, h, m):
    """Move μ of a pair to where it comes to just 1, or to 0: IN/OUT value, threshold, pushed.

    What the pair comes to falls with μ, in straight pieces: Newton's steps, halving where they
    leave the interval that is known.
    """
    down, up = value[m, h] + pushed[h, m], value[h, m] + pushed[h, m]
    value[m, h] = -np.inf
    low = 0.0
    high = max(0.0, down - largest1(value[m], 0, len(value)) + 1.0)  # h is not a head of m there
    at = pushed[h, m]
    for _ in range(MOST_HALVINGS):
        value[m, h], value[h, m] = down - at, up - at
        threshold[m], of_m = simplex_threshold(value[m])
        threshold[h], of_h = simplex_threshold(value[h])
        excess = both(value, threshold, h, m) - 1.0
        if abs(excess) <= EXACT or (at == 0.0 and excess <= 0.0):
            break
        if excess > 0.0:
            low = at
        else:
            high = at
        slope = 0.0
        if value[m, h] > threshold[m]:
            slope += 1.0 - 1.0 / of_m
        if value[h, m] > threshold[h]:
            slope += 1.0 - 1.0 / of_h
        step = at + excess / slope if slope > 0.0 else -1.0
        if at > 0.0 and step <= 0.0 and low == 0.0:
            step = 0.0  # the pair may not need μ at all
        elif not low < step < high:
            step = 0.5 * (low + high)
        if step == at:
            break
        at = step
    pushed[h, m] = at


@helper
def simplex_threshold(values):
    """τ with Σ max(0, value - τ) = 1, and how many values are above it (Michelot 1986)."""
    total, count = 0.0, 0
    for i in range(len(values)):
        if values[i] > -np.inf:
            total += values[i]
            count += 1
    threshold = (total - 1.0) / count
    while True:
        total, above = 0.0, 0
        for i in range(len(values)):
            if values[i] > threshold:
                total += values[i]
                above += 1
        if above >= count or above == 0:  # rounding may bring one back
            return threshold, count
        count, threshold = above, (total - 1.0) / above
