"""Approximate non-projective search of orders two to four (McDonald & Pereira 2006).

Exact search for higher parts is only possible among projective trees. The best of those is made
better by re-attaching one word at a time under the same scores, the best change first, until no
change makes it better. The result may cross arcs, and is never worse than the projective tree.
With a single root, exchanging the word at the root is a change too. Brackets are kept, each with
the top it has in the projective tree, unless the root is exchanged within it.

Nothing is known of the other trees: lists, probabilities and samples are of projective ones.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from headwise.corpus.tree import is_single_rooted, problems
from headwise.errors import ConstraintError, TreeError, UsageError
from headwise.kernels.nonprojective.climb import climb
from headwise.search.bracketing import shared_brackets
from headwise.search.constraints import Constraints, constrain
from headwise.search.decoders.base import HeadsArray, Marginals, Scored
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder, part_scores
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation
from headwise.search.scores import Scores

TRIES = (1, 100, 3000)
"""Where no projective tree is possible, so many of the best trees by arcs are looked at."""


@contextmanager
def of_projective_trees() -> Iterator[None]:
    """Say, where there is no projective tree, that others were not looked at."""
    try:
        yield
    except ConstraintError as error:
        raise ConstraintError(
            f"{error}. Above the first order, lists, probabilities and samples are of projective "
            "trees: ask for the best tree alone, or let no heads cross"
        ) from error


@dataclass(frozen=True, slots=True)
class ClimbDecoder:
    """Finds a good tree, projective or not, under scores of any order.

    The scores should be over an index with `crossing`, or parts that only non-projective trees have
    do not exist. With `single_root`, exactly one word is attached to the root.
    """

    single_root: bool = True

    def best(self, scores: Scores) -> Scored:
        """A tree at least as good as the best projective one."""
        start = self.start(scores)
        return self.improve(scores, start.heads)

    @property
    def projective(self) -> ProjectiveDecoder:
        """The search among projective trees."""
        return ProjectiveDecoder(self.single_root)

    def kbest(self, scores: Scores, k: int) -> list[Scored]:
        """The k best projective trees, best first."""
        with of_projective_trees():
            return self.projective.kbest(scores, k)

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities among projective trees."""
        with of_projective_trees():
            return self.projective.marginals(scores)

    def sample(self, scores: Scores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Projective trees drawn by their probability."""
        with of_projective_trees():
            return self.projective.sample(scores, count, rng)

    def start(self, scores: Scores) -> Scored:
        """The best projective tree; if there is none, the first possible one by arcs alone."""
        try:
            heads = self.projective.best(scores).heads
        except ConstraintError:
            return self.crossing_start(scores)
        return Scored(heads, scores.of_tree(heads))

    def crossing_start(self, scores: Scores) -> Scored:
        """The first tree of finite score among the best by their arcs alone."""
        decoder = NonProjectiveDecoder(self.single_root)
        tried = 0
        for k in TRIES:
            trees = decoder.kbest(Scores(scores.arc, brackets=scores.brackets), k)
            for tree in trees[tried:]:
                total = scores.of_tree(tree.heads)
                if total > -np.inf:
                    return Scored(tree.heads, total)
            tried = len(trees)
            if tried < k:
                raise ConstraintError("no tree has a finite score: allow more arcs or parts")
        raise ConstraintError(
            f"no projective tree has a finite score, nor have the {tried} best trees by their "
            "arcs: allow more arcs or parts, or start from a tree of your own"
        )

    def improve(self, scores: Scores, heads: Sequence[int] | HeadsArray) -> Scored:
        """The tree that a given one is made into by changes for the better."""
        first = np.array(heads, np.int64)
        self.check_tree(scores, first)
        before = scores.of_tree(first)
        if before == -np.inf:
            raise ConstraintError("the tree to start from has a score of -inf: start from another")
        if scores.index is None:
            arcs = PartIndex.over(scores.arc > -np.inf, Factorisation.ARCS)
            scores = replace(scores, index=arcs)
        assert scores.index is not None
        tree = first.copy()
        shared = shared_brackets(scores.brackets, len(tree))
        climb(scores.index.rows, part_scores(scores), self.single_root, shared, tree)
        after = scores.of_tree(tree)
        return Scored(tree, after) if after >= before else Scored(first, before)

    def constrain(self, scores: Scores, constraints: Constraints) -> Scores:
        """Scores under which every tree fulfils the constraints (`constraints.constrain`)."""
        return constrain(scores, constraints, single_root=self.single_root, projective=False)

    def check_tree(self, scores: Scores, heads: HeadsArray) -> None:
        """Raise unless heads are a tree over the words of the scores."""
        if len(heads) != scores.n + 1:
            raise UsageError(f"a tree over {len(heads) - 1} words for scores over {scores.n}")
        found = problems(heads.tolist())
        if found:
            raise TreeError(f"what to start from is no tree: {found[0]}")
        if self.single_root and not is_single_rooted(heads.tolist()):
            raise TreeError("the tree to start from has several roots: allow them, or change it")
