"""Projective search where a link's score may depend on what its head has already (Wang 2008).

The chart of items (low, head, high) of the thesis's figure 5.1, made exact: what a score may depend
on is part of an item, so that no item is thrown away which might still have won. The recurrences
are in `kernels/chart`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headwise.constraints import Constraint, Constraints
from headwise.decoders.base import HeadsArray, Scored
from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.kernels.chart import GOAL, HeadChart, number_of_lanes
from headwise.kernels.chart_fill import expected_counts, inside
from headwise.kernels.descent import best_tree, sample_trees
from headwise.kernels.kbest import RANK, kbest_trees
from headwise.kernels.semiring import LOG, MAX, Log, Max
from headwise.parts import LEFT, RIGHT, Part
from headwise.scores import Scores, check_values, plain_array

Floats = NDArray[np.float64]
Event = tuple[Literal["link", "stop", "first"], tuple[int, ...]]
Question = Literal["best", "kbest", "marginals", "sample"]

ARRAYS: dict[Question, tuple[int, int]] = {
    "best": (2, 3),
    "kbest": (4, 3),
    "sample": (2, 4),
    "marginals": (3, 7),
}
"""How many arrays of the size of a chart, and of all scores, are alive at once for a question."""


BLOCK = 1000
"""So many samples are drawn at a time, to bound the memory of their random numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartScores:
    """The scores of links and of their ends.

    `link[h, c, p, m]` scores that m becomes a modifier of h, which has c modifiers already, the
    last of them on the same side being p (h itself: none). If `both_sides`, c counts all modifiers
    of h so far, first those on the right and then those on the left, both from the inside out;
    otherwise only those on the side of m. The last c stands for itself and for all above.

    `stop[h, side, c, p]` scores that h has no more modifiers on a side (0 left, 1 right), c and p
    being as above. The root has only a right side. `first[h, m, f]` scores the arc from h to m by
    the first modifier f of m: its innermost on the right, on the left if there is none there; m
    itself if it has none. Both may be left out. -inf forbids.

    What says that a head is not at its end (1 - P(STOP) of a conditional model) is part of `link`.

    `spans[h, e]` is 0 or -inf: -inf forbids that the words under the modifiers of h on one side,
    all of them or the innermost ones, reach to e exactly (see `constrain_chart`). None allows all.
    """

    link: Floats
    stop: Floats | None = None
    first: Floats | None = None
    both_sides: bool = False
    spans: Floats | None = None

    def __post_init__(self) -> None:
        """Check shapes and values."""
        if self.link.ndim != 4 or len(self.link) < 2 or self.link.shape[1] < 1:
            raise UsageError(
                f"links need the axes head, count, previous, modifier: {self.link.shape}"
            )
        size, counts = self.link.shape[:2]
        shapes = {
            "link": (size, counts, size, size),
            "stop": (size, 2, counts, size),
            "first": (size, size, size),
            "spans": (size, size),
        }
        for name, shape in shapes.items():
            values = getattr(self, name)
            if values is not None and values.shape != shape:
                raise UsageError(f"{name} scores have shape {values.shape}, not {shape}")
            if values is not None:
                check_values(name, values)

    @classmethod
    def from_scores(cls, scores: Scores) -> "ChartScores":
        """Scores of arcs, adjacent siblings and ends of modifiers, as of the sibling decoder."""
        if scores.spans is not None:
            raise UsageError("spans are not carried over: give brackets to constrain_chart instead")
        size = scores.n + 1
        living = scores.arc > -np.inf
        if scores.index is not None:
            living &= scores.index.living
        arc = np.where(living, scores.arc, -np.inf)
        link = np.tile(arc[:, None, None, :], (1, 1, size, 1))
        stop = np.zeros((size, 2, 1, size))
        for part, values in scores.higher.items():
            assert scores.index is not None
            tokens = scores.index.tokens(part)
            if part is Part.SIBLING:
                link[tokens[:, 0], 0, tokens[:, 1], tokens[:, 2]] += values
            elif part is Part.STOP:
                stop[tokens[:, 0], tokens[:, 1], 0, tokens[:, 2]] += values
            else:
                raise UsageError(f"the chart has no {part.label} parts")
        # The chart's root has no left side, so what its end there scores goes to the right.
        stop[0, RIGHT] += stop[0, LEFT, 0, 0]
        return cls(link, stop)

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.link) - 1

    @property
    def counts(self) -> int:
        """How many counts of modifiers are told apart."""
        return int(self.link.shape[1])

    def of_tree(self, heads: Sequence[int] | HeadsArray) -> float:
        """The score of a projective tree; spans are not looked at."""
        return sum((self.of_event(event) for event in self.events(heads)), 0.0)

    def of_event(self, event: Event) -> float:
        """The score of a link, an end or a first modifier; nothing if there are no such scores."""
        table: Floats | None = getattr(self, event[0])
        return 0.0 if table is None else float(table[event[1]])

    def events(self, heads: Sequence[int] | HeadsArray) -> Iterator[Event]:
        """All that is scored in a projective tree: the tables, and the places in them."""
        modifiers: list[list[int]] = [[] for _ in range(self.n + 1)]
        for m in range(1, self.n + 1):
            modifiers[heads[m]].append(m)
        for h in range(self.n + 1):
            right = [m for m in modifiers[h] if m > h]
            left = [m for m in reversed(modifiers[h]) if m < h]
            yield from self.events_of_side(h, RIGHT, right, 0)
            if h > 0:
                yield from self.events_of_side(h, LEFT, left, len(right) if self.both_sides else 0)
                yield "first", (int(heads[h]), h, [*right, *left, h][0])

    def events_of_side(
        self, h: int, side: int, modifiers: Sequence[int], count: int
    ) -> Iterator[Event]:
        """The links of a head on one side, and their end."""
        previous = h
        for m in modifiers:
            yield "link", (h, min(count, self.counts - 1), previous, m)
            count, previous = count + 1, m
        yield "stop", (h, side, min(count, self.counts - 1), previous)

    def relative_to(self, heads: HeadsArray) -> "ChartScores":
        """Scores under which this tree has score 0, and all others differ from it as before.

        Every tree has one link and one first modifier for each word, and one end for each side of
        each head. So what this tree has for them can be taken off from all scores of the same word
        or side. However large the scores were, those that matter are then small.
        """
        link = self.link.astype(np.float64)
        stop = None if self.stop is None else self.stop.astype(np.float64)
        first = None if self.first is None else self.first.astype(np.float64)
        for kind, where in self.events(heads):
            if kind == "link":
                link[..., where[3]] -= self.link[where]
            elif kind == "stop" and self.stop is not None and stop is not None:
                stop[where[:2]] -= self.stop[where]
            elif kind == "first" and self.first is not None and first is not None:
                first[:, where[1]] -= self.first[where]
        return replace(self, link=link, stop=stop, first=first)


@dataclass(frozen=True, slots=True, eq=False)
class ChartMarginals:
    """Expected counts of everything that is scored, in the shapes of the scores."""

    log_partition: float
    entropy: float  # in nats
    arc: Floats  # [head, modifier]
    link: Floats
    stop: Floats
    first: Floats | None


@dataclass(frozen=True, slots=True)
class ChartDecoder:
    """Answers every question about the projective trees under `ChartScores`.

    With `single_root`, exactly one word is attached to the root; otherwise one or more. A question
    that needs more than `memory_limit` bytes (`chart_memory_needed`) is an error.
    """

    single_root: bool = True
    memory_limit: int | None = None

    def best(self, scores: ChartScores) -> Scored:
        """The tree of highest score."""
        self.check_memory(scores, "best")
        chart = self.fill(scores, MAX)[0]
        goal = chart.start[GOAL]
        return Scored(best_tree(chart, goal, scores.n), float(chart.values[goal]))

    def kbest(self, scores: ChartScores, k: int) -> list[Scored]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        if not 1 <= k <= RANK:
            raise UsageError(f"k must be from 1 to {RANK}, not {k}")
        self.check_memory(scores, "kbest")
        chart = self.fill(scores, MAX)[0]
        trees, totals = kbest_trees(chart, chart.start[GOAL], scores.n, k)
        return [Scored(heads, float(total)) for heads, total in zip(trees, totals, strict=True)]

    def marginals(self, scores: ChartScores) -> ChartMarginals:
        """Expected counts of all links, ends and first modifiers, log-partition and entropy."""
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

    def sample(self, scores: ChartScores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Independent trees drawn by their probability: an array of `count` rows of heads."""
        if count < 0:
            raise UsageError(f"the number of samples must be 0 or more, not {count}")
        self.check_memory(scores, "sample")
        chart = self.fill(scores.relative_to(self.best(scores).heads), LOG)[0]
        samples = np.empty((count, scores.n + 1), np.int64)
        for start in range(0, count, BLOCK):
            block = samples[start : start + BLOCK]
            uniforms = rng.random((len(block), 8 * scores.n + 16))
            block[:] = sample_trees(chart, chart.start[GOAL], scores.n, uniforms)
        return samples

    def fill(
        self, scores: ChartScores, semiring: Max | Log
    ) -> tuple[HeadChart, NDArray[np.int64], int]:
        """A filled chart, its items that can be, in order, and their number."""
        counts = counts_met(scores.n, scores.counts)
        firsts = scores.n + 1 if scores.first is not None else 1
        lanes = number_of_lanes(counts, firsts, scores.both_sides)
        spans = np.zeros((scores.n + 1,) * 2) if scores.spans is None else scores.spans
        filled: tuple[HeadChart, NDArray[np.int64], int] = inside(
            semiring,
            pack(scores, counts),
            plain_array(spans),
            lanes,
            counts,
            firsts,
            scores.both_sides,
            self.single_root,
        )
        if filled[0].values[filled[0].start[GOAL]] == -np.inf:
            raise ConstraintError("the links allowed do not form any projective tree: allow more")
        return filled

    def check_memory(self, scores: ChartScores, question: Question) -> None:
        """Raise if a question needs more than the limit."""
        if self.memory_limit is None:
            return
        needed = chart_memory_needed(
            scores.n, scores.counts, scores.first is not None, scores.both_sides, question
        )
        if needed > self.memory_limit:
            raise LimitError(
                f"a chart over {scores.n} words needs {needed} bytes, the limit is "
                f"{self.memory_limit}: raise it, or tell apart fewer counts"
            )


def constrain_chart(
    scores: ChartScores, constraints: Constraints, *, single_root: bool = True
) -> ChartScores:
    """Scores under which every tree of finite score fulfils the constraints.

    If no tree can, raises `ConstraintError` naming constraints that are in conflict with each other
    and with what the scores forbid already; none of those named can be left out of the conflict.
    """
    single = constraints.single()
    for constraint in single:
        constraint.check(scores.n)
    decoder = ChartDecoder(single_root)
    constrained = forbid_excluded(scores, single)
    if has_tree(decoder, constrained):
        return constrained
    needed = single
    for constraint in single:
        fewer = [one for one in needed if one is not constraint]
        if not has_tree(decoder, forbid_excluded(scores, fewer)):
            needed = fewer
    if not needed:
        raise ConstraintError("no tree has a finite score, even without constraints")
    names = "; ".join(one.name for one in needed)
    raise ConstraintError(f"no tree over the links allowed fulfils: {names}")


def forbid_excluded(scores: ChartScores, constraints: Sequence[Constraint]) -> ChartScores:
    """Scores that forbid the links and spans that constraints exclude."""
    size = scores.n + 1
    alive = np.ones((size, size), np.bool_)
    spans = np.zeros((size, size)) if scores.spans is None else scores.spans.copy()
    for constraint in constraints:
        constraint.forbid_arcs(alive)
        constraint.forbid_spans(spans)
    link = np.where(alive[:, None, None, :], scores.link, -np.inf)
    bracketed = any(constraint.bracket is not None for constraint in constraints)
    return replace(scores, link=link, spans=spans if bracketed else scores.spans)


def has_tree(decoder: ChartDecoder, scores: ChartScores) -> bool:
    """Whether any tree has a finite score."""
    try:
        decoder.fill(scores, MAX)
    except ConstraintError:
        return False
    return True


def add_chart_cost(
    scores: ChartScores, heads: Sequence[int] | HeadsArray, cost: float = 1.0
) -> ChartScores:
    """Scores of cost-augmented search: every wrong head gains `cost`."""
    link = scores.link + cost
    for m in range(1, scores.n + 1):
        link[heads[m], :, :, m] = scores.link[heads[m], :, :, m]
    return replace(scores, link=link)


def pack(scores: ChartScores, counts: int) -> Floats:
    """All scores one after the other, as the kernels want them; the first is none."""
    size = scores.n + 1
    stop = np.zeros((size, 2, counts, size))
    if scores.stop is not None:
        stop = scores.stop[:, :, :counts]
    first = np.zeros(0) if scores.first is None else scores.first
    link = scores.link[:, :counts].swapaxes(2, 3)
    return np.concatenate([np.zeros(1), link.ravel(), stop.ravel(), first.ravel()])


def unpack(
    packed: Floats, scores: ChartScores, counts: int
) -> tuple[Floats, Floats, Floats | None]:
    """Links, stops and first modifiers, in the shapes of the scores; 0 for counts never met."""
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
    """How many counts matter: no head has more than n modifiers."""
    return min(counts, n + 1)


def chart_memory_needed(
    n: int, counts: int, with_first: bool, both_sides: bool, question: Question = "marginals"
) -> int:
    """The bytes that a question about n words takes, besides the scores given and the answer.

    What the k best trees take besides the chart grows with k, and is not counted.
    """
    size, counts = n + 1, counts_met(n, counts)
    firsts = size if with_first else 1
    stretches = size * size * number_of_lanes(counts, firsts, both_sides)
    items = stretches * ((2 * counts + 1) * size + counts + 1) + 2 * size**3 * firsts + 2
    weights = 1 + size**3 * (counts + with_first) + 2 * counts * size**2
    charts, tables = ARRAYS[question]
    return 8 * (charts * items + tables * weights)
