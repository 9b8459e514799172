import numpy as np
import pytest
from bracketbank import small_treebank, tree

from headwise.constituency.treekernel import MOST_NODES, KernelSpace, Productions
from headwise.errors import LimitError


def test_normalised_kernels_are_at_most_1():
    productions = Productions()
    space = KernelSpace.of(productions.forest(small_treebank()), 0.3)
    numbers = np.arange(len(small_treebank()))
    found = space.kernels(numbers, space, numbers)
    assert np.diag(found) == pytest.approx(1.0)
    assert (found <= 1 + 1e-12).all()
    assert np.linalg.eigvalsh(found).min() > -1e-9  # a kernel


def test_new_productions_are_only_lent_numbers():
    productions = Productions()
    first = KernelSpace.of(productions.forest(small_treebank()), 0.3)
    known = len(productions.numbers)
    other = productions.forest([tree("(X (Y new) (Y new))"), small_treebank()[0]], learn=False)
    assert len(productions.numbers) == known
    found = KernelSpace.of(other, 0.3).kernels(np.arange(2), first, np.array([0]))
    assert found[:, 0] == pytest.approx([0.0, 1.0])


def test_trees_are_not_too_large_to_be_compared():
    words = " ".join("(DT the)" for _ in range(MOST_NODES))
    with pytest.raises(LimitError, match="a tree has 4,097 nodes, more than .* 4,096"):
        KernelSpace.of(Productions().forest([tree(f"(ROOT (S {words}))")]), 0.5)
