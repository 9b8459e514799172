"""Exact search over projective trees, orders one to four, over the unpruned arcs."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headwise.errors import LimitError
from headwise.kernels.charts import higher_answers, order1
from headwise.kernels.charts.higher_chart import PartScores
from headwise.kernels.charts.kbest import RANK
from headwise.kernels.parts.lookup import list_tokens
from headwise.kernels.parts.pruned_rows import PartRows
from headwise.kernels.primitives.runs import expectation
from headwise.parameters import whole_number
from headwise.search.bracketing import arcs_leaving, enter_together, span_scores
from headwise.search.decoders.base import (
    ArcDecoder,
    HeadsArray,
    Marginals,
    ScoredTree,
    check_scores,
    number_of_samples,
    ranked,
    samples_in_blocks,
)
from headwise.search.partcounts import PartCounts, Question
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores

FIELDS = {
    Part.SIBLING: "sibling",
    Part.GRANDCHILD: "grandchild",
    Part.GRAND_SIBLING: "grand_sibling",
    Part.TRI_SIBLING: "tri_sibling",
    Part.GRAND_TRI_SIBLING: "grand_tri_sibling",
    Part.STOP: "stop",
}
"""The kernels' names of the arrays of higher-order parts."""

UNSCORED = np.empty(0)
"""Passed to kernels for a part type that is not scored."""


@dataclass(frozen=True, slots=True)
class ProjectiveDecoder(ArcDecoder):
    """Answers questions about the projective trees over a sentence, exactly.

    The recurrence follows from the scores: arcs alone, or any of the higher-order parts. A question
    that may need more than `memory_limit` bytes beside the scores raises an error beforehand; this
    is for users of the library, parsers have no limit.
    """

    memory_limit: int | None = None

    is_projective: ClassVar[bool] = True

    def best(self, scores: Scores) -> ScoredTree:
        self.check_memory(scores, "best")
        heads, total = self.ask("best", scores)
        self.require_tree(total, scores)
        return ScoredTree(heads, total)

    def found_trees(
        self, arcs: NDArray[np.float64], sizes: NDArray[np.int64]
    ) -> tuple[HeadsArray, NDArray[np.float64]]:
        heads, totals = order1.best_trees(arcs, sizes, self.single_root)
        return heads, totals

    def arcs_alone(self, scores: Scores) -> NDArray[np.float64] | None:
        self.check_memory(scores, "best")
        return None if scores.higher or scores.brackets else scores.arc

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        k = whole_number("k", k, 1, RANK)
        self.check_memory(scores, "kbest", k)
        trees, totals = self.ask("kbest", scores, k)
        self.require_tree(totals[0] if len(totals) else -np.inf, scores)
        return ranked(list(map(ScoredTree, trees, totals.tolist())))

    def marginals(self, scores: Scores) -> Marginals:
        self.check_memory(scores, "marginals")
        higher: dict[Part, NDArray[np.float64]] = {}
        if scores.higher:
            log_partition, probabilities = higher_answers.marginals(*self.problem(scores))
            arc = probabilities.arc
            higher = {part: getattr(probabilities, FIELDS[part]) for part in scores.higher}
        else:
            log_partition, arc = order1.marginals(*arcs_and_spans(scores), self.single_root)
        self.require_tree(log_partition, scores)
        expected = expectation(arc.ravel(), scores.arc.ravel())
        for part, values in scores.higher.items():
            expected += expectation(higher[part], values)
        # Rounding can make the difference of nearly equal numbers negative; entropy never is.
        return Marginals(log_partition, max(log_partition - expected, 0.0), arc, higher)

    def sample(self, scores: Scores, count: int, rng: np.random.Generator | int) -> HeadsArray:
        count, rng = number_of_samples(count, scores.n), np.random.default_rng(rng)
        self.check_memory(scores, "sample", count)

        def draw(uniforms: NDArray[np.float64]) -> HeadsArray:
            drawn: HeadsArray = self.ask("sample", scores, uniforms)
            self.require_tree(0.0 if len(drawn) else -np.inf, scores)
            return drawn

        return samples_in_blocks(count, scores.n, rng, draw)

    def ask(self, question: Question, scores: Scores, *more: object) -> Any:
        """Ask the kernels of the recurrence that suits the scores: one for arcs, one for the rest.

        Scores of all arcs are looked up in rows, like those of few. A chart of its own for them
        would be twice as fast for siblings, and slower from 40 words on for parts that know a
        grandparent; no parser needs it, as all of them prune.
        """
        if not scores.higher:
            return getattr(order1, question)(*arcs_and_spans(scores), self.single_root, *more)
        return getattr(higher_answers, question)(*self.problem(scores), *more)

    def problem(self, scores: Scores) -> tuple[PartRows, PartScores, bool, bool]:
        """What kernels need to know: the rows, the scores, and which recurrence it is."""
        assert scores.index is not None
        tri = any(part.siblings == 2 for part in scores.higher)
        return scores.index.rows, part_scores(scores), self.single_root, tri

    def require_tree(self, value: float, scores: Scores) -> None:
        """Raise if there is no tree of finite score, saying why."""
        if not value > -np.inf:
            raise self.no_tree(scores)

    def check_memory(self, scores: Scores, question: Question, trees: int = 1) -> None:
        """Raise if these are no scores, or a question may need more memory than the limit."""
        check_scores(scores, Scores)
        if self.memory_limit is None:
            return
        if scores.higher and scores.index is not None:
            counts = PartCounts.of(scores.index)
        else:
            counts = PartCounts.dense(scores.n, Factorisation.ARCS)
        needed = counts.question_memory(question, trees)
        if needed > self.memory_limit:
            raise LimitError(
                f"{counts.factorisation.label} over {scores.n} words: {question} needs {needed} "
                f"bytes, the limit is {self.memory_limit}; prune more or lower the order"
            )


def arcs_and_spans(scores: Scores) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The scores of arcs and of half-spans [head, end], with what brackets forbid at -inf."""
    size = len(scores.arc)
    if not scores.brackets:
        return scores.arc, np.zeros(scores.arc.shape)
    arc = np.where(arcs_leaving(scores.brackets, size), -np.inf, scores.arc)
    return arc, span_scores(scores.brackets, size)


def sibling_scores(scores: Scores) -> NDArray[np.float64]:
    """The scores of siblings, with what brackets forbid at -inf; empty if there are none.

    Every recurrence above the first order can score siblings, whether or not the factorisation
    does: their indices are those of the rows.
    """
    values = scores.higher.get(Part.SIBLING)
    if not scores.brackets or scores.index is None:
        return values if values is not None else UNSCORED
    rows = scores.index.rows
    tokens = list_tokens(rows, False, 1, int(rows.sibling_start[-1]))[:, [1, 3, 4]]
    twice = enter_together(scores.brackets, tokens)
    return np.where(twice, -np.inf, 0.0 if values is None else values)


def part_scores(scores: Scores) -> PartScores:
    """Scores in the layout of the kernels, with what brackets forbid at -inf."""
    tables = {field: scores.higher.get(part, UNSCORED) for part, field in FIELDS.items()}
    return PartScores(*arcs_and_spans(scores), **tables | {"sibling": sibling_scores(scores)})
