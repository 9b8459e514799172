"""Minimum Bayes risk over candidate trees under the loss 1 − F1 (Titov & Henderson 2006, § 3).

`mbr_rerank` returns the candidate with the highest expected F1 (equation 2), `mbr_predict` builds a
new tree from the candidates' brackets (equation 1). Outer wrappers are not counted (footnote 3).
Two brackets with the same label and span are numbered, so that F1 counts both.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import ROOT
from headwise.constituency.bracketing import Bracket, brackets_of, root_label, tree_of
from headwise.constituency.candidates import CandidateList
from headwise.corpus.constituents import Leaf, Tree, unwrapped
from headwise.errors import LimitError, SourceLocation
from headwise.kernels.constituents.f1_forest import SAME, best_forest
from headwise.search.probabilities import candidate_probabilities, checked_probabilities

Floats = npt.NDArray[np.float64]

TABLES = 3
"""The tables of `best_forest`, over all spans and numbers of brackets."""

MOST_MEMORY = 8 << 30
"""The bytes of these tables at most, if all brackets could be in one tree; usually few can."""


@dataclass(frozen=True, slots=True)
class MbrTree:
    """A tree and its expected F1."""

    tree: Tree
    expected_f1: float


@dataclass(frozen=True, slots=True, eq=False)
class BracketPool:
    """The distinct brackets of a candidate list, by start, end and first occurrence."""

    words: int
    brackets: tuple[Bracket, ...]
    member_starts: npt.NDArray[np.int64]
    members: npt.NDArray[np.int64]  # the candidates of each bracket, in order
    sizes: npt.NDArray[np.int64]  # brackets of each candidate

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> "BracketPool":
        """The bracket pool of trees over the same words."""
        candidates: dict[tuple[Bracket, int], list[int]] = {}
        depths: dict[tuple[Bracket, int], int] = {}
        sizes = []
        for number, tree in enumerate(trees):
            seen: Counter[Bracket] = Counter()
            found = brackets_of(tree)
            for depth, bracket in enumerate(found):
                key = (bracket, seen[bracket])
                candidates.setdefault(key, []).append(number)
                depths.setdefault(key, depth)
                seen[bracket] += 1
            sizes.append(len(found))
        # Over one span, keep the order of first occurrence: outer ones first, where trees agree.
        order = sorted(
            candidates, key=lambda key: (key[0].start, key[0].end, candidates[key][0], depths[key])
        )
        lists = [candidates[key] for key in order]
        return cls(
            sum(1 for _ in trees[0].leaves()),
            tuple(bracket for bracket, _ in order),
            np.cumsum([0, *map(len, lists)]),
            np.array([x for found in lists for x in found], np.int64),
            np.array(sizes, np.int64),
        )

    def shared(self) -> Floats:
        """The number of brackets that each pair of candidates shares."""
        from scipy.sparse import csr_array

        owners = np.repeat(np.arange(len(self.brackets)), np.diff(self.member_starts))
        shape = len(self.sizes), len(self.brackets)
        table: Any = csr_array((np.ones(len(owners)), (self.members, owners)), shape=shape)
        shared: Floats = (table @ table.T).toarray()
        return shared

    def check_memory(self, location: SourceLocation) -> None:
        """Raise if the tables of `best_forest` could be too large."""
        needed = TABLES * 8 * (self.words + 1) ** 2 * (len(self.brackets) + 1)
        if needed > MOST_MEMORY:
            raise LimitError(
                f"the candidates have {self.words} words and {len(self.brackets)} different "
                "brackets, for which minimum Bayes risk needs too much memory: use shorter lists, "
                "or choose one of the candidates (--decode mbr-rerank)",
                location,
            )


def mbr_rerank(candidates: CandidateList, probabilities: Floats | None = None) -> MbrTree:
    """The candidate with the highest expected F1; the first of equals."""
    weights = checked(candidates, probabilities)
    pool = BracketPool.of(candidates.trees)
    both = pool.sizes[:, None] + pool.sizes[None, :]
    f1 = np.where(both > 0, 2 * pool.shared() / np.maximum(both, 1), 1.0)
    expected = f1 @ weights
    chosen = int(np.argmax(expected >= expected.max() * (1 - SAME)))
    return MbrTree(candidates.trees[chosen], float(expected[chosen]))


def mbr_predict(candidates: CandidateList, probabilities: Floats | None = None) -> MbrTree:
    """The tree with the highest expected F1 among all combinations of the candidates' brackets.

    Each word gets its most probable tag among the candidates.
    """
    weights = checked(candidates, probabilities)
    pool = BracketPool.of(candidates.trees)
    pool.check_memory(candidates.location)
    roots = [root_label(tree) for tree in candidates.trees]
    leaves = voted_leaves(candidates.trees, weights)
    chosen, expected = choose(pool, weights)
    root = next((label for label in roots if label is not None), None)
    tree = tree_of(chosen, leaves, ROOT if root is None else root)
    return MbrTree(tree if None not in roots else unwrapped(tree), expected)


def choose(pool: BracketPool, weights: Floats) -> tuple[list[Bracket], float]:
    """The set of brackets with the highest expected F1, outer ones first, and that F1."""
    # Two trees without brackets are equal: their F1 is 1, which no bracket's weight reflects.
    empty = float(weights[pool.sizes == 0].sum())
    if not pool.brackets:
        return [], empty
    starts = np.array([bracket.start for bracket in pool.brackets], np.int64)
    ends = np.array([bracket.end for bracket in pool.brackets], np.int64)
    arguments: tuple[Any, ...] = (pool.member_starts, pool.members, pool.sizes, weights)
    numbers, half = best_forest(pool.words, starts, ends, *arguments)
    if empty >= 2 * half * (1 - SAME):
        return [], empty
    chosen = sorted(numbers.tolist(), key=lambda x: (starts[x], -ends[x], x))
    return [pool.brackets[x] for x in chosen], 2 * float(half)


def voted_leaves(trees: Sequence[Tree], weights: Floats) -> list[Leaf]:
    """The words with their most probable tags; the first candidate's of equals."""
    votes: list[dict[Leaf, float]] = [{} for _ in trees[0].leaves()]
    for tree, weight in zip(trees, weights, strict=True):
        for leaf, found in zip(tree.leaves(), votes, strict=True):
            found[leaf] = found.get(leaf, 0.0) + float(weight)
    return [max(found, key=found.__getitem__) for found in votes]


def checked(candidates: CandidateList, probabilities: Floats | None) -> Floats:
    """Normalised probabilities: those given, or those of the scores."""
    if probabilities is None:
        return candidate_probabilities(candidates.scores)
    return checked_probabilities(probabilities, len(candidates))
