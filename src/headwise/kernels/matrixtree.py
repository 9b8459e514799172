# mypy: allow-untyped-defs, allow-untyped-calls
"""Sums over all non-projective trees: log-partition and marginals (the Matrix-Tree theorem).

The sum over all trees of the product of their weights is the determinant of a matrix (Koo et al.
2007, Smith & Smith 2007, McDonald & Satta 2007). Determinants and inverses subtract, and where
weights are far apart nothing is left of the digits. So words are *eliminated* one by one instead,
without any subtraction (Grassmann, Taksar & Heyman 1985): k's modifiers are given to k's heads,

    mass[k]    = sum over the heads h of weight[h, k]
    share[h]   = weight[h, k] / mass[k]
    weight[h, m] += share[h] · weight[k, m]      (and what would run from m to m is dropped)

and the partition is the product of all masses. Every number is right to nearly all its digits,
however far apart the weights are.

*Marginals.* Walk from a word to a head of it, drawn by weight, to a head of that, and so on. Let
escape[h] be the probability that the walk from h comes to the root before it comes to m. Then

    P(h is the head of m) = weight[h, m] · escape[h] / (the same, summed over all heads of m)

To get escape for every m, all other words must be eliminated before m: one half of the words, then
for the other half the same again (O(n³) in all, as every step halves the matrix).

*A single root* is the limit of root weights that are infinitely small: a word's mass is that of its
heads among the words, and the root is used once, by a word which has no such head left, mostly the
last one. Up to there root weights are multiples of the infinitely small, and only their
proportions count; after it, what attaches to that word attaches to the root for good.

Weights are numbers, columns scaled to a maximum of 1; where a mass becomes so small that a number
could have been lost below it, everything is done again with logarithms. The kernels of either kind
differ in their innermost loops only.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.borrow import borrowed, kept
from headwise.kernels.jit import helper, kernel
from headwise.kernels.semiring import LINEAR, LOG, join, join1

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
    room: Floats  # [step] how far numbers are above those that may have been lost
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


@helper
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
        weights[0] = weights[k]
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
    e.room[step] = 1.0
    if not logs:
        room = e.room[step - 1] if step > 0 else 1.0
        if used == step and not e.only_root[k] and step < e.order.shape[0] - 1:
            room = 0.0  # unless by logarithms, it may have had heads whose weights were lost
        # Shares add up to 1, so that an error never grows.
        e.room[step] = min(room, mass)
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
        e.room[step] = 0.0


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
        top = (column[first:] + escape[first:]).max()
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


@helper
def new_elimination(scores):
    """Room for the elimination of all words."""
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
            return -np.inf, e.room[step] < TOO_SMALL
        total += e.mass[step] if logs else np.log(e.mass[step])
        if used == step:
            total += e.before[step] * np.log(2.0)
    return total, e.room[n - 1] < TOO_SMALL


def log_partition(scores: Floats, single_root: bool) -> float:
    """The logarithm of the sum of exp(score) over all trees; -inf if there is none."""
    total, too_small = log_partition_by(scores, single_root, False)
    if too_small:
        total, _ = log_partition_by(scores, single_root, True)
    return float(total)


class Halves(NamedTuple):
    """The levels of halving: at each, all words but low…high - 1 have been eliminated."""

    low: NDArray[np.int64]  # [level]
    high: NDArray[np.int64]  # [level]
    steps: NDArray[np.int64]  # [level] how many words have been eliminated
    used: NDArray[np.int64]  # [level] the step at which the single root was used
    weights: Floats  # [level, head, modifier]


@helper
def new_halves(weights):
    """Room for halving until one word is left; level 0 has all words."""
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
    new[0, low:high] = old[0, low:high]
    new[low:high, low:high] = old[low:high, low:high]
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
            lost = e.room[h.steps[level] - 1] < TOO_SMALL
        escapes(e, h.steps[level], h.used[level], escape, logs)
        root_counts = not single_root or h.used[level] == NEVER
        if lost or not head_distribution(weights[:, m], escape, root_counts, logs, distribution):
            lost = True
            break
        marginals[:, m] = distribution
    kept(owned)
    return not lost


def arc_marginals(scores: Floats, single_root: bool) -> Floats:
    """The probabilities of all arcs. There must be a tree."""
    marginals = np.zeros(scores.shape)
    if not arc_marginals_by(scores, single_root, False, marginals):
        arc_marginals_by(scores, single_root, True, marginals)
    return marginals


@helper
def heads_of_word_by(scores, single_root, m, logs, out):
    """Find P(h → m) for one word, all others being eliminated. OUT: out. False if lost."""
    n = scores.shape[0] - 1
    weights, _ = scaled_weights(scores, single_root, logs)
    e = new_elimination(scores)
    column = weights[:, m].copy()
    step, used = 0, NEVER
    for k in range(1, n + 1):
        if k != m:
            e.low[step], e.high[step] = 1, n + 1
            used = eliminate(e, weights, k, step, used, single_root, logs)
            if e.room[step] < TOO_SMALL:
                return False
            step += 1
    escape = np.empty(n + 1)
    escapes(e, step, used, escape, logs)
    return head_distribution(column, escape, not single_root or used == NEVER, logs, out)


@helper
def heads_of_word(scores, single_root, m, out):
    """Find the probabilities of the heads of one word. OUT: out. There must be a tree."""
    for attempt in range(2):
        if heads_of_word_by(scores, single_root, m, attempt == 1, out):
            break
