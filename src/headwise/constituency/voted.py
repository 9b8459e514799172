"""Voted perceptron with the tree kernel, a reranker of candidate lists (Collins & Duffy 2002).

Whenever another candidate beats the best one, both become support trees: the best with a positive
sign, the other with a negative one. All intermediate perceptrons vote on a list, each with as many
votes as the number of lists it survived; the probability of a candidate is its share of the votes
(Titov & Henderson 2006, § 5).

The kernel of a pair of trees is score_weight² · their scores + their tree kernel. Scores are
relative to the best of their list, and tree kernels normalised, so that both are of magnitude 1.
Trees are arrays of numbered productions there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import plain
from headwise.constituency.candidates import CandidateList
from headwise.constituency.conventions import collins
from headwise.constituency.parseval import score_tree
from headwise.corpus.constituents import Leaf, Tree, postorder
from headwise.errors import LimitError, UsageError
from headwise.kernels.constituents.treekernel import Forest, kernel_matrix, self_kernels
from headwise.progress import Progress, silent
from headwise.reranking.linear import ALL_LABELS, KnowsLabels
from headwise.storage.settings import check_types

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class VotedTreePerceptron(KnowsLabels):
    """Learns which candidate of a list is the best, by voting.

    Learned: `support_`, pairs of trees of `space_` (the better, the worse); `gaps_`, the better's
    score minus the worse's; `votes_` of the perceptron before the first pair, after it, and so on.
    """

    def __init__(self, *, decay: float = 0.3, score_weight: float = 0.1, epochs: int = 1) -> None:
        """Set the decay of tree fragments by size, the weight of scores, and the epochs."""
        self.decay = decay
        self.score_weight = score_weight
        self.epochs = epochs

    def fit(
        self,
        lists: Sequence[CandidateList],
        gold: Sequence[Tree],
        progress: Progress = silent,
    ) -> "VotedTreePerceptron":
        """Train on candidate lists and gold trees; `progress` is called after each list.

        The lists must come from a parser that was not trained on these trees.
        """
        check_types(self)
        if not 0 < self.decay <= 1 or self.epochs < 1:
            raise UsageError("decay must be above 0 and at most 1, epochs at least 1")
        if not lists or len(lists) != len(gold):
            raise UsageError(f"{len(lists)} candidate lists for {len(gold)} gold trees")
        self.productions_ = Productions()
        trees = [tree for one in lists for tree in one.trees]
        self.space_ = KernelSpace.of(self.productions_.forest(trees), self.decay)
        self.support_: list[tuple[int, int]] = []
        self.gaps_: list[float] = []
        self.votes_ = [0]
        self.labels_ = ALL_LABELS
        starts = np.cumsum([0, *map(len, lists)])
        best = [best_candidate(one, right) for one, right in zip(lists, gold, strict=True)]
        done = 0
        for _ in range(self.epochs):
            for one, start, right in zip(lists, starts, best, strict=False):
                self._learn(one, int(start), right)
                done += 1
                progress("lists", done, self.epochs * len(lists))
        return self

    def _learn(self, candidates: CandidateList, start: int, best: int) -> None:
        """Update on one list, whose trees begin at index `start` of the space."""
        own = np.arange(start, start + len(candidates))
        chosen = self._winners(candidates, self.space_, own)[-1]
        if chosen == best:
            self.votes_[-1] += 1
            return
        self.support_.append((start + best, start + chosen))
        self.gaps_.append(float(candidates.scores[best] - candidates.scores[chosen]))
        self.votes_.append(1)

    def _winners(self, candidates: CandidateList, space: "KernelSpace", own: Ints) -> list[int]:
        """The candidate that each perceptron prefers: before any support, after the first, …"""
        relative = candidates.scores - candidates.scores.max()
        first = int(np.argmax(relative))
        if not self.support_:
            return [first]
        better, worse = np.array(self.support_, np.int64).T
        gains = space.kernels(own, self.space_, better) - space.kernels(own, self.space_, worse)
        gains += self.score_weight**2 * np.outer(relative, self.gaps_)
        return [first, *np.argmax(np.cumsum(gains, axis=1), axis=0).tolist()]

    def probabilities(self, candidates: CandidateList) -> Floats:
        """Each candidate's share of the votes."""
        if not hasattr(self, "productions_"):
            raise UsageError("this reranker is not fitted; call fit() or load a model")
        forest = self.productions_.forest(candidates.trees, learn=False)
        space = KernelSpace.of(forest, self.decay)
        winners = self._winners(candidates, space, np.arange(len(candidates)))
        votes = np.bincount(winners, weights=self.votes_, minlength=len(candidates))
        return np.asarray(votes / votes.sum())


def best_candidate(candidates: CandidateList, gold: Tree) -> int:
    """The candidate of the highest F1; of equals the highest-scoring, then the first."""

    def merit(number: int) -> tuple[float, float]:
        score = score_tree(gold, candidates.trees[number], collins())
        return 2 * score.matched / max(score.gold + score.system, 1), candidates.scores[number]

    return max(range(len(candidates)), key=merit)


MAX_NODES = 4096
"""Largest number of nodes of a tree: comparing two such trees takes a table of 128 MiB. A sentence
of 500 words has half as many."""


class Productions:
    """Indices of productions."""

    def __init__(self) -> None:
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
        size = int(np.diff(forest.tree_starts).max(initial=0))
        if size > MAX_NODES:
            raise LimitError(
                f"a tree has {size:,} nodes, more than the tree kernel's limit of {MAX_NODES:,}: "
                "remove it"
            )
        return cls(forest, decay, np.sqrt(self_kernels(forest, decay)))

    def kernels(self, chosen: Ints, other: "KernelSpace", others: Ints) -> Floats:
        """The normalised kernels of some trees with some trees of another space."""
        found: Floats = kernel_matrix(self.forest, chosen, other.forest, others, self.decay)
        return found / (self.sizes[chosen][:, None] * other.sizes[others])
