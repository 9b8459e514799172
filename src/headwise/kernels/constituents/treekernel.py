# mypy: allow-untyped-defs
"""The convolution kernel of trees (Collins & Duffy 2002): how many pieces two trees share.

    K(S, T) = Σ over nodes s of S, t of T of  D(s, t)
    D(s, t) = 0                                       if their productions differ
              decay · Π over children (1 + D(s_i, t_i))  otherwise; a word has no children

A piece is any part of a tree whose productions are whole. Nodes stand in the order of a walk that
sees children before parents, so D of the children is known when that of the parents is asked for.
Only pairs with equal productions are visited: those of T are looked up in a sorted list.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, kernel

Ints = NDArray[np.int32]


class Forest(NamedTuple):
    """Trees one after the other: nodes of tree x are tree_starts[x] : tree_starts[x + 1]."""

    tree_starts: Ints
    production: Ints  # [node]
    child_starts: Ints  # [node] and one more
    children: Ints  # indices within the tree
    order: Ints  # indices within the tree, by production


@kernel
def kernel_matrix(first, firsts, second, seconds, decay):
    """K of each of some trees of one forest with each of some trees of another."""
    a, b = borrowed(first), borrowed(second)
    widest = largest_tree(a, firsts)
    shared = np.zeros((widest, largest_tree(b, seconds)))
    found = np.empty((len(firsts), len(seconds)))
    for i in range(len(firsts)):
        for j in range(len(seconds)):
            found[i, j] = tree_kernel(a, firsts[i], b, seconds[j], decay, shared)
    kept(first)
    kept(second)
    return found


@kernel
def self_kernels(owned, decay):
    """K of each tree with itself."""
    forest = borrowed(owned)
    count = len(forest.tree_starts) - 1
    found = np.empty(count)
    widest = largest_tree(forest, np.arange(count))
    shared = np.zeros((widest, widest))
    for x in range(count):
        found[x] = tree_kernel(forest, x, forest, x, decay, shared)
    kept(owned)
    return found


@helper
def largest_tree(forest, chosen):
    """The most nodes that any of some trees has."""
    most = 0
    for x in chosen:
        most = max(most, forest.tree_starts[x + 1] - forest.tree_starts[x])
    return most


@helper
def tree_kernel(a, x, b, y, decay, shared):
    """K of tree x of one forest with tree y of another; `shared` is all zero before and after."""
    at, end = a.tree_starts[x], a.tree_starts[x + 1]
    other, count = b.tree_starts[y], b.tree_starts[y + 1] - b.tree_starts[y]
    total = 0.0
    for s in range(end - at):
        wanted = a.production[at + s]
        index = first_of(b, other, count, wanted)
        while index < count and b.production[other + b.order[other + index]] == wanted:
            t = b.order[other + index]
            below_s, below_t = a.child_starts[at + s], b.child_starts[other + t]
            value = decay
            for i in range(a.child_starts[at + s + 1] - below_s):
                value *= 1.0 + shared[a.children[below_s + i], b.children[below_t + i]]
            shared[s, t] = value
            total += value
            index += 1
    for s in range(end - at):
        shared[s, :count] = 0.0
    return total


@helper
def first_of(forest, start, count, wanted):
    """The first index in the sorted list of a tree whose production is not below the wanted one."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if forest.production[start + forest.order[start + middle]] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
