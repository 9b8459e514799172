# mypy: allow-untyped-defs
"""Which arcs are plausible: those that tags alone do not rule out.

A small model rates the heads that a word may have, by tags:

    rating[h, m] = pair[h, m, lane] + of head[h; direction, m] + of modifier[m; direction, h]

`pair` has a weight for every two coarse tags, direction and distance. The other two are *rows*: a
row has a weight for each direction and coarse tag of the other end, and what is seen of a token
(its fine tag; its coarse tag and the next one; the one before) has a row each, which are added up
once for a token. So three looks into small tables rate an arc. An arc is plausible if its rating
comes within a margin of the best one of its modifier.

On UD English EWT, 5 of 21 arcs a word are plausible to learners, and 99.6 % of the right ones are
among them; finished models of the first order look at 4 (`learners/plausiblearcs.py`).
Templates that look at both ends, and at more than their tags, apply to these only; what tags and
single words say is enough of the others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import (
    AFTER_ALL,
    BEFORE_ALL,
    COARSE,
    MULTIPLIER,
    Hashes,
    Ints,
    lane_of,
    lanes_around,
    mixed,
    part_of,
)
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.primitives.semiring import exponential
from headwise.kernels.primitives.vectors import LINE, add_line
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel

KINDS = 32
"""How many kinds of coarse tags are told apart: the most frequent, and all others as the last."""

PAIRS = KINDS * KINDS * LINE
"""The number of weights of pairs of tags."""

ROW, ROW_BITS = 2 * KINDS, 13
ROWS = ROW << ROW_BITS
"""The numbers of weights of a row, and of all rows."""

ROW_SHIFT = np.uint64(64 - ROW_BITS)

SEEN = 3
"""What is seen of a token: its fine tag, its coarse one with the next, and with the one before."""

HEAD_END, MODIFIER_END = 0, 1
SALTS = np.array([[(end * SEEN + seen + 1) * int(MULTIPLIER) % (1 << 64) for seen in range(SEEN)]
                  for end in range(2)], np.uint64)  # fmt: skip

EVERYTHING = 1 << 30
"""With such a margin, all arcs are plausible, and there is nothing to be rated."""

NEVER, WIDEST = -(1 << 14), 1 << 13
"""The rating of what cannot be an arc, and the widest margin: two bytes hold their difference."""

WHOLE, LEARNT = np.empty(0, np.int16), np.empty(0, np.float32)
"""Empty: of the types of ratings, of finished models and of those that learn."""

NEGLIGIBLE = 1e-3
"""Arcs whose probability is right to this much teach nothing."""


class Plausible(NamedTuple):
    """A model of plausible arcs; weights are integers, or floats while they are learnt."""

    tags: Hashes  # coarse tags, the most frequent first: fewer than KINDS
    pairs: NDArray[np.generic]  # [(head * KINDS + modifier) * LINE + lane]
    rows: NDArray[np.generic]  # [row * ROW + direction * KINDS + coarse tag of the other end]
    margin: int


def everything() -> Plausible:
    """The model by which all arcs are plausible."""
    nothing = np.empty(0, np.int8)
    return Plausible(np.empty(0, np.uint64), nothing, nothing, EVERYTHING)


class Ratings(NamedTuple):
    """The ratings of the arcs of a sentence, and what they are made of."""

    kind: NDArray[np.uint32]  # [token]: the number of its coarse tag
    starts: Ints  # [(end * SEEN + seen) * size + token]: where its rows start
    ends: NDArray[np.generic]  # [end, token * ROW + …]: their sums
    lanes: Hashes  # of a modifier so far from its head, plus half of the length
    rating: NDArray[np.generic]  # [head * size + modifier]
    least: NDArray[np.generic]  # [modifier]: what plausible arcs have at least


@inlined
def allocate_ratings(longest, sums):
    """Ratings for sentences of up to `longest` tokens; `sums` is an array of the type of sums."""
    return Ratings(
        np.empty(longest, np.uint32),
        np.empty(2 * SEEN * longest, np.int64),
        np.empty((2, longest * ROW), sums.dtype),
        lanes_around(longest),
        np.empty(longest * longest, sums.dtype),
        np.empty(longest, sums.dtype),
    )


@helper
def rate_arcs(plausible, tokens, ratings):
    """The ratings of all arcs of a sentence: OUT ratings."""
    size = len(tokens.tags)
    if plausible.margin == EVERYTHING:
        ratings.rating[: size * size] = 0
        ratings.least[:size] = 0
    else:
        number_kinds(plausible.tags, tokens.atoms[COARSE], ratings.kind)
        find_rows(tokens.tags, tokens.atoms[COARSE], ratings.starts)
        for end in range(2):
            own = ratings.starts[end * SEEN * size : (end + 1) * SEEN * size]
            sum_rows(plausible.rows, own, size, ratings.ends[end])
        rate_heads(plausible, size, ratings)
    for h in range(size):
        ratings.rating[h * size] = ratings.rating[h * size + h] = NEVER


@helper
def number_kinds(tags, coarse, kind):
    """The numbers of the coarse tags of tokens: OUT kind."""
    for i in range(len(coarse)):
        number = 0
        while number < len(tags) and tags[number] != coarse[i]:
            number += 1
        kind[i] = min(number, KINDS - 1)


@helper
def find_rows(fine, coarse, starts):
    """Where the rows of tokens start: OUT starts."""
    size = len(fine)
    for i in range(size):
        after = coarse[i + 1] if i + 1 < size else AFTER_ALL
        before = coarse[i - 1] if i > 0 else BEFORE_ALL
        for end in range(2):
            at = end * SEEN * size + i
            starts[at] = row_start(fine[i], SALTS[end, 0])
            starts[at + size] = row_start(coarse[i] ^ mixed(after), SALTS[end, 1])
            starts[at + 2 * size] = row_start(coarse[i] ^ mixed(before), SALTS[end, 2])


@inlined
def row_start(value, salt):
    """Where the row of a value starts."""
    return np.int64((mixed(value ^ salt) * MULTIPLIER) >> ROW_SHIFT) * ROW


@helper
def sum_rows(rows, starts, size, sums):
    """The sums of the rows of all tokens: OUT sums."""
    sums[: size * ROW] = 0
    for i in range(size):
        for seen in range(SEEN):
            for k in range(0, ROW, LINE):
                add_line(sums, i * ROW + k, rows, starts[seen * size + i] + k)


@helper
def rate_heads(plausible, size, ratings):
    """The ratings of arcs whose ends have been summed up: OUT ratings.rating, ratings.least."""
    pairs, kind, least = plausible.pairs, ratings.kind, ratings.least
    of_head, of_modifier = ratings.ends[HEAD_END], ratings.ends[MODIFIER_END]
    least[:size] = NEVER
    for h in range(size):
        of_tag = pairs[kind[h] * KINDS * LINE : (kind[h] + 1) * KINDS * LINE]
        rating, lanes = (
            ratings.rating[h * size : (h + 1) * size],
            lanes_from(ratings.lanes, h, size),
        )
        for m in range(size):
            right = np.uint64(m > h) * np.uint64(KINDS)
            value = of_head[np.uint64(h * ROW) + right + kind[m]]
            value += of_modifier[np.uint64(m * ROW) + right + kind[h]]
            rating[m] = value + of_tag[kind[m] * np.uint64(LINE) + lanes[m]]
        rating[h] = NEVER
        for m in range(size):
            least[m] = max(least[m], rating[m])
    for m in range(size):
        least[m] -= plausible.margin


@inlined
def lanes_from(lanes, h, size):
    """The lanes of all modifiers of a head, of those around it."""
    middle = len(lanes) // 2
    return lanes[middle - h : middle - h + size]


@inlined
def is_plausible(ratings, size, h, m):
    """Whether an arc that has been rated is plausible."""
    return ratings.rating[h * size + m] >= ratings.least[m]


@kernel
def gaps_of_gold(own_plausible, all_tokens, starts, heads):
    """How far below the best rating of its modifier each gold arc is; -1 where there is none."""
    plausible, tokens = borrowed((own_plausible, all_tokens))
    own_ratings = allocate_ratings(longest_run(starts), WHOLE)
    ratings = borrowed(own_ratings)
    gaps = np.full(len(heads), -1, np.int64)
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        rate_arcs(plausible, part_of(tokens, a, b), ratings)
        for m in range(1, b - a):
            if heads[a + m] >= 0:
                best = ratings.least[m] + plausible.margin
                gaps[a + m] = best - ratings.rating[heads[a + m] * (b - a) + m]
    kept(own_ratings)
    return gaps


@kernel
def learn_ratings(own_plausible, own_squares, all_tokens, starts, heads, rate):
    """Learn from all sentences once: OUT plausible and the squares of its gradients.

    The rating of an arc is the logarithm of how likely its head is among all heads of the modifier,
    but for a constant; steps are those of AdaGrad (Duchi et al. 2011).
    """
    plausible, squares, tokens = borrowed((own_plausible, own_squares, all_tokens))
    own_ratings = allocate_ratings(longest_run(starts), LEARNT)
    ratings = borrowed(own_ratings)
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        rate_arcs(plausible, part_of(tokens, a, b), ratings)
        for m in range(1, b - a):
            if heads[a + m] >= 0:
                learn_heads(plausible, squares, ratings, m, heads[a + m], b - a, rate)
    kept(own_ratings)


@helper
def learn_heads(plausible, squares, ratings, m, gold, size, rate):
    """Learn which heads a modifier has: OUT plausible, squares."""
    rating, kind, starts = ratings.rating, ratings.kind, ratings.starts
    best = ratings.least[m] + plausible.margin
    total = 0.0
    for h in range(size):
        if h != m:
            total += exponential(rating[h * size + m] - best)
    for h in range(size):
        gradient = np.float64(h == gold) - exponential(rating[h * size + m] - best) / total
        if h == m or abs(gradient) < NEGLIGIBLE:
            continue
        right = np.int64(m > h) * KINDS
        slot = (np.int64(kind[h]) * KINDS + kind[m]) * LINE + lane_of(h, m)
        step(plausible.pairs, squares.pairs, slot, gradient, rate)
        for seen in range(SEEN):
            slot = starts[seen * size + h] + right + kind[m]
            step(plausible.rows, squares.rows, slot, gradient, rate)
            slot = starts[(SEEN + seen) * size + m] + right + kind[h]
            step(plausible.rows, squares.rows, slot, gradient, rate)


@helper
def step(weights, squares, slot, gradient, rate):
    """Change a weight: OUT weights, squares."""
    squares[slot] += gradient * gradient
    weights[slot] += rate * gradient / np.sqrt(squares[slot] + 0.01)
