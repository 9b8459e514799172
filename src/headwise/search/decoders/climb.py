"""Approximate non-projective search of orders two to four (McDonald & Pereira 2006).

Exact higher-order search is possible only among projective trees. The best of them is improved by
re-attaching one word at a time under the same scores, best change first, until none helps. The
result may have crossing arcs, and is never worse than the projective tree. With a single root,
exchanging the root word is a change too. Brackets are respected, each with the top it has in the
projective tree, unless the root is exchanged within it.

K-best lists, probabilities and samples are of projective trees only.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from headwise.corpus.tree import is_single_rooted, problems
from headwise.errors import ConstraintError, TreeError, UsageError
from headwise.kernels.nonprojective.climb import climb
from headwise.search.bracketing import shared_brackets
from headwise.search.decoders.base import Decoder, HeadsArray, Marginals, ScoredTree
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder, part_scores
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation
from headwise.search.scores import Scores

TRIES = (1, 100, 3000)
"""How many of the best trees by arc scores to try where there is no projective tree."""


@contextmanager
def of_projective_trees() -> Iterator[None]:
    """Add to errors that only projective trees were considered."""
    try:
        yield
    except ConstraintError as error:
        raise ConstraintError(
            f"{error}. Above the first order, k-best lists, probabilities and samples are of "
            "projective trees: ask for the best tree only, or remove crossing heads"
        ) from error


@dataclass(frozen=True, slots=True)
class ClimbDecoder(Decoder):
    """Finds a good tree, projective or not, under scores of any order.

    The scores should be over an index with `crossing`; otherwise parts that only non-projective
    trees have do not exist.
    """

    def best(self, scores: Scores) -> ScoredTree:
        """A tree at least as good as the best projective one."""
        start = self.start(scores)
        return self.improve(scores, start.heads)

    @property
    def projective(self) -> ProjectiveDecoder:
        """The decoder for projective trees."""
        return ProjectiveDecoder(self.single_root)

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        """The k best projective trees, best first."""
        with of_projective_trees():
            return self.projective.kbest(scores, k)

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities over projective trees."""
        with of_projective_trees():
            return self.projective.marginals(scores)

    def sample(self, scores: Scores, count: int, rng: np.random.Generator | int) -> HeadsArray:
        """Samples from the distribution over projective trees."""
        with of_projective_trees():
            return self.projective.sample(scores, count, rng)

    def start(self, scores: Scores) -> ScoredTree:
        """The best projective tree; otherwise the first possible tree by arc scores."""
        try:
            heads = self.projective.best(scores).heads
        except ConstraintError:
            return self.crossing_start(scores)
        return ScoredTree(heads, scores.of_tree(heads))

    def crossing_start(self, scores: Scores) -> ScoredTree:
        """The first tree of finite score among the best by arc scores."""
        decoder = NonProjectiveDecoder(self.single_root)
        tried = 0
        for k in TRIES:
            trees = decoder.kbest(Scores(scores.arc, brackets=scores.brackets), k)
            for tree in trees[tried:]:
                total = scores.of_tree(tree.heads)
                if total > -np.inf:
                    return ScoredTree(tree.heads, total)
            tried = len(trees)
            if tried < k:
                raise ConstraintError("no tree has a finite score: allow more arcs or parts")
        raise ConstraintError(
            f"no projective tree has a finite score, nor do the {tried} best trees by arc scores: "
            "allow more arcs or parts, or start from another tree"
        )

    def improve(self, scores: Scores, heads: Sequence[int] | HeadsArray) -> ScoredTree:
        """The local optimum reached from a given tree."""
        first = np.array(heads, np.int64)
        self.check_tree(scores, first)
        before = scores.of_tree(first)
        if before == -np.inf:
            raise ConstraintError("the initial tree has a score of -inf: start from another")
        if scores.index is None:
            arcs = PartIndex.over(scores.arc > -np.inf, Factorisation.ARCS)
            scores = replace(scores, index=arcs)
        assert scores.index is not None
        tree = first.copy()
        shared = shared_brackets(scores.brackets, len(tree))
        climb(scores.index.rows, part_scores(scores), self.single_root, shared, tree)
        after = scores.of_tree(tree)
        return ScoredTree(tree, after) if after >= before else ScoredTree(first, before)

    def check_tree(self, scores: Scores, heads: HeadsArray) -> None:
        """Raise unless heads form a tree over the words of the scores."""
        if len(heads) != scores.n + 1:
            raise UsageError(f"the tree has {len(heads) - 1} words, the scores have {scores.n}")
        found = problems(heads.tolist())
        if found:
            raise TreeError(f"the initial heads do not form a tree: {found[0]}")
        if self.single_root and not is_single_rooted(heads.tolist()):
            raise TreeError(
                "the initial tree has several roots: set single_root=False, or change it"
            )
