"""Projective search where a link's score may depend on what its head has already (Wang 2008).

The chart of items (low, head, high) of the thesis's figure 5.1, made exact: what a score may depend
on is part of an item, so that no item is thrown away which might still have won. The recurrences
are in `kernels/chart`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.decoders.base import HeadsArray, Scored
from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.kernels.chart import GOAL, HeadChart, number_of_lanes
from headwise.kernels.chart_fill import expected_counts, inside
from headwise.kernels.descent import best_tree, sample_trees
from headwise.kernels.kbest import kbest_trees
from headwise.kernels.semiring import LOG, MAX, Log, Max
from headwise.parts import LEFT, RIGHT, Part
from headwise.scores import Scores, check_values

Floats = NDArray[np.float64]


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
    """

    link: Floats
    stop: Floats | None = None
    first: Floats | None = None
    both_sides: bool = False

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
        size = scores.n + 1
        link = np.tile(scores.arc[:, None, None, :], (1, 1, size, 1))
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
        """The score of a projective tree."""
        total = 0.0
        for h in range(self.n + 1):
            right = [m for m in range(h + 1, self.n + 1) if heads[m] == h]
            left = [m for m in range(h - 1, 0, -1) if heads[m] == h]
            total += self.of_side(h, RIGHT, right, 0)
            if h > 0:
                total += self.of_side(h, LEFT, left, len(right) if self.both_sides else 0)
                if self.first is not None:
                    total += float(self.first[heads[h], h, [*right, *left, h][0]])
        return total

    def of_side(self, h: int, side: int, modifiers: Sequence[int], count: int) -> float:
        """The score of the links of a head on one side, and of their end."""
        total, previous = 0.0, h
        for m in modifiers:
            total += float(self.link[h, min(count, self.counts - 1), previous, m])
            count, previous = count + 1, m
        if self.stop is not None:
            total += float(self.stop[h, side, min(count, self.counts - 1), previous])
        return total


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

    With `single_root`, exactly one word is attached to the root. A chart that would need more
    bytes than `memory_limit` is not begun.
    """

    single_root: bool = True
    memory_limit: int = 4 << 30

    def best(self, scores: ChartScores) -> Scored:
        """The tree of highest score."""
        chart = self.fill(scores, MAX)[0]
        goal = chart.start[GOAL]
        return Scored(best_tree(chart, goal, scores.n), float(chart.values[goal]))

    def kbest(self, scores: ChartScores, k: int) -> list[Scored]:
        """The k best distinct trees, best first; fewer if there are fewer of finite score."""
        if k < 1:
            raise UsageError(f"k must be 1 or more, not {k}")
        chart = self.fill(scores, MAX)[0]
        trees, totals = kbest_trees(chart, chart.start[GOAL], scores.n, k)
        return [Scored(heads, float(total)) for heads, total in zip(trees, totals, strict=True)]

    def marginals(self, scores: ChartScores) -> ChartMarginals:
        """Expected counts of all links, ends and first modifiers, log-partition and entropy."""
        chart, order, found = self.fill(scores, LOG)
        expected = expected_counts(chart, order, found)
        total = float(chart.values[chart.start[GOAL]])
        score = float(np.sum(expected * np.where(expected > 0, chart.weights, 0.0)))
        link, stop, first = unpack(expected, scores, chart.counts)
        return ChartMarginals(
            total, max(total - score, 0.0), link.sum(axis=(1, 2)), link, stop, first
        )

    def sample(self, scores: ChartScores, count: int, rng: np.random.Generator) -> HeadsArray:
        """Independent trees drawn by their probability: an array of `count` rows of heads."""
        if count < 0:
            raise UsageError(f"the number of samples must be 0 or more, not {count}")
        chart = self.fill(scores, LOG)[0]
        uniforms = rng.random((count, 8 * scores.n + 16))
        trees: HeadsArray = sample_trees(chart, chart.start[GOAL], scores.n, uniforms)
        return trees

    def fill(
        self, scores: ChartScores, semiring: Max | Log
    ) -> tuple[HeadChart, NDArray[np.int64], int]:
        """A filled chart, its items that can be, in order, and their number."""
        # No head has more than n modifiers, so higher counts are never met.
        counts = min(scores.counts, scores.n + 1)
        firsts = scores.n + 1 if scores.first is not None else 1
        needed = memory_needed(scores.n, counts, firsts > 1, scores.both_sides)
        if needed > self.memory_limit:
            raise LimitError(
                f"a chart over {scores.n} words needs {needed >> 20} MB, the limit is "
                f"{self.memory_limit >> 20} MB: raise it, or tell apart fewer counts"
            )
        weights = pack(scores, counts)
        filled: tuple[HeadChart, NDArray[np.int64], int] = inside(
            semiring, weights, scores.n, counts, firsts, scores.both_sides, self.single_root
        )
        if filled[0].values[filled[0].start[GOAL]] == -np.inf:
            raise ConstraintError("the links allowed do not form any projective tree: allow more")
        return filled


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


def memory_needed(n: int, counts: int, with_first: bool, both_sides: bool) -> int:
    """The bytes of a chart over n words."""
    size = n + 1
    firsts = size if with_first else 1
    stretches = size * size * int(number_of_lanes(counts, firsts, both_sides))
    items = stretches * ((2 * counts + 1) * size + counts + 1) + 2 * size**3 * firsts
    return 16 * items + 8 * size**3 * (counts + 1 + with_first)
