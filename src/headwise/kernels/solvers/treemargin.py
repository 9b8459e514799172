# mypy: allow-untyped-defs
"""The margin of a whole tree over all others, by links without direction (Wang 2008, (3.11)).

The dual has a mixture of trees for each sentence, at first the gold tree alone. A visit to a
sentence searches the tree that violates its margin most and puts it among those of the mixture;
then mass moves from the tree of the mixture that violates it least to the one that does most, as
much as raises the dual most, some times over (pairwise steps of the Frank-Wolfe algorithm, sentence
by sentence: Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts.order1 import best
from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import inlined, kernel
from headwise.kernels.solvers.linkmargin import link_at, numbers_of, score_of

SLOTS = 128
"""The most trees of a mixture. Another one waits until one of them is gone."""

EXCHANGES = 4
"""Number of moves of mass in a visit."""

NONE = -1


class Mixtures(NamedTuple):
    """The trees of each sentence, and the mass of each: a slot without mass is empty."""

    tree: NDArray[np.int16]  # [slot, token]: its head
    mass: NDArray[np.float64]  # [slot, sentence]


@inlined
def tree_link(heads, m):
    """The two tokens of the link of a word to its head, in order, and where the link is."""
    h = np.int64(heads[m])
    low, high = min(h, m), max(h, m)
    return low, high, link_at(low, high)


@inlined
def value_of(links, weights, sentence, heads):
    """The score of a tree, plus the number of its wrong links."""
    first, start = links.token[sentence], links.start[sentence]
    gold = links.gold[first : links.token[sentence + 1]]
    total = 0.0
    for m in range(1, len(gold)):
        low, high, at = tree_link(heads, m)
        wrong = 0.0 if gold[high] == low or gold[low] == high else 1.0
        total += wrong + score_of(links, weights, start + at, low, high)
    return total


@inlined
def rival_tree(links, weights, sentence, single_root):
    """The tree with the highest sum of its score and its wrong links, and that sum."""
    first, start = links.token[sentence], links.start[sentence]
    gold = links.gold[first : links.token[sentence + 1]]
    size = len(gold)
    arc = np.zeros((size, size))
    for j in range(1, size):
        for i in range(j):
            score = score_of(links, weights, start + link_at(i, j), i, j)
            if gold[j] != i and gold[i] != j:
                score += 1.0
            arc[i, j] = arc[j, i] = score
    return best(arc, np.zeros((size, size)), single_root)


@inlined
def slot_for(mixtures, sentence, first, heads):
    """The slot that has a tree, or an empty one; NONE if there is neither."""
    found = NONE
    for slot in range(SLOTS):
        if mixtures.mass[slot, sentence] == 0.0:
            if found == NONE:
                found = slot
        else:
            same = True
            for m in range(1, len(heads)):
                if mixtures.tree[slot, first + m] != heads[m]:
                    same = False
                    break
            if same:
                found = slot
                break
    return found


@inlined
def exchange(links, weights, mixtures, sentence, new, beta, scratch):
    """Move mass from the worst tree of a mixture to the best one: IN/OUT weights, mixtures.

    `new` is the slot of a tree that may have no mass yet. Whether anything was moved. `scratch` has
    a zero for every pair of words, before and after.
    """
    first, last = links.token[sentence], links.token[sentence + 1]
    start, scale = links.start[sentence], weights.scale
    highest, lowest = NONE, NONE
    high_value, low_value = -np.inf, np.inf
    for slot in range(SLOTS):
        mass = mixtures.mass[slot, sentence]
        if mass > 0.0 or slot == new:
            value = value_of(links, weights, sentence, mixtures.tree[slot, first:last])
            if value > high_value:
                highest, high_value = slot, value
            if mass > 0.0 and value < low_value:
                lowest, low_value = slot, value
    gain = high_value - low_value
    if gain <= 0.0:
        return False
    up, down = mixtures.tree[highest, first:last], mixtures.tree[lowest, first:last]
    a, b, c, length = 0.0, 0.0, 0.0, 0.0
    for sign in (1.0, -1.0):
        for m in range(1, last - first):
            low, high, at = tree_link(down if sign > 0.0 else up, m)
            scratch[links.pair[start + at]] += sign
            d, e, f = numbers_of(links, scale, start + at, low, high)
            a, b, c = a + sign * d, b + sign * e, c + sign * f
    for sign in (1.0, -1.0):
        for m in range(1, last - first):
            low, high, at = tree_link(down if sign > 0.0 else up, m)
            length += scratch[links.pair[start + at]] ** 2
            scratch[links.pair[start + at]] = 0.0
    length += a * a + b * b + c * c
    mass = mixtures.mass[lowest, sentence]
    moved = mass if mass * length <= gain * beta else gain * beta / length
    mixtures.mass[lowest, sentence] -= moved
    mixtures.mass[highest, sentence] += moved
    for m in range(1, last - first):
        low, high, at = tree_link(down, m)
        weights.pair[links.pair[start + at]] += moved / beta
        low, high, at = tree_link(up, m)
        weights.pair[links.pair[start + at]] -= moved / beta
    weights.number[0] += moved * a / beta
    weights.number[1] += moved * b / beta
    weights.number[2] += moved * c / beta
    return True


@kernel
def gold_mixtures(links):
    """The gold tree alone, for every sentence."""
    tree = np.zeros((SLOTS, len(links.gold)), np.int16)
    tree[0] = links.gold
    mass = np.zeros((SLOTS, len(links.start) - 1))
    mass[0] = 1.0
    return Mixtures(tree, mass)


@kernel
def step_trees(owned_links, owned_weights, owned_mixtures, sentences, beta, single_root, scratch):
    """Visit some sentences: IN/OUT weights and mixtures; what their margins missed before."""
    links, weights, mixtures = borrowed((owned_links, owned_weights, owned_mixtures))
    lost = 0.0
    for sentence in sentences:
        first, last = links.token[sentence], links.token[sentence + 1]
        heads, value = rival_tree(links, weights, sentence, single_root)
        lost += value - value_of(links, weights, sentence, links.gold[first:last])
        new = slot_for(mixtures, sentence, first, heads)
        if new != NONE:
            for m in range(1, last - first):
                mixtures.tree[new, first + m] = heads[m]
        for _ in range(EXCHANGES):
            if not exchange(links, weights, mixtures, sentence, new, beta, scratch):
                break
    return lost


@kernel
def tree_state(owned_links, owned_weights, owned_mixtures, single_root):
    """Σ of what trees miss, the wrong links of mixtures, and the largest violation of a condition.

    That is how far a tree with mass stays behind the one that violates its margin most: at the
    optimum, all of them violate it equally.
    """
    links, weights, mixtures = borrowed((owned_links, owned_weights, owned_mixtures))
    total, wrong, worst = 0.0, 0.0, 0.0
    for sentence in range(len(links.start) - 1):
        first, last = links.token[sentence], links.token[sentence + 1]
        gold = links.gold[first:last]
        _, value = rival_tree(links, weights, sentence, single_root)
        total += value - value_of(links, weights, sentence, gold)
        for slot in range(SLOTS):
            mass = mixtures.mass[slot, sentence]
            if mass > 0.0:
                tree = mixtures.tree[slot, first:last]
                worst = max(worst, value - value_of(links, weights, sentence, tree))
                for m in range(1, last - first):
                    low, high, _ = tree_link(tree, m)
                    if gold[high] != low and gold[low] != high:
                        wrong += mass
    return total, wrong, worst
