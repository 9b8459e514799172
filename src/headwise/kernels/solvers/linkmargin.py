# mypy: allow-untyped-defs
"""Links without direction, their scores, and local margins between them (Wang 2008, chapter 6).

A link is two tokens i < j of a sentence; the root is token 0. Its score is the weight of its two
words, plus three numbers times their weights:

    s(i, j) = θ[pair] + θ_PMI · a PMI(i, j) + θ_dist · b (j - i) + θ_dist2 · c (j - i)²

where a, b, c are scales, 0 of what is not looked at. Links of the root have no distance and no PMI.

A tree is a set of links. A link that is not in it closes a cycle with the path of the tree between
i and j; the links of the tree at the two ends of that path must stay ahead of it (6.2):

    s(gold link at i) ≥ s(i, j) + 1 - ξ        s(gold link at j) ≥ s(i, j) + 1 - ξ'
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import embedded, inlined, kernel
from headwise.kernels.solvers.arcmargin import path_ends

NUMBERS = 3
"""Weights of numbers: of PMI, of the distance, of its square."""


class Links(NamedTuple):
    """All links of many sentences, sentence by sentence, by j and then by i."""

    token: NDArray[np.int64]  # [sentence + 1]: where its tokens start, and …
    start: NDArray[np.int64]  # … where its links start
    gold: NDArray[np.int64]  # [token]: its head, -1 of the root
    pair: NDArray[np.int32]  # [link]: which two words it links
    pmi: NDArray[np.float32]  # [link], or empty


class LinkWeights(NamedTuple):
    """Weights of pairs of words and of numbers, and the scales of numbers."""

    pair: NDArray[np.float64]
    number: NDArray[np.float64]
    scale: NDArray[np.float64]


@embedded
def link_at(i, j):
    """Where the link of two tokens i < j is, among those of its sentence."""
    return j * (j - 1) // 2 + i


@inlined
def numbers_of(links, scale, at, i, j):
    """PMI, distance and its square of a link, in their scales."""
    away = float(j - i) if i > 0 else 0.0
    pmi = scale[0] * links.pmi[at] if scale[0] != 0.0 else 0.0
    return pmi, scale[1] * away, scale[2] * away * away


@inlined
def score_of(links, weights, at, i, j):
    """The score of a link."""
    a, b, c = numbers_of(links, weights.scale, at, i, j)
    number = weights.number
    return weights.pair[links.pair[at]] + number[0] * a + number[1] * b + number[2] * c


@inlined
def missing(links, weights, better, i, j, worse, k, m):
    """What the score of one link lacks to be 1 above that of another."""
    ahead = score_of(links, weights, better, i, j)
    return 1.0 - ahead + score_of(links, weights, worse, k, m)


@inlined
def move(links, weights, better, i, j, worse, k, m, step):
    """Add a multiple of one link's features less another's: OUT weights."""
    weights.pair[links.pair[better]] += step
    weights.pair[links.pair[worse]] -= step
    a, b, c = numbers_of(links, weights.scale, better, i, j)
    d, e, f = numbers_of(links, weights.scale, worse, k, m)
    weights.number[0] += step * (a - d)
    weights.number[1] += step * (b - e)
    weights.number[2] += step * (c - f)


@inlined
def squared_distance(links, scale, better, i, j, worse, k, m):
    """The squared length of the features of one link less those of another."""
    a, b, c = numbers_of(links, scale, better, i, j)
    d, e, f = numbers_of(links, scale, worse, k, m)
    apart = 2.0 if links.pair[better] != links.pair[worse] else 0.0
    return apart + (a - d) ** 2 + (b - e) ** 2 + (c - f) ** 2


@inlined
def rival(gold, near, i, j, end):
    """The gold link that must beat the link of i and j, at one of its ends: lower word first."""
    low = near[i, j] if end == 0 else near[j, i]
    return min(low, gold[low]), max(low, gold[low])


@kernel
def ascend_links(owned_links, owned_weights, sentences, alphas, beta):
    """Visit each local margin of some sentences once, by coordinate ascent on the dual.

        maximise Σ α - ½ β ‖θ‖²   over 0 ≤ α ≤ 1,   θ = Σ α (features of gold - of link) / β

    IN/OUT weights, and alphas [2 link + end]. What the margins missed before.
    """
    links, weights = borrowed((owned_links, owned_weights))
    lost = 0.0
    for sentence in sentences:
        first, start = links.token[sentence], links.start[sentence]
        gold = links.gold[first : links.token[sentence + 1]]
        near = path_ends(gold)
        for j in range(1, len(gold)):
            for i in range(j):
                if gold[j] == i or gold[i] == j:
                    continue
                worse = start + link_at(i, j)
                for end in range(2):
                    low, high = rival(gold, near, i, j, end)
                    better = start + link_at(low, high)
                    lacks = missing(links, weights, better, low, high, worse, i, j)
                    lost += max(0.0, lacks)
                    alpha = alphas[2 * worse + end]
                    if (lacks <= 0.0 and alpha == 0.0) or (lacks >= 0.0 and alpha == 1.0):
                        continue
                    length = squared_distance(links, weights.scale, better, low, high, worse, i, j)
                    if length == 0.0:  # no weight tells the two links apart
                        alphas[2 * worse + end] = 1.0
                        continue
                    new = min(max(alpha + lacks * beta / length, 0.0), 1.0)
                    alphas[2 * worse + end] = new
                    step = (new - alpha) / beta
                    move(links, weights, better, low, high, worse, i, j, step)
    return lost


@kernel
def local_state(owned_links, owned_weights, alphas):
    """Σ of what local margins miss, and the largest violation of a condition of the optimum.

    A margin with α = 0 may miss nothing, one with α = 1 must not be exceeded, any other must be met
    exactly.
    """
    links, weights = borrowed((owned_links, owned_weights))
    total, worst = 0.0, 0.0
    for sentence in range(len(links.start) - 1):
        first, start = links.token[sentence], links.start[sentence]
        gold = links.gold[first : links.token[sentence + 1]]
        near = path_ends(gold)
        for j in range(1, len(gold)):
            for i in range(j):
                if gold[j] == i or gold[i] == j:
                    continue
                worse = start + link_at(i, j)
                for end in range(2):
                    low, high = rival(gold, near, i, j, end)
                    better = start + link_at(low, high)
                    lacks = missing(links, weights, better, low, high, worse, i, j)
                    total += max(0.0, lacks)
                    alpha = alphas[2 * worse + end]
                    violated = abs(lacks)
                    if alpha == 0.0:
                        violated = lacks
                    elif alpha == 1.0:
                        violated = -lacks
                    worst = max(worst, violated)
    return total, worst
