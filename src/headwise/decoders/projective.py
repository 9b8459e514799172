"""Exact search over projective trees, orders one to four: every question of the protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.decoders.base import HeadsArray, Marginals, Scored
from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.kernels import higher_answers, order1, siblings
from headwise.kernels.higher_chart import PartScores
from headwise.kernels.kbest import RANK
from headwise.kernels.rows import Rows
from headwise.kernels.semiring import expectation
from headwise.memory import chart_memory
from headwise.parts import Factorisation, Part
from headwise.scores import Scores, check_values

FIELDS = {
    Part.SIBLING: "sibling",
    Part.GRANDCHILD: "grandchild",
    Part.GRAND_SIBLING: "grand_sibling",
    Part.TRI_SIBLING: "tri_sibling",
    Part.GRAND_TRI_SIBLING: "grand_tri_sibling",
    Part.STOP: "stop",
}
"""The names that kernels give to the arrays of higher parts."""

UNSCORED = np.empty(0)
"""Given to kernels for a part type that is not scored."""

BLOCK = 1000
"""So many samples are drawn at a time, to bound the memory of their random numbers."""


@dataclass(frozen=True, slots=True)
class ProjectiveDecoder:
    """Answers exact questions about the projective trees over a sentence.

    What the scores hold decides on the recurrence: arcs alone, or any of the higher parts. With
    `single_root`, exactly one word is attached to the root; otherwise one or more. A chart of more
    than `memory_limit` bytes is an error; marginals take two charts.
    """

    single_root: bool = True
    memory_limit: int | None = None

    def best(self, scores: Scores) -> Scored:
        """The tree of highest score; among equals, always the same one."""
        heads, total = self.ask("best", scores)
        require_tree(total)
        return Scored(heads, total)

    def best_many(self, many: Sequence[Scores]) -> list[Scored]:
        """The best trees of many sentences; those of the first order in one call of the kernel."""
        alone = [scores for scores in many if not scores.higher and scores.spans is None]
        if not alone:
            return [self.best(scores) for scores in many]
        for scores in alone:
            self.check_memory(scores, copies=1)
        packed = np.concatenate([scores.arc.ravel() for scores in alone])
        lengths = np.array([scores.n for scores in alone])
        heads, totals = best_trees(packed, lengths, self.single_root)
        require_tree(totals.min())
        pieces = np.split(heads, np.cumsum(lengths + 1)[:-1])
        found = iter([Scored(*one) for one in zip(pieces, totals.tolist(), strict=True)])
        return [
            self.best(scores) if scores.higher or scores.spans is not None else next(found)
            for scores in many
        ]

    def kbest(self, scores: Scores, k: int) -> list[Scored]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        if not 1 <= k <= RANK:
            raise UsageError(f"k must be from 1 to {RANK}, not {k}")
        trees, totals = self.ask("kbest", scores, k)
        require_tree(totals[0] if len(totals) else -np.inf)
        return list(map(Scored, trees, totals.tolist()))

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities of all parts, log-partition and entropy."""
        self.check_memory(scores, copies=2)
        higher: dict[Part, NDArray[np.float64]] = {}
        if scores.higher:
            log_partition, probabilities = higher_answers.marginals(*self.problem(scores))
            arc = probabilities.arc
            higher = {part: getattr(probabilities, FIELDS[part]) for part in scores.higher}
        else:
            log_partition, arc = order1.marginals(scores.arc, spans_of(scores), self.single_root)
        require_tree(log_partition)
        expected = expectation(arc.ravel(), scores.arc.ravel())
        for part, values in scores.higher.items():
            expected += expectation(higher[part], values)
        return Marginals(log_partition, log_partition - expected, arc, higher)

    def sample(self, scores: Scores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Independent trees drawn by their probability: an array of `count` rows of heads."""
        if count < 0:
            raise UsageError(f"the number of samples must be 0 or more, not {count}")
        samples = np.empty((count, scores.n + 1), np.int64)
        for start in range(0, count, BLOCK):
            block = samples[start : start + BLOCK]
            uniforms = rng.random((len(block), 8 * scores.n + 16))
            drawn = self.ask("sample", scores, uniforms)
            require_tree(0.0 if len(drawn) else -np.inf)
            block[:] = drawn
        return samples

    def ask(self, question: str, scores: Scores, *more: object) -> Any:
        """Ask the kernels of the recurrence that suits the scores."""
        self.check_memory(scores, copies=1)
        arc, higher = scores.arc, scores.higher
        kernels: Any
        problem: tuple[Any, ...]
        if not higher:
            kernels, problem = order1, (arc, spans_of(scores), self.single_root)
        elif scores.index is not None and scores.index.is_dense(Factorisation.SIBLINGS):
            parts = higher.get(Part.SIBLING, UNSCORED), higher.get(Part.STOP, UNSCORED)
            kernels, problem = siblings, (arc, spans_of(scores), *parts, self.single_root)
        else:
            kernels, problem = higher_answers, self.problem(scores)
        return getattr(kernels, question)(*problem, *more)

    def problem(self, scores: Scores) -> tuple[Rows, PartScores, bool, bool]:
        """What kernels need to know: the rows, the scores, and which recurrence it is."""
        assert scores.index is not None
        tri = any(part.siblings == 2 for part in scores.higher)
        return scores.index.rows, part_scores(scores), self.single_root, tri

    def check_memory(self, scores: Scores, copies: int) -> None:
        """Raise if so many charts would be beyond the limit."""
        if self.memory_limit is not None:
            needed = copies * chart_memory(scores.index if scores.higher else None, scores.n)
            if needed > self.memory_limit:
                raise LimitError(
                    f"a chart of {scores.factorisation.label} over {scores.n} words needs {needed} "
                    f"bytes, the limit is {self.memory_limit}; prune harder or lower the order"
                )


def best_trees(
    arcs: NDArray[np.float64], lengths: Sequence[int] | NDArray[np.int64], single_root: bool = True
) -> tuple[HeadsArray, NDArray[np.float64]]:
    """The best first-order trees of many sentences at once, without the cost of a call for each.

    `arcs` holds the (n + 1) × (n + 1) scores of all sentences, one after the other; `lengths` their
    numbers of words. Returns the heads, n + 1 entries a sentence, one after the other, and the
    scores, -inf where there is no tree (its heads mean nothing then).
    """
    sizes = np.asarray(lengths, np.int64) + 1
    if len(sizes) == 0:
        return np.empty(0, np.int64), np.empty(0)
    if sizes.min() < 2:
        raise UsageError("a sentence has 1 word or more")
    check_values("arc", arcs)
    if arcs.ndim != 1 or len(arcs) != int((sizes**2).sum()):
        raise UsageError(f"{arcs.shape} scores for {int((sizes**2).sum())} arcs")
    heads, totals = order1.best_trees(np.ascontiguousarray(arcs, np.float64), sizes, single_root)
    return heads, totals


def spans_of(scores: Scores) -> NDArray[np.float64]:
    """The scores of complete spans: zeros if there are none."""
    return scores.spans if scores.spans is not None else np.zeros(scores.arc.shape)


def part_scores(scores: Scores) -> PartScores:
    """Scores in the shape that kernels want."""
    arrays = {name: scores.higher.get(part, UNSCORED) for part, name in FIELDS.items()}
    return PartScores(arc=scores.arc, spans=spans_of(scores), **arrays)


def require_tree(value: float) -> None:
    """Raise if a goal has no finite value."""
    if not value > -np.inf:
        raise ConstraintError("no projective tree has a finite score")
