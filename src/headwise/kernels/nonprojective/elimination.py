# mypy: allow-untyped-defs
"""Words eliminated from a sum over all non-projective trees, one by one.

The sum over all trees of the product of their weights is the determinant of a matrix (Koo et al.
2007, Smith & Smith 2007, McDonald & Satta 2007). Determinants and inverses subtract, and where
weights are far apart nothing is left of the digits. So words are *eliminated* one by one instead,
without any subtraction (Grassmann, Taksar & Heyman 1985): k's modifiers are given to k's heads,

    mass[k]    = sum over the heads h of weight[h, k]
    share[h]   = weight[h, k] / mass[k]
    weight[h, m] += share[h] · weight[k, m]      (and what would run from m to m is dropped)

and the sum over all trees is mass[k] times that over the trees without k. Every number is right to
nearly all its digits, however far apart the weights are.

*A single root* is the limit of root weights that are infinitely small: a word's mass is that of its
heads among the words, and the root is used once, by a word which has no such head left, mostly the
last one. Up to there root weights are multiples of the infinitely small, and only their
proportions count; after it, what attaches to that word attaches to the root for good.

Weights are numbers, columns scaled to a maximum of 1; where a mass becomes so small that a number
could have been lost below it, everything is done again with logarithms. Either kind differs in its
innermost loops only.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.primitives.semiring import LOG, join1
from headwise.kernels.runtime.jit import helper, kernel, maker

Floats = NDArray[np.float64]

TOO_SMALL = 1e-140
NEVER = 1 << 40


class Elimination(NamedTuple):
    """The words eliminated so far, in order, and how each was divided among its heads."""

    order: NDArray[np.int64]  # [step] the word
    low: NDArray[np.int64]  # [step] its heads were the root and words from here …
    high: NDArray[np.int64]  # [step] … to before here
    share: Floats  # [step, token] the shares of these heads
    mass: Floats  # [step] its mass
    only_root: NDArray[np.bool_]  # [word] whether it never had a head among the words
    headroom: Floats  # [step] how far numbers are above those that may have been lost
    before: Floats  # [step] the root's row is to be taken times two to this before the step, …
    after: Floats  # [step] … and to this after it
    noise: Floats  # [step] how many bits what was lost of that row has come nearer to its maximum


@kernel
def without_offsets(scores, single_root):
    """Scores without what all trees have in common, and the sum of that.

    Every word has one head, so the best score of its heads is taken off all of them. With a single
    root, the root's row has one arc, too, and is lowered by itself.
    """
    size = scores.shape[0]
    top = np.full(size, -np.inf)
    for h in range(1 if single_root else 0, size):
        for m in range(1, size):
            if h != m:
                top[m] = max(top[m], scores[h, m])
    offset, root_top = 0.0, -np.inf
    for m in range(1, size):
        if top[m] == -np.inf:
            top[m] = scores[0, m] if scores[0, m] > -np.inf else 0.0
        offset += top[m]
        root_top = max(root_top, scores[0, m] - top[m])
    if single_root and root_top > -np.inf:
        offset += root_top
    else:
        root_top = 0.0
    lowered = np.full((size, size), -np.inf)
    for h in range(size):
        for m in range(1, size):
            if h != m:
                lowered[h, m] = scores[h, m] - top[m] - (root_top if h == 0 else 0.0)
    return lowered, offset


@maker
def scaled_weights(scores, single_root, logs):
    """Weights with columns scaled to a maximum of 1 (log 0), and the logarithm of what was taken.

    With a single root, the root's row is scaled by itself.
    """
    weights, offset = without_offsets(scores, single_root)
    if not logs:
        for h in range(weights.shape[0]):
            for m in range(weights.shape[0]):
                weights[h, m] = np.exp(weights[h, m])
    return weights, offset


@helper
def eliminate(e, weights, k, step, used, single_root, logs):
    """Eliminate word k from the weights among the words low…high - 1. IN/OUT: e, weights.

    `used` is the step at which the single root was used, NEVER if not yet; returns it anew.
    The mass is 0 (log: -inf) if k has no head at all.
    """
    low, high = e.low[step], e.high[step]
    nothing = -np.inf if logs else 0.0
    takes_root = not single_root or used != NEVER
    root = weights[0, k]
    share = e.share[step]
    share[0] = root
    for h in range(low, high):
        share[h] = weights[h, k]
    mass = sum_of(share, low, high, root if takes_root else nothing, logs)
    if mass == nothing and not takes_root and root > nothing:
        mass = root
        share[0] = 0.0 if logs else 1.0
        copy_run(weights[0], 0, weights[k], 0, weights.shape[1])
        used = step
    elif mass > nothing:
        divide(share, low, high, mass, logs)
        give_to_heads(weights, share, k, low, high, logs)
    root_runs_away = not logs and not takes_root
    given = largest(weights[k], low, high) if root_runs_away else 0.0
    weights[k, low:high] = nothing
    if root_runs_away:
        weights[0, k] = nothing
        weights[low:high, k] = nothing
    e.order[step] = k
    e.mass[step] = mass
    e.before[step] = e.after[step] = e.noise[step] = 0.0
    e.headroom[step] = 1.0
    if not logs:
        headroom = e.headroom[step - 1] if step > 0 else 1.0
        if used == step and not e.only_root[k] and step < e.order.shape[0] - 1:
            headroom = 0.0  # unless by logarithms, it may have had heads whose weights were lost
        # Shares add up to 1, so that an error never grows.
        e.headroom[step] = min(headroom, mass)
        if root_runs_away:
            scale_root(e, weights[0], step, used, given)
    return used


@helper
def largest(row, low, high):
    """The largest of row[low:high], or 0."""
    top = 0.0
    for m in range(low, high):
        top = max(top, row[m])
    return top


@helper
def scale_root(e, row, step, used, given):
    """Scale the root's row to a maximum of about 1. IN/OUT: e, row.

    Root weights that are not part of the mass are divided by it, again and again, and multiplied by
    what was given to heads, at most `given`. So they run away from 1, and what was lost of small
    ones below 10⁻³⁰⁸ may grow faster than the large ones do.
    """
    low, high = e.low[step], e.high[step]
    if step > 0:
        e.before[step] = e.after[step - 1]
    if used == step:
        return
    top = largest(row, low, high)
    if top == 0.0:
        return
    grown = np.floor(np.log2(top))
    factor = 2.0**-grown
    for m in range(low, high):
        row[m] *= factor
    e.after[step] = e.before[step] + grown
    nearer = np.log2(max(given / e.mass[step], 1.0)) - grown
    e.noise[step] = max((e.noise[step - 1] if step > 0 else 0.0) + nearer, 0.0)
    if e.noise[step] > -np.log2(TOO_SMALL):
        e.headroom[step] = 0.0


@helper
def sum_of(values, low, high, start, logs):
    """The sum of values[low:high] and `start`."""
    if logs:
        return log_add(start, join1(LOG, values, low, high - low))
    total = start
    for h in range(low, high):
        total += values[h]
    return total


@helper
def log_add(a, b):
    """log(exp(a) + exp(b))."""
    top, other = max(a, b), min(a, b)
    return top if other == -np.inf else top + np.log1p(np.exp(other - top))


@helper
def divide(share, low, high, mass, logs):
    """Divide the root's entry and values[low:high] by the mass."""
    share[0] = share[0] - mass if logs else share[0] / mass
    for h in range(low, high):
        share[h] = share[h] - mass if logs else share[h] / mass


@helper
def give_to_heads(weights, share, k, low, high, logs):
    """Give the modifiers of k to its heads, by their shares; nobody becomes his own head."""
    nothing = -np.inf if logs else 0.0
    given = weights[k]
    for i in range(low - 1, high):
        h = i if i >= low else 0
        if share[h] > nothing:
            add(weights[h], given, np.uint64(low), np.uint64(high), share[h], logs)
            weights[h, h] = nothing


@helper
def add(row, other, low, high, factor, logs):
    """Add the other row, times the factor, to a row. Unsigned bounds, so that it vectorises."""
    if not logs:
        for m in range(low, high):
            row[m] += factor * other[m]
        return
    for m in range(low, high):
        row[m] = log_add(row[m], factor + other[m])


@maker
def new_elimination(scores):
    """Arrays for the elimination of all words."""
    n = scores.shape[0] - 1
    only_root = np.ones(n + 1, np.bool_)
    for h in range(1, n + 1):
        for m in range(1, n + 1):
            only_root[m] &= h == m or scores[h, m] == -np.inf
    return Elimination(
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty((n, n + 1)),
        np.empty(n),
        only_root,
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.empty(n),
    )
