# mypy: allow-untyped-defs
"""The set of non-crossing brackets with the largest expected F1.

Titov & Henderson (2006), section 3, figure 2.

With m brackets the expected F1 of a set is twice the sum of its weights

    w_m(b) = Σ over candidates y with b in y of  P(y) / (|y| + m)

For a fixed m, `best[s, e, p]` is the largest weight of p brackets within words s … e - 1, and
`inner` the same without brackets over exactly these words:

    inner[s, e, p] = max(best[s + 1, e, p],
                         max over k, u of  closed[s, k, u] + best[k, e, p - u])
    closed[s, e, p] = max over t ≥ 1 of  inner[s, e, p - t] + the t largest weights over s, e
    best = max(inner, closed)

This is the recurrence of the figure, except that a split comes after a word or after a part that is
bracketed as a whole: any set of brackets is reached by such splits, and there are few of them.

One table bounds the results for all other m, as |y| + m changes little from one candidate to the
next: so only a few m have to be tried of the range that equation 4 allows.
"""

import numpy as np

from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.jit import helper, kernel, maker

SAME = 1e-12
"""Values that differ less, as a share of the larger, are the same but for rounding."""


@kernel
def best_forest(n, starts, ends, member_starts, members, sizes, probabilities):
    """The brackets chosen (as numbers) and half their expected F1.

    Brackets are given once each, by start, then end, then what decides between equals: bracket x
    covers words starts[x] … ends[x] - 1 and is in the candidates
    members[member_starts[x] : member_starts[x + 1]]. sizes: how many brackets a candidate has.
    probabilities sum to 1.
    """
    count = len(starts)
    smallest, largest = sizes.min(), sizes.max()
    top = probabilities.max()
    first = int(np.ceil(top / (2.0 - top) * smallest - SAME * (1 + smallest)))
    last = int(np.floor((2.0 - top) / top * largest + SAME * (1 + largest)))
    capacity = fitting(n, starts, ends, count)
    last = min(last, capacity[0, n])
    first = min(first, last)
    bound = np.full(last + 1, INFINITY)
    value = np.full(last + 1, -INFINITY)
    inner = np.empty((n + 1, n + 1, capacity[0, n] + 1))
    closed, best = np.empty_like(inner), np.empty_like(inner)
    weights = np.empty(count)
    guess = 0.0
    for y in range(len(sizes)):
        guess += probabilities[y] * sizes[y]
    m = min(max(round(guess), first), last)
    while bound[m] > -INFINITY:
        order, spans = weigh(
            m, n, starts, ends, member_starts, members, sizes, probabilities, weights
        )
        fill_forest(n, order, spans, weights, capacity, inner, closed, best)
        value[m] = best[0, n, m]
        bound[m] = -INFINITY
        for other in range(first, last + 1):
            size = largest if other > m else smallest
            limit = best[0, n, other] * (size + m) / (size + other)
            if bound[other] > -INFINITY:
                bound[other] = min(bound[other], limit)
        found = value.max()
        for other in range(first, last + 1):
            if bound[other] < found * (1 - SAME):
                bound[other] = -INFINITY
        m = int(np.argmax(bound))
    found = value.max()
    m = first
    while value[m] < found * (1 - SAME):  # of equals the smallest
        m += 1
    order, spans = weigh(m, n, starts, ends, member_starts, members, sizes, probabilities, weights)
    fill_forest(n, order, spans, weights, capacity, inner, closed, best)
    return read_forest(n, m, order, spans, weights, capacity, inner, closed, best), value[m]


@maker
def fitting(n, starts, ends, count):
    """How many of the brackets fit within each span without crossing."""
    here = np.zeros((n + 1, n + 1), np.int64)
    for x in range(count):
        here[starts[x], ends[x]] += 1
    capacity = np.zeros((n + 1, n + 1), np.int64)
    for s in range(n - 1, -1, -1):
        for e in range(s + 1, n + 1):
            most = capacity[s + 1, e]
            for k in range(s + 1, e):
                if here[s, k] > 0:
                    most = max(most, capacity[s, k] + capacity[k, e])
            capacity[s, e] = most + here[s, e]
    return capacity


@maker
def weigh(m, n, starts, ends, member_starts, members, sizes, probabilities, weights):
    """Fill in w_m; the brackets by span and decreasing weight, and where each span's begin."""
    count = len(starts)
    for x in range(count):
        weights[x] = 0.0
        for at in range(member_starts[x], member_starts[x + 1]):
            y = members[at]
            weights[x] += probabilities[y] / (sizes[y] + m)
    order = np.arange(count)
    for x in range(1, count):  # insertion sort within spans, which are short and in order
        at = x
        while (
            at > 0
            and starts[order[at - 1]] == starts[x]
            and ends[order[at - 1]] == ends[x]
            and weights[order[at - 1]] < weights[x]
        ):
            order[at] = order[at - 1]
            at -= 1
        order[at] = x
    spans = np.zeros((n + 1, n + 2), np.int64)
    at = 0
    for s in range(n + 1):
        for e in range(n + 2):
            spans[s, e] = at
            while at < count and starts[order[at]] == s and ends[order[at]] == e:
                at += 1
    return order, spans


@helper
def fill_forest(n, order, spans, weights, capacity, inner, closed, best):
    """Fill the tables of all spans; see the recurrences above."""
    for s in range(n, -1, -1):
        best[s, s, 0] = 0.0
        for e in range(s + 1, n + 1):
            here = spans[s, e + 1] - spans[s, e]
            within = capacity[s, e] - here
            best_inner = inner[s, e]
            for p in range(within + 1):
                best_inner[p] = best[s + 1, e, p] if p <= capacity[s + 1, e] else -INFINITY
            for k in range(s + 1, e):
                if spans[s, k + 1] > spans[s, k]:
                    left, right = closed[s, k], best[k, e]
                    for u in range(1, capacity[s, k] + 1):
                        for v in range(capacity[k, e] + 1):
                            best_inner[u + v] = max(best_inner[u + v], left[u] + right[v])
            for p in range(within + 1):
                best[s, e, p] = best_inner[p]
            for p in range(within + 1, capacity[s, e] + 1):
                best[s, e, p] = -INFINITY
            if here > 0:
                for p in range(capacity[s, e] + 1):
                    closed[s, e, p] = -INFINITY
                total = 0.0
                for t in range(1, here + 1):
                    total += weights[order[spans[s, e] + t - 1]]
                    for p in range(within + 1):
                        if total + best_inner[p] > closed[s, e, p + t]:
                            closed[s, e, p + t] = total + best_inner[p]
                for p in range(1, capacity[s, e] + 1):
                    best[s, e, p] = max(best[s, e, p], closed[s, e, p])


@maker
def read_forest(n, m, order, spans, weights, capacity, inner, closed, best):
    """The brackets that give best[0, n, m]; the tables say again where a value came from.

    Between equal values a word without a bracket is preferred, then few brackets over a span, then
    a short first part with few brackets.
    """
    chosen = np.empty(m, np.int64)
    found = 0
    stack = np.empty((2 * n + 4, 4), np.int64)  # start, end, brackets, whether it is closed
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, n, m, 0
    depth = 1
    while depth > 0:
        depth -= 1
        s, e, p, is_closed = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        if p == 0:
            continue
        here = spans[s, e + 1] - spans[s, e]
        within = capacity[s, e] - here
        value = closed[s, e, p] if is_closed else best[s, e, p]
        if is_closed or p > within or inner[s, e, p] < value:
            total, t = 0.0, 0
            while t < here:
                total += weights[order[spans[s, e] + t]]
                chosen[found] = order[spans[s, e] + t]
                found, t = found + 1, t + 1
                if 0 <= p - t <= within and total + inner[s, e, p - t] == value:
                    break
            p -= t
            value = inner[s, e, p]
        if p > 0 and (p > capacity[s + 1, e] or best[s + 1, e, p] < value):
            k, u = split_of(s, e, p, value, spans, capacity, closed, best)
            stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = k, e, p - u, 0
            depth += 1
            stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = s, k, u, 1
            depth += 1
        elif p > 0:
            stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = s + 1, e, p, 0
            depth += 1
    return chosen[:found]


@helper
def split_of(s, e, p, value, spans, capacity, closed, best):
    """Where inner[s, e, p] was split, and how many brackets are on the left."""
    for k in range(s + 1, e):
        if spans[s, k + 1] > spans[s, k]:
            for u in range(1, min(capacity[s, k], p) + 1):
                if p - u <= capacity[k, e] and closed[s, k, u] + best[k, e, p - u] == value:
                    return k, u
    return e, 0
