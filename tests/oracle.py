"""The slow truth: every tree of a short sentence, scored part by part from the definition.

Nothing here shares code with search. Tables are full arrays with one axis for each index of their
part type; STOP's axes are head, side (0 left, 1 right), last modifier.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from headwise.search.parts import Part

Tree = tuple[int, ...]


@cache
def trees(n: int, *, projective: bool, single_root: bool) -> tuple[Tree, ...]:
    """All trees over n words as heads arrays, heads[0] being -1."""
    found = []
    for column in itertools.product(range(n + 1), repeat=n):
        heads = (-1, *column)
        if single_root and column.count(0) != 1:
            continue
        if is_tree(heads) and not (projective and has_crossing_arcs(heads)):
            found.append(heads)
    return tuple(found)


def is_tree(heads: Tree) -> bool:
    """Whether every word reaches the root."""
    for start in range(1, len(heads)):
        word, steps = start, 0
        while word != 0 and steps < len(heads):
            word, steps = heads[word], steps + 1
        if word != 0:
            return False
    return True


def has_crossing_arcs(heads: Tree) -> bool:
    """Whether two arcs, drawn above the words, cross; the root stands before all words."""
    arcs = [tuple(sorted((heads[m], m))) for m in range(1, len(heads))]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def parts(heads: Tree) -> Iterator[tuple[Part, tuple[int, ...]]]:
    """Every part of a tree, found for each word by looking at all others."""
    n = len(heads) - 1

    def chain(h: int, right: bool) -> list[int]:
        """The modifiers of h on one side, from the inside out."""
        side = [m for m in range(1, n + 1) if heads[m] == h and (m > h) == right]
        return sorted(side, key=lambda m: abs(m - h))

    for m in range(1, n + 1):
        h = heads[m]
        g = 0 if h == 0 else heads[h]
        row = chain(h, m > h)
        at = row.index(m)
        s = row[at - 1] if at >= 1 else h
        r = row[at - 2] if at >= 2 else h
        yield Part.ARC, (h, m)
        yield Part.SIBLING, (h, s, m)
        yield Part.GRANDCHILD, (g, h, m)
        yield Part.GRAND_SIBLING, (g, h, s, m)
        yield Part.TRI_SIBLING, (h, r, s, m)
        yield Part.GRAND_TRI_SIBLING, (g, h, r, s, m)
    for h in range(n + 1):
        for side in range(2):
            row = chain(h, side == 1)
            yield Part.STOP, (h, side, row[-1] if row else h)


parts_of_tree = cache(lambda heads: tuple(parts(heads)))
"""The parts of a tree, remembered between tests."""


def score(heads: Tree, tables: Mapping[Part, np.ndarray]) -> float:
    """The sum of the scores of a tree's parts; a type without a table scores nothing."""
    total = 0.0
    for part, indices in parts_of_tree(heads):
        if part in tables:
            total += float(tables[part][indices])
    return total


class Oracle:
    """Every answer about the trees of a sentence, by enumeration."""

    def __init__(
        self,
        tables: Mapping[Part, np.ndarray],
        *,
        projective: bool = True,
        single_root: bool = True,
        allowed: Sequence[Tree] | None = None,
    ) -> None:
        """Enumerate and score the trees of finite score, best first; or of `allowed` ones."""
        self.tables = tables
        n = len(tables[Part.ARC]) - 1
        if allowed is None:
            allowed = trees(n, projective=projective, single_root=single_root)
        scored = [(score(heads, tables), heads) for heads in allowed]
        self.ranked = sorted(
            ((total, heads) for total, heads in scored if total > -np.inf), reverse=True
        )

    @property
    def scores(self) -> np.ndarray:
        """The scores of all trees, best first."""
        return np.array([total for total, _ in self.ranked])

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum of exp(score)."""
        return float(np.logaddexp.reduce(self.scores))

    @property
    def probabilities(self) -> np.ndarray:
        """The probabilities of all trees, in the order of `ranked`."""
        return np.exp(self.scores - self.log_partition)

    @property
    def entropy(self) -> float:
        """The entropy of the distribution over trees, in nats."""
        p = self.probabilities
        return float(-np.sum(p * np.log(p, where=p > 0, out=np.zeros_like(p))))

    def marginals(self, part: Part) -> np.ndarray:
        """The probability of every part of a type, as a full table."""
        n = len(self.tables[Part.ARC]) - 1
        shape = (n + 1, 2, n + 1) if part is Part.STOP else (n + 1,) * len(part.indices)
        table = np.zeros(shape)
        for p, (_, heads) in zip(self.probabilities, self.ranked, strict=True):
            for kind, indices in parts_of_tree(heads):
                if kind is part:
                    table[indices] += p
        return table
