# mypy: allow-untyped-defs, allow-untyped-calls
"""Sums over all non-projective trees: log-partition and marginals (the Matrix-Tree theorem).

The partition is the product of the masses of all words, each when it is eliminated (`elimination`).

*Marginals.* Walk from a word to a head of it, drawn by weight, to a head of that, and so on. Let
escape[h] be the probability that the walk from h comes to the root before it comes to m. Then

    P(h is the head of m) = weight[h, m] · escape[h] / (the same, summed over all heads of m)

To get escape for every m, all other words must be eliminated before m: one half of the words, then
for the other half the same again (O(n³) in all, as every step halves the matrix).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.nonprojective.elimination import (
    NEVER,
    TOO_SMALL,
    eliminate,
    log_add,
    new_elimination,
    scaled_weights,
)
from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.primitives.semiring import LINEAR, LOG, join, largest
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, kernel, maker

Floats = NDArray[np.float64]


@kernel
def log_partition_by(scores, single_root, logs):
    """The log-partition; and whether numbers were too small for it."""
    n = scores.shape[0] - 1
    weights, total = scaled_weights(scores, single_root, logs)
    e = new_elimination(scores)
    used = NEVER
    for step in range(n):
        e.low[step], e.high[step] = 1, n - step
        used = eliminate(e, weights, n - step, step, used, single_root, logs)
        if e.mass[step] == (-np.inf if logs else 0.0):
            return -np.inf, e.headroom[step] < TOO_SMALL
        total += e.mass[step] if logs else np.log(e.mass[step])
        if used == step:
            total += e.before[step] * np.log(2.0)
    return total, e.headroom[n - 1] < TOO_SMALL


def log_partition(scores: Floats, single_root: bool) -> float:
    """The logarithm of the sum of exp(score) over all trees; -inf if there is none."""
    total, too_small = log_partition_by(scores, single_root, False)
    if too_small:
        total, _ = log_partition_by(scores, single_root, True)
    return float(total)


@helper
def escapes(e, steps, used, escape, logs):
    """The probability of coming to the root first, from every eliminated word. OUT: escape.

    With a single root not used yet, all of them are infinitely small, in the same measure: that of
    the root's row after the last step.
    """
    nothing = -np.inf if logs else 0.0
    escape[:] = nothing
    measure = e.after[steps - 1] if steps > 0 and used == NEVER else 0.0
    escape[0] = 0.0 if logs else 2.0**-measure
    for step in range(steps - 1, -1, -1):
        low, high = e.low[step], e.high[step]
        share = e.share[step]
        start = nothing if used != NEVER and step < used else share[0]
        if logs:
            found = log_add(start, join(LOG, share, low, escape, low, high - low))
        else:
            if used == NEVER:
                start *= 2.0 ** (e.before[step] - measure)
            found = start + join(LINEAR, share, low, escape, low, high - low)
        escape[e.order[step]] = found


@helper
def head_distribution(column, escape, root_counts, logs, out):
    """P(h is the head of m) for all h, from m's column of weights. OUT: out. False if lost."""
    first = 0 if root_counts else 1
    out[:] = 0.0
    top = 0.0
    if logs:
        top = largest(column, first, escape, first, len(column) - first)
        if top == -np.inf:
            return False
    total = 0.0
    for h in range(first, column.shape[0]):
        out[h] = np.exp(column[h] + escape[h] - top) if logs else column[h] * escape[h]
        total += out[h]
    if total < TOO_SMALL:
        return False
    out /= total
    return True


class Halves(NamedTuple):
    """The levels of halving: at each, all words but low…high - 1 have been eliminated."""

    low: NDArray[np.int64]  # [level]
    high: NDArray[np.int64]  # [level]
    steps: NDArray[np.int64]  # [level] how many words have been eliminated
    used: NDArray[np.int64]  # [level] the step at which the single root was used
    weights: Floats  # [level, head, modifier]


@maker
def new_halves(weights):
    """Arrays for halving until one word is left; level 0 has all words."""
    n = weights.shape[0] - 1
    levels = 2
    while 1 << (levels - 2) < n:
        levels += 1
    h = Halves(
        np.ones(levels, np.int64),
        np.full(levels, n + 1),
        np.zeros(levels, np.int64),
        np.full(levels, NEVER),
        np.empty((levels, n + 1, n + 1)),
    )
    h.weights[0] = weights
    return h


@helper
def halve(e, h, level, m, single_root, logs):
    """Eliminate the half of a level's words in which m is not; the other is the next level."""
    low, high = h.low[level], h.high[level]
    middle = (low + high) // 2
    left = m < middle
    h.low[level + 1], h.high[level + 1] = (low, middle) if left else (middle, high)
    gone_low, gone_high = (middle, high) if left else (low, middle)
    old, new = h.weights[level], h.weights[level + 1]
    copy_run(new[0], low, old[0], low, high - low)
    for row in range(low, high):
        copy_run(new[row], low, old[row], low, high - low)
    step, used = h.steps[level], h.used[level]
    for k in range(gone_low, gone_high):
        e.low[step], e.high[step] = low, high
        used = eliminate(e, new, k, step, used, single_root, logs)
        step += 1
    h.steps[level + 1], h.used[level + 1] = step, used


@kernel
def arc_marginals_by(scores, single_root, logs, marginals):
    """Find P(h → m). OUT: marginals. False if there is no tree, or numbers were too small."""
    n = scores.shape[0] - 1
    weights, _ = scaled_weights(scores, single_root, logs)
    owned = new_elimination(scores), new_halves(weights)
    e, h = borrowed(owned)
    escape, distribution = np.empty(n + 1), np.empty(n + 1)
    level = 0
    lost = False
    for m in range(1, n + 1):
        while m >= h.high[level]:
            level -= 1
        while h.high[level] - h.low[level] > 1 and not lost:
            halve(e, h, level, m, single_root, logs)
            level += 1
            lost = e.headroom[h.steps[level] - 1] < TOO_SMALL
        escapes(e, h.steps[level], h.used[level], escape, logs)
        root_counts = not single_root or h.used[level] == NEVER
        if lost or not head_distribution(weights[:, m], escape, root_counts, logs, distribution):
            lost = True
            break
        for head in range(len(distribution)):
            marginals[head, m] = distribution[head]
    kept(owned)
    return not lost


def arc_marginals(scores: Floats, single_root: bool) -> Floats:
    """The probabilities of all arcs. There must be a tree."""
    marginals = np.zeros(scores.shape)
    if not arc_marginals_by(scores, single_root, False, marginals):
        arc_marginals_by(scores, single_root, True, marginals)
    return marginals
