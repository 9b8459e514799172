# mypy: allow-untyped-defs
"""The margin of a whole tree over all others, by links without direction (paper 003, (3.11)).

The dual has a mixture of trees for each sentence, of which only the share of every link counts.
A step of the Frank-Wolfe algorithm on one sentence (Lacoste-Julien, Jaggi, Schmidt and Pletscher
2013) searches the tree that violates its margin most, and mixes as much of it in as raises the dual
most.
"""

import numpy as np

from headwise.kernels.borrow import borrowed
from headwise.kernels.jit import inlined, kernel
from headwise.kernels.linkmargin import link_at, numbers_of, score_of
from headwise.kernels.order1 import best


@inlined
def rival_tree(links, weights, sentence, single_root, taken):
    """The tree whose score and number of wrong links are highest together.

    OUT taken: for each link of the sentence, 1 if the tree has it, or 0. Its score and wrong links
    less the score of the gold tree.
    """
    first, start = links.token[sentence], links.start[sentence]
    gold = links.gold[first : links.token[sentence + 1]]
    size = len(gold)
    arc = np.zeros((size, size))
    own = 0.0
    for j in range(1, size):
        for i in range(j):
            score = score_of(links, weights, start + link_at(i, j), i, j)
            if gold[j] == i or gold[i] == j:
                own += score
            else:
                score += 1.0
            arc[i, j] = arc[j, i] = score
            taken[link_at(i, j)] = 0.0
    heads, total = best(arc, np.zeros((size, size)), single_root)
    for m in range(1, size):
        taken[link_at(min(m, heads[m]), max(m, heads[m]))] = 1.0
    return total - own


@kernel
def gold_shares(links):
    """The share that gold trees have of every link: 1 of their own, 0 of the others."""
    shares = np.zeros(len(links.pair))
    for sentence in range(len(links.start) - 1):
        first, last = links.token[sentence], links.token[sentence + 1]
        for m in range(1, last - first):
            h = links.gold[first + m]
            shares[links.start[sentence] + link_at(min(h, m), max(h, m))] = 1.0
    return shares


@kernel
def step_trees(owned_links, owned_weights, sentences, shares, beta, single_root, scratch):
    """A step on each of some sentences: IN/OUT weights and shares [link]; what they missed before.

    `scratch` has a zero for every pair of words, before and after.
    """
    links, weights = borrowed((owned_links, owned_weights))
    scale, number = weights.scale, weights.number
    lost = 0.0
    for sentence in sentences:
        start, end = links.start[sentence], links.start[sentence + 1]
        gold = links.gold[links.token[sentence] : links.token[sentence + 1]]
        taken = np.empty(end - start)
        lost += rival_tree(links, weights, sentence, single_root, taken)
        gain, a, b, c = 0.0, 0.0, 0.0, 0.0
        for j in range(1, len(gold)):
            for i in range(j):
                at = link_at(i, j)
                less = shares[start + at] - taken[at]
                if less != 0.0:
                    wrong = 0.0 if gold[j] == i or gold[i] == j else 1.0
                    score = score_of(links, weights, start + at, i, j)
                    gain -= less * (wrong + score)
                    scratch[links.pair[start + at]] += less
                    d, e, f = numbers_of(links, scale, start + at, i, j)
                    a, b, c = a + less * d, b + less * e, c + less * f
        length = a * a + b * b + c * c
        for at in range(start, end):
            length += scratch[links.pair[at]] ** 2
            scratch[links.pair[at]] = 0.0
        if gain <= 0.0:
            continue
        part = 1.0 if length <= gain * beta else gain * beta / length
        for at in range(end - start):
            less = shares[start + at] - taken[at]
            weights.pair[links.pair[start + at]] += part * less / beta
            shares[start + at] -= part * less
        number[0] += part * a / beta
        number[1] += part * b / beta
        number[2] += part * c / beta
    return lost


@kernel
def tree_state(owned_links, owned_weights, shares, single_root):
    """Σ of what trees miss, the wrong links of mixtures, and the most that one sentence can gain.

    The last is what the score and cost of the tree that violates its margin most is above those of
    the mixture: 0 at the optimum, as the mixture then has only such trees.
    """
    links, weights = borrowed((owned_links, owned_weights))
    total, wrong, worst = 0.0, 0.0, 0.0
    for sentence in range(len(links.start) - 1):
        start, end = links.start[sentence], links.start[sentence + 1]
        gold = links.gold[links.token[sentence] : links.token[sentence + 1]]
        taken = np.empty(end - start)
        missed = rival_tree(links, weights, sentence, single_root, taken)
        total += missed
        mixed = 0.0
        for j in range(1, len(gold)):
            for i in range(j):
                at = start + link_at(i, j)
                score = score_of(links, weights, at, i, j)
                if gold[j] == i or gold[i] == j:
                    mixed += (shares[at] - 1.0) * score
                else:
                    wrong += shares[at]
                    mixed += shares[at] * (score + 1.0)
        worst = max(worst, missed - mixed)
    return total, wrong, worst
