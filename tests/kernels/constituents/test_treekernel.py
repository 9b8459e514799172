"""Tree kernels against the slow form."""

import random

import numpy as np
import pytest
from bracketbank import random_tree, tree
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.constituency.annotation import plain
from headwise.constituency.voted import Productions
from headwise.corpus.constituents import Leaf, preorder
from headwise.kernels.constituents.treekernel import kernel_matrix


def production(node):
    if isinstance(node, Leaf):
        return node.tag, node.form
    return node.label, tuple(child.label for child in node.children)


def shared(a, b, decay):
    """The recursion of Collins & Duffy, as it stands."""
    if type(a) is not type(b) or production(a) != production(b):
        return 0.0
    value = decay
    if not isinstance(a, Leaf):
        for x, y in zip(a.children, b.children, strict=True):
            value *= 1 + shared(x, y, decay)
    return value


def slow_kernel(a, b, decay):
    pairs = ((s, t) for s in preorder(plain(a).root) for t in preorder(plain(b).root))
    return sum(shared(s, t, decay) for s, t in pairs)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.floats(0.1, 1.0))
def test_the_fast_form_is_the_slow_one(seed, decay):
    rng = random.Random(seed)
    trees = [random_tree(rng.randint(1, 6), rng, "AB") for _ in range(4)]
    forest = Productions().forest(trees)
    numbers = np.arange(4)
    found = kernel_matrix(forest, numbers, forest, numbers, decay)
    wanted = [[slow_kernel(a, b, decay) for b in trees] for a in trees]
    assert found == pytest.approx(np.array(wanted))


def test_pieces_are_counted():
    """With a decay of 1 the kernel is the number of pieces in common."""
    forest = Productions().forest([tree("(S (NP (D the) (N dog)))"), tree("(NP (D the) (N cat))")])
    found = kernel_matrix(forest, np.array([0]), forest, np.array([1]), 1.0)
    # (D the), (NP D N), and (NP (D the) N); `dog` and `cat` are different words.
    assert found[0, 0] == 3.0
