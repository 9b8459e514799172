"""Trees as arrays of numbered productions, for the tree kernel."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import plain
from headwise.corpus.constituents import Leaf, Tree, postorder
from headwise.errors import LimitError
from headwise.kernels.constituents.treekernel import Forest, kernel_matrix, self_kernels

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


MOST_NODES = 4096
"""Largest number of nodes of a tree: comparing two such trees takes a table of 128 MiB. A sentence
of 500 words has half as many."""


class Productions:
    """Indices of productions."""

    def __init__(self) -> None:
        """Start with no productions."""
        self.numbers: dict[tuple[str, ...], int] = {}

    def forest(self, trees: Sequence[Tree], *, learn: bool = True) -> Forest:
        """Trees as arrays, without traces and function tags.

        New productions are added if `learn`; otherwise they get indices for these trees only.
        """
        numbers = self.numbers
        fresh = numbers if learn else {}
        tree_starts, productions, child_starts = [0], [], [0]
        children: list[int] = []
        order: list[int] = []
        for tree in trees:
            own: list[int] = []
            waiting: list[int] = []  # indices of the nodes without a parent so far
            for node in postorder(plain(tree).root):
                if isinstance(node, Leaf):
                    key: tuple[str, ...] = (node.tag, "", node.form)
                else:
                    first = len(waiting) - len(node.children)
                    children += waiting[first:]
                    del waiting[first:]
                    key = (node.label, *(child.label for child in node.children))
                waiting.append(len(own))
                number = numbers.get(key)
                if number is None:
                    known = len(numbers) if learn else len(numbers) + len(fresh)
                    number = fresh.setdefault(key, known)
                own.append(number)
                child_starts.append(len(children))
            productions += own
            order += sorted(range(len(own)), key=own.__getitem__)
            tree_starts.append(len(productions))
        columns = (tree_starts, productions, child_starts, children, order)
        return Forest(*(np.array(column, np.int32) for column in columns))


@dataclass(frozen=True, slots=True, eq=False)
class KernelSpace:
    """Trees with normalised kernels: the kernel of a tree with itself is 1."""

    forest: Forest
    decay: float
    sizes: Floats  # the square roots of the unnormalised kernels with themselves

    @classmethod
    def of(cls, forest: Forest, decay: float) -> "KernelSpace":
        """The kernel space of some trees."""
        most = int(np.diff(forest.tree_starts).max(initial=0))
        if most > MOST_NODES:
            raise LimitError(
                f"a tree has {most:,} nodes, more than the tree kernel's limit of {MOST_NODES:,}: "
                "remove it"
            )
        return cls(forest, decay, np.sqrt(self_kernels(forest, decay)))

    def kernels(self, chosen: Ints, other: "KernelSpace", others: Ints) -> Floats:
        """The normalised kernels of some trees with some trees of another space."""
        found: Floats = kernel_matrix(self.forest, chosen, other.forest, others, self.decay)
        return found / (self.sizes[chosen][:, None] * other.sizes[others])
