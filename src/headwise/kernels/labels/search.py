# mypy: allow-untyped-defs
"""The best labels of the arcs of trees.

The children of a head, left to right, are a chain:

    s(l_1 … l_k) = Σ_i  local(i, l_i) + pair(l_{i-1}, l_i)  +  pair(l_k, end)

so that a verb has one subject. Chains of different heads know nothing of each other's labels.

The weight of a feature for a label is where the feature's weights are, its last bits changed by the
number of the label:

    table[slot_of(feature) ^ label]

so that the weights of a feature for 64 labels are neighbours: a line or two of memory, if they are
bytes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.labels.features import (
    TAG,
    UPOS,
    VIEWS,
    allocate_children,
    hash_features,
    labels_of,
    list_children,
    see_family,
    see_words,
    slot_of,
)
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel, maker
from headwise.kernels.text.wordhash import Hashes, mixed

AFTER = np.uint64(0xA0761D6478BD642F)
"""Tells features of two labels from those of one."""


class LabelWeights(NamedTuple):
    """The weights, and what tells features and labels apart.

    A weight is what is stored times `scale`. Without `paired`, labels know nothing of each other.
    """

    table: NDArray[np.generic]
    shift: np.uint64
    scale: float
    paired: bool
    templates: NDArray[np.int8]  # [template, view]; -1 ends a row
    seeds: Hashes  # [template]
    numbers: NDArray[np.uint32]  # [label]: by what bits its weights are elsewhere
    root: int  # the label of arcs from the root, and of no others


class EncodedTrees(NamedTuple):
    """The labelled trees of some sentences, their tokens one after the other; or one of them."""

    atoms: Hashes  # [atom, token]
    kinds: NDArray[np.uint8]  # [token]: of words, see `features`
    heads: NDArray[np.int64]  # [token]
    labels: NDArray[np.int32]  # [token]


@inlined
def tree_of(trees, a, b):
    """The tree of the tokens from a up to and without b."""
    return EncodedTrees(trees.atoms[:, a:b], trees.kinds[a:b], trees.heads[a:b], trees.labels[a:b])


class Chain(NamedTuple):
    """Arrays for the longest chain: labels that may be, and their scores."""

    features: NDArray[np.uint32]  # [child, feature]: where its weights are
    labels: NDArray[np.int32]  # [child, candidate]
    counts: NDArray[np.int64]  # [child]
    local: NDArray[np.float64]  # [child, candidate]
    pair: NDArray[np.float64]  # [child, candidate before, candidate]; ends have one candidate
    reached: NDArray[np.float64]  # [child, candidate]: the best score so far
    back: NDArray[np.int64]  # [child, candidate]: the candidate before it is due to


@inlined
def nothing(table):
    """The sum of no weights, of the type of their sums: a whole number, if weights are."""
    return 0 * table[0]


@helper
def sum_features(table, row, number):
    """The sum of the weights of features of a label."""
    total = nothing(table)
    for f in range(len(row)):
        total += table[row[f] ^ number]
    return total


@maker
def empty_chain(length, features, most):
    """A chain of up to `length` words with `features` features and up to `most` labels each."""
    return Chain(
        np.empty((length, features), np.uint32),
        np.empty((length, most), np.int32),
        np.zeros(length, np.int64),
        np.empty((length, most)),
        np.zeros((length + 1, most, most)),
        np.empty((length, most)),
        np.empty((length, most), np.int64),
    )


@maker
def longest_chain(starts, heads):
    """The most children that a word has in any of some trees."""
    most, counts = 1, np.empty(longest_run(starts), np.int64)
    for s in range(len(starts) - 1):
        counts[: starts[s + 1] - starts[s]] = 0
        for i in range(starts[s] + 1, starts[s + 1]):
            counts[heads[i]] += 1
            if heads[i] > 0:
                most = max(most, counts[heads[i]])
    return most


@inlined
def list_labels(atoms, rows, lists, h, chain):
    """The labels that the children of a head may have: OUT chain; the number of children."""
    first, last = rows.starts[h], rows.starts[h + 1]
    for k in range(first, last):
        number = labels_of(lists.keys, lists.values, atoms, h, rows.children[k])
        low, high = lists.starts[number], lists.starts[number + 1]
        for t in range(low, high):
            chain.labels[k - first, t - low] = lists.labels[t]
        chain.counts[k - first] = high - low
    return last - first


@inlined
def see_chain(atoms, kinds, heads, rows, weights, h, seen, chain):
    """The features of the children of a head, but of those with one label only: OUT chain."""
    first = rows.starts[h]
    for k in range(first, rows.starts[h + 1]):
        if chain.counts[k - first] > 1:
            m = rows.children[k]
            see_words(atoms, heads[h], h, m, seen)
            see_family(atoms, kinds, heads, rows, m, seen)
            row = chain.features[k - first]
            hash_features(weights.templates, weights.seeds, weights.shift, seen, row)


@inlined
def insist(chain, k, label):
    """See that a label is among those that may be."""
    there = False
    for t in range(chain.counts[k]):
        there |= chain.labels[k, t] == label
    if not there:
        chain.labels[k, chain.counts[k]] = label
        chain.counts[k] += 1


@inlined
def see_right_chain(tree, rows, lists, weights, h, seen, chain, right):
    """See and score a chain among whose labels are the right ones: OUT chain, right; its length."""
    length = list_labels(tree.atoms, rows, lists, h, chain)
    for k in range(length):
        right[k] = tree.labels[rows.children[rows.starts[h] + k]]
        insist(chain, k, right[k])
    see_chain(tree.atoms, tree.kinds, tree.heads, rows, weights, h, seen, chain)
    score_chain(chain, length, weights, tree.atoms, h)
    return length


@inlined
def score_chain(chain, length, weights, atoms, h):
    """The scores of all labels of a chain, and of all pairs of them: OUT chain.

    What has no rival has the score 0.
    """
    for i in range(length):
        chain.local[i, 0] = 0.0
        for t in range(chain.counts[i] if chain.counts[i] > 1 else 0):
            number = weights.numbers[chain.labels[i, t]]
            total = sum_features(weights.table, chain.features[i], number)
            chain.local[i, t] = total * weights.scale
    if weights.paired:
        score_pairs(chain, length, weights, atoms, h)


@inlined
def score_pairs(chain, length, weights, atoms, h):
    """The scores of all pairs of neighbouring labels of a chain: OUT chain."""
    end, table = len(weights.numbers) - 1, weights.table
    for i in range(length + 1):
        here = chain.counts[i] if i < length else 1
        before = chain.counts[i - 1] if i > 0 else 1
        chain.pair[i, 0, 0] = 0.0
        for u in range(before if here * before > 1 else 0):
            previous = chain.labels[i - 1, u] if i > 0 else end
            alone, of_upos, of_tag = pair_slots(weights.shift, atoms, h, previous)
            for t in range(here):
                number = weights.numbers[chain.labels[i, t] if i < length else end]
                total = nothing(table) + table[alone ^ number]
                total += table[of_upos ^ number] + table[of_tag ^ number]
                chain.pair[i, u, t] = total * weights.scale


@helper
def pair_slots(shift, atoms, h, previous):
    """Where the weights of labels after another are; an end of the chain is the last label."""
    after = mixed(AFTER, np.uint64(previous))
    of_upos, of_tag = mixed(after, atoms[UPOS, h]), mixed(after ^ AFTER, atoms[TAG, h])
    return slot_of(after, shift), slot_of(of_upos, shift), slot_of(of_tag, shift)


@helper
def best_labels(chain, length, best):
    """Viterbi search: OUT best, a label for each child.

    reached[i, t] = local[i, t] + max_u reached[i-1, u] + pair[i, u, t]
    """
    reached, back = chain.reached, chain.back
    for t in range(chain.counts[0]):
        reached[0, t] = chain.local[0, t] + chain.pair[0, 0, t]
    for i in range(1, length):
        for t in range(chain.counts[i]):
            highest, before = -np.inf, 0
            for u in range(chain.counts[i - 1]):
                total = reached[i - 1, u] + chain.pair[i, u, t]
                if total > highest:
                    highest, before = total, u
            reached[i, t], back[i, t] = chain.local[i, t] + highest, before
    last, highest = 0, -np.inf
    for t in range(chain.counts[length - 1]):
        total = reached[length - 1, t] + chain.pair[length, t, 0]
        if total > highest:
            highest, last = total, t
    for i in range(length - 1, 0, -1):
        best[i] = chain.labels[i, last]
        last = back[i, last]
    best[0] = chain.labels[0, last]


@kernel
def label_trees(all_atoms, all_kinds, starts, all_heads, all_lists, all_weights):
    """The best labels of all arcs of some trees; -1 for the roots themselves."""
    atoms, kinds, heads = borrowed((all_atoms, all_kinds, all_heads))
    lists, weights = borrowed((all_lists, all_weights))
    found, longest = np.full(len(heads), -1, np.int32), longest_chain(starts, heads)
    own_chain = empty_chain(longest, len(weights.seeds), longest_run(lists.starts))
    own_seen, own_best = np.empty(VIEWS, np.uint64), np.empty(longest, np.int32)
    own_rows = allocate_children(longest_run(starts))
    chain, seen, best, rows = borrowed((own_chain, own_seen, own_best, own_rows))
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        own, tree = atoms[:, a:b], heads[a:b]
        list_children(tree, rows)
        for k in range(rows.starts[0], rows.starts[1]):
            found[a + rows.children[k]] = weights.root
        for h in range(1, b - a):
            if rows.starts[h] < rows.starts[h + 1]:
                length = list_labels(own, rows, lists, h, chain)
                see_chain(own, kinds[a:b], tree, rows, weights, h, seen, chain)
                score_chain(chain, length, weights, own, h)
                best_labels(chain, length, best)
                for k in range(length):
                    found[a + rows.children[rows.starts[h] + k]] = best[k]
    kept((own_chain, own_seen, own_best, own_rows))
    return found
