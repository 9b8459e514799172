# mypy: allow-untyped-defs
"""Contraction of cycles: the steps of Chu-Liu-Edmonds for dense graphs (Tarjan 1977).

Every word first takes its best head. Where the choices run in a cycle, the cycle is contracted into
one node, whose incoming arcs are worth what they gain over the arc of the cycle that they would
replace; the node then takes the best of these, and so on until no cycle is left. Going back, an
arc that enters a contracted node replaces one arc of its cycle.

    enter[C][u] = max over the nodes x of the cycle of  enter[x][u] - best[x]

A contraction of k nodes merges k rows of length n, and there are fewer than 2n nodes in all. A
score of -inf means that there is no arc. Ties are broken in a fixed way, by the order of the tokens
and of the contractions, so the same scores give the same tree always.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import embedded, helper, maker

ROOT_ALLOWED, ROOT_LAST = False, True

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Contraction(NamedTuple):
    """The nodes of a contraction: 1…n are words, n + 1…2n - 1 contracted cycles, 0 the root."""

    best: Floats  # [node] the worth of the arc it took
    source: Integers  # [node] the token that arc comes from
    target: Integers  # [node] the word that arc enters
    parent: Integers  # [node] the cycle it was contracted into, or 0
    around: Integers  # [node] the next node on that cycle
    walk: Integers  # [node] the walk along the arcs that came by here, or 0
    first: Integers  # [node] the first word of the list of its words
    last: Integers  # [node] the last word of that list
    following: Integers  # [word] the next word of the list, or 0
    group: Integers  # [token] the outermost node it is in
    enter: Floats  # [node, token] the worth of the best arc from the token into the node
    into: Integers  # [node, token] the word which that arc enters
    filled: NDArray[np.bool_]  # [word] whether its row has been filled


@maker
def new_contraction(n):
    """Arrays for sentences of up to n words."""
    nodes = np.empty((7, 2 * n), np.int64)
    words = np.empty((2, n + 1), np.int64)
    return Contraction(
        np.empty(2 * n),
        nodes[0],
        nodes[1],
        nodes[2],
        nodes[3],
        nodes[4],
        nodes[5],
        nodes[6],
        words[0],
        words[1],
        np.empty((2 * n, n + 1)),
        np.empty((2 * n, n + 1), np.int64),
        np.empty(n + 1, np.bool_),
    )


@embedded
def start(c, scores, root_last):
    """Give every word its best head. False if a word has none."""
    n = scores.shape[0] - 1
    best, source = c.best[: n + 1], c.source[: n + 1]
    for word in range(n + 1):
        best[word] = -np.inf
        source[word] = 0
        c.target[word] = c.group[word] = c.first[word] = c.last[word] = word
        c.following[word] = c.parent[word] = 0
        c.filled[word] = False
    if not root_last:
        take_better(scores[0, 1:], 0, best[1:], source[1:])
    for head in range(1, n + 1):
        take_better(scores[head, :head], head, best[:head], source[:head])
        take_better(scores[head, head + 1 :], head, best[head + 1 :], source[head + 1 :])
    return every_word_has_a_head(c, scores)


@helper
def take_better(row, head, best, source):
    """Let the words take this head where it is better. Without branches, so that it vectorises."""
    for i in range(row.shape[0]):
        better = row[i] > best[i]
        best[i] = row[i] if better else best[i]
        source[i] = head if better else source[i]


@embedded
def every_word_has_a_head(c, scores):
    """Give the root to the words that have no head yet. False if one cannot have it either."""
    for word in range(1, scores.shape[0]):
        if c.best[word] == -np.inf:
            c.best[word] = scores[0, word]
            c.source[word] = 0
            if c.best[word] == -np.inf:
                return False
    return True


@embedded
def contract_cycles(c, scores, nodes, root_last):
    """Contract until no cycle is left. The new number of nodes, or -1 if there is no tree."""
    n = scores.shape[0] - 1
    c.walk[:nodes] = 0
    c.walk[0] = n + 1  # every walk that comes to the root is over
    for word in range(1, n + 1):
        node = c.group[word]
        while c.walk[node] == 0 or c.walk[node] == word:
            if c.walk[node] == word:
                contract(c, scores, node, nodes)
                node = nodes
                nodes += 1
                take_best(c, node, n, root_last)
                if c.best[node] == -np.inf:
                    return -1
            c.walk[node] = word
            node = c.group[c.source[node]]
    return nodes


@embedded
def contract(c, scores, first, new):
    """Merge the cycle through node `first` into node `new`."""
    n = scores.shape[0] - 1
    c.enter[new, : n + 1] = -np.inf
    c.parent[new] = 0
    c.first[new] = c.first[first]
    last = 0
    node = first
    while True:
        fill_row(c, scores, node, n)
        merge(
            c.enter[new, : n + 1],
            c.into[new, : n + 1],
            c.enter[node, : n + 1],
            c.into[node, : n + 1],
            c.best[node],
        )
        c.parent[node] = new
        c.following[last] = c.first[node]
        last = c.last[node]
        c.around[node] = c.group[c.source[node]]
        node = c.around[node]
        if node == first:
            break
    c.last[new] = last
    word = c.first[new]
    while word != 0:
        c.group[word] = new
        c.enter[new, word] = -np.inf
        word = c.following[word]


@embedded
def fill_row(c, scores, node, n):
    """Copy the column of a word; only words on cycles need theirs."""
    if node > n or c.filled[node]:
        return
    c.filled[node] = True
    for head in range(n + 1):
        c.enter[node, head] = scores[head, node]
        c.into[node, head] = node
    c.enter[node, node] = -np.inf


@helper
def merge(enter, into, other_enter, other_into, other_best):
    """Keep the better of the arcs into either node. Without branches, so that it vectorises."""
    for i in range(enter.shape[0]):
        gain = other_enter[i] - other_best
        better = gain > enter[i]
        enter[i] = gain if better else enter[i]
        into[i] = other_into[i] if better else into[i]


@embedded
def take_best(c, node, n, root_last):
    """Let a node with a filled row take the best arc into it; by `root_last`, a root arc last."""
    enter = c.enter[node, : n + 1]
    source = 0
    best = -np.inf if root_last else enter[0]
    for token in range(1, n + 1):
        if enter[token] > best:
            best = enter[token]
            source = token
    c.source[node] = source
    c.best[node] = enter[source]
    c.target[node] = c.into[node, source]


@embedded
def root_arcs(c, n):
    """How many outermost nodes have taken an arc from the root."""
    count = 0
    for word in range(1, n + 1):
        node = c.group[word]
        if c.source[node] == 0 and c.first[node] == word:
            count += 1
    return count


@embedded
def choose_again(c, scores):
    """Where an outermost node took a root arc, let it take another if it has one."""
    n = scores.shape[0] - 1
    for word in range(1, n + 1):
        node = c.group[word]
        if c.source[node] == 0 and c.first[node] == word:
            fill_row(c, scores, node, n)
            take_best(c, node, n, ROOT_LAST)


@embedded
def expand(c, nodes, heads):
    """Turn the arcs of the nodes into the heads of words. OUT: heads.

    An arc into a node replaces the arcs of all nodes that lie around its target inside. As inner
    nodes have lower numbers, every node is met after those around it. `walk` is left 0 for the
    nodes that kept their arcs, one a word.
    """
    heads[0] = -1
    c.walk[:nodes] = 0
    for node in range(nodes - 1, 0, -1):
        if c.walk[node] == 0:
            inner = c.target[node]
            heads[inner] = c.source[node]
            while inner != node:
                c.walk[inner] = 1
                inner = c.parent[inner]
