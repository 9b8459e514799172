# mypy: allow-untyped-defs
"""Labels of all arcs of a sentence, before its tree is known: each arc's best label by itself."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.labels.features import VIEWS, hash_features, labels_of, see_words
from headwise.kernels.labels.search import sum_features
from headwise.kernels.runtime.jit import inlined, kernel


class ArcLabels(NamedTuple):
    """The best label of every arc; and, of gold arcs, the gold label beside the best other one."""

    score: NDArray[np.float64]  # [head, modifier]
    label: NDArray[np.int32]  # [head, modifier]
    gold: NDArray[np.float64]  # [modifier]: score of the gold label
    rival: NDArray[np.float64]  # [modifier]: of the best other label; -inf if there is none
    rival_label: NDArray[np.int32]  # [modifier]


@inlined
def label_score(weights, row, label):
    """The score of a label of an arc."""
    return sum_features(weights.table, row, weights.numbers[label]) * weights.scale


@kernel
def score_labels(atoms, lists, weights, heads, labels):
    """The labels of all arcs of a sentence, of which some are gold arcs with gold labels."""
    size = atoms.shape[1]
    score, label = np.zeros((size, size)), np.full((size, size), weights.root, np.int32)
    gold, rival = np.zeros(size), np.full(size, -np.inf)
    rival_label = np.full(size, weights.root, np.int32)
    seen, row = np.empty(VIEWS, np.uint64), np.empty(len(weights.seeds), np.uint32)
    for h in range(1, size):
        for m in range(1, size):
            if h == m:
                continue
            see_words(atoms, -1, h, m, seen)
            hash_features(weights.templates, weights.seeds, weights.shift, seen, row)
            score[h, m] = -np.inf
            number = labels_of(lists.keys, lists.values, atoms, h, m)
            for t in range(lists.starts[number], lists.starts[number + 1]):
                own = lists.labels[t]
                value = label_score(weights, row, own)
                if value > score[h, m]:
                    score[h, m], label[h, m] = value, own
                if heads[m] == h and own != labels[m] and value > rival[m]:
                    rival[m], rival_label[m] = value, own
            if heads[m] == h:
                gold[m] = label_score(weights, row, labels[m])
    return ArcLabels(score, label, gold, rival, rival_label)


@kernel
def add_label_scores(atoms, starts, lists, weights, scores):
    """Add the scores of the best labels to those of all arcs of sentences. IN/OUT: scores."""
    seen, row = np.empty(VIEWS, np.uint64), np.empty(len(weights.seeds), np.uint32)
    first = 0
    for s in range(len(starts) - 1):
        own = atoms[:, starts[s] : starts[s + 1]]
        size = own.shape[1]
        for h in range(1, size):
            for m in range(1, size):
                if h == m:
                    continue
                see_words(own, -1, h, m, seen)
                hash_features(weights.templates, weights.seeds, weights.shift, seen, row)
                highest = -np.inf
                number = labels_of(lists.keys, lists.values, own, h, m)
                for t in range(lists.starts[number], lists.starts[number + 1]):
                    highest = max(highest, label_score(weights, row, lists.labels[t]))
                scores[first + h * size + m] += highest
        first += size * size


@kernel
def label_entries(atoms, weights, offset, row, heads, modifiers, labels, coefficients):
    """Row, slot and value of every feature of some labelled arcs; those of the root have none."""
    count, width = 0, len(weights.seeds)
    rows = np.empty(len(row) * width, np.int64)
    slots, values = np.empty(len(row) * width, np.int64), np.empty(len(row) * width)
    seen, own = np.empty(VIEWS, np.uint64), np.empty(width, np.uint32)
    for i in range(len(row)):
        if heads[i] == 0:
            continue
        see_words(atoms, -1, heads[i], modifiers[i], seen)
        hash_features(weights.templates, weights.seeds, weights.shift, seen, own)
        for f in range(width):
            rows[count], values[count] = row[i], coefficients[i]
            slots[count] = offset + np.int64(own[f] ^ weights.numbers[labels[i]])
            count += 1
    return rows[:count], slots[:count], values[:count]
