"""Projective search where the score of a link may depend on its head's modifiers so far.

The chart of items (low, head, high) of Wang (2008), figure 5.1, made exact: items include
everything that a score may depend on, so that no item is discarded that could still have won. The
recurrences are in `kernels/charts/chart`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ConstraintError, LimitError
from headwise.kernels.charts.backtrace import best_tree, sample_trees
from headwise.kernels.charts.chart import GOAL, HeadChart, number_of_lanes
from headwise.kernels.charts.chart_fill import expected_counts, inside
from headwise.kernels.charts.kbest import RANK, kbest_trees
from headwise.kernels.primitives.semiring import LOG, MAX, Log, Max
from headwise.parameters import whole_number
from headwise.search.bracketing import arcs_leaving, span_scores
from headwise.search.constraints import Constraint, Constraints, apply, satisfiable
from headwise.search.decoders.base import HeadsArray, ScoredTree, ranked, samples_in_blocks
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.feasibility import bracket_name
from headwise.search.partcounts import Question, ranking_memory

Floats = NDArray[np.float64]

ARRAYS: dict[Question, tuple[int, int]] = {
    "best": (2, 3),
    "kbest": (4, 3),
    "sample": (2, 4),
    "marginals": (3, 7),
}
"""Arrays of the size of a chart, and of all scores, that a question holds at once."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartMarginals:
    """Expected counts of all scored events, in the shapes of the scores."""

    log_partition: float
    entropy: float  # in nats; for users of the library
    arc: Floats  # [head, modifier]
    link: Floats
    stop: Floats
    first: Floats | None


@dataclass(frozen=True, slots=True)
class ChartDecoder:
    """Answers questions about the projective trees under `ChartScores`.

    With `single_root`, exactly one word is attached to the root; otherwise one or more. A question
    that needs more than `memory_limit` bytes (`chart_memory_needed`) raises an error.
    """

    single_root: bool = True
    memory_limit: int | None = None

    def best(self, scores: ChartScores) -> ScoredTree:
        """The highest-scoring tree."""
        self.check_memory(scores, "best")
        chart = self.fill(scores, MAX)[0]
        goal = chart.start[GOAL]
        return ScoredTree(best_tree(chart, goal, scores.n), float(chart.values[goal]))

    def kbest(self, scores: ChartScores, k: int) -> list[ScoredTree]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        k = whole_number("k", k, 1, RANK)
        self.check_memory(scores, "kbest", k)
        chart = self.fill(scores, MAX)[0]
        trees, totals = kbest_trees(chart, chart.start[GOAL], scores.n, k)
        return ranked([ScoredTree(*one) for one in zip(trees, totals.tolist(), strict=True)])

    def marginals(self, scores: ChartScores) -> ChartMarginals:
        """Expected counts of all links, stops and first modifiers, log-partition and entropy."""
        self.check_memory(scores, "marginals")
        best = self.best(scores).heads
        chart, order, found = self.fill(scores.relative_to(best), LOG)
        expected = expected_counts(chart, order, found)
        above_best = float(chart.values[chart.start[GOAL]])
        possible = expected > 0
        score = float(np.dot(expected[possible], chart.weights[possible]))
        link, stop, first = unpack(expected, scores, chart.counts)
        return ChartMarginals(
            log_partition=scores.of_tree(best) + above_best,
            entropy=max(above_best - score, 0.0),
            arc=link.sum(axis=(1, 2)),
            link=link,
            stop=stop,
            first=first,
        )

    def sample(self, scores: ChartScores, count: int, rng: np.random.Generator | int) -> HeadsArray:
        """Independent samples from the distribution over trees: `count` rows of heads.

        `rng` is a generator or a seed.
        """
        count, rng = whole_number("count", count, 0), np.random.default_rng(rng)
        self.check_memory(scores, "sample")
        chart = self.fill(scores.relative_to(self.best(scores).heads), LOG)[0]
        draw = partial(sample_trees, chart, chart.start[GOAL], scores.n)
        return samples_in_blocks(count, scores.n, rng, draw)

    def constrain(self, scores: ChartScores, constraints: Constraints) -> ChartScores:
        """Scores under which every tree satisfies the constraints (`constrain_chart`)."""
        return constrain_chart(scores, constraints, single_root=self.single_root)

    def fill(
        self, scores: ChartScores, semiring: Max | Log
    ) -> tuple[HeadChart, NDArray[np.int64], int]:
        """A filled chart, its reachable items in order, and their number."""
        counts = counts_met(scores.n, scores.counts)
        firsts = scores.n + 1 if scores.first is not None else 1
        lanes = number_of_lanes(counts, firsts, scores.both_sides)
        filled: tuple[HeadChart, NDArray[np.int64], int] = inside(
            semiring,
            pack(scores, counts),
            span_scores(scores.brackets, scores.n + 1),
            lanes,
            counts,
            firsts,
            scores.both_sides,
            self.single_root,
        )
        if filled[0].values[filled[0].start[GOAL]] == -np.inf:
            names = " and ".join(bracket_name(bracket) for bracket in scores.brackets)
            under = f" in which {names}" if names else ""
            raise ConstraintError(
                f"the allowed links do not form any projective tree{under}: allow more"
            )
        return filled

    def check_memory(self, scores: ChartScores, question: Question, k: int = 1) -> None:
        """Raise if a question needs more memory than the limit."""
        if self.memory_limit is None:
            return
        needed = chart_memory_needed(
            scores.n, scores.counts, scores.first is not None, scores.both_sides, question, k
        )
        if needed > self.memory_limit:
            raise LimitError(
                f"a chart over {scores.n} words needs {needed} bytes, the limit is "
                f"{self.memory_limit}: raise it, or distinguish fewer counts"
            )


def constrain_chart(
    scores: ChartScores, constraints: Constraints, *, single_root: bool = True
) -> ChartScores:
    """Scores under which every tree of finite score satisfies the constraints.

    If there is no such tree, raises `ConstraintError` with a minimal set of constraints that
    conflict with each other and with what the scores already forbid.
    """

    def possible(some: Sequence[Constraint], single_root: bool) -> bool:
        return has_tree(ChartDecoder(single_root), with_constraints(scores, some))

    tree = "tree over the allowed links"
    single = satisfiable(constraints, scores, single_root, possible, tree)
    return with_constraints(scores, single)


def with_constraints(scores: ChartScores, constraints: Sequence[Constraint]) -> ChartScores:
    """Scores that forbid the links that constraints exclude, with only their brackets."""
    allowed, brackets = apply(constraints, np.ones((scores.n + 1,) * 2, np.bool_))
    link = np.where(allowed[:, None, None, :], scores.link, -np.inf)
    return replace(scores, link=link, brackets=brackets)


def has_tree(decoder: ChartDecoder, scores: ChartScores) -> bool:
    """Whether any tree has a finite score."""
    try:
        decoder.fill(scores, MAX)
    except ConstraintError:
        return False
    return True


def pack(scores: ChartScores, counts: int) -> Floats:
    """All scores concatenated, as kernels expect them; entry 0 is a constant 0."""
    size = scores.n + 1
    stop = np.zeros((size, 2, counts, size))
    if scores.stop is not None:
        stop = scores.stop[:, :, :counts]
    first = np.zeros(0) if scores.first is None else scores.first
    link = scores.link[:, :counts].swapaxes(2, 3)
    packed = np.concatenate([np.zeros(1), link.ravel(), stop.ravel(), first.ravel()])
    h, m = np.nonzero(arcs_leaving(scores.brackets, size))
    packed[1 : 1 + link.size].reshape(link.shape)[h, :, m] = -np.inf
    return packed


def unpack(
    packed: Floats, scores: ChartScores, counts: int
) -> tuple[Floats, Floats, Floats | None]:
    """Links, stops and first modifiers, in the shapes of the scores; 0 for impossible counts."""
    size = scores.n + 1
    link, stop = np.zeros(scores.link.shape), np.zeros((size, 2, scores.counts, size))
    links, stops = size * counts * size * size, size * 2 * counts * size
    found = packed[1 : 1 + links].reshape(size, counts, size, size)
    link[:, :counts] = found.swapaxes(2, 3)
    stop[:, :, :counts] = packed[1 + links : 1 + links + stops].reshape(size, 2, counts, size)
    if scores.first is None:
        return link, stop, None
    return link, stop, packed[1 + links + stops :].reshape(size, size, size)


def counts_met(n: int, counts: int) -> int:
    """The number of counts that matter: no head has more than n modifiers."""
    return min(counts, n + 1)


def chart_memory_needed(
    n: int,
    counts: int,
    with_first: bool,
    both_sides: bool,
    question: Question = "marginals",
    k: int = 1,
) -> int:
    """The bytes that a question about n words takes, besides the given scores and the answer.

    For the k best trees this is an upper bound.
    """
    size, counts = n + 1, counts_met(n, counts)
    firsts = size if with_first else 1
    stretches = size * size * number_of_lanes(counts, firsts, both_sides)
    items = stretches * ((2 * counts + 1) * size + counts + 1) + 2 * size**3 * firsts + 2
    weights = 1 + size**3 * (counts + with_first) + 2 * counts * size**2
    charts, tables = ARRAYS[question]
    ranking = ranking_memory(items, n, k) if question == "kbest" else 0
    return 8 * (charts * items + tables * weights) + ranking
