"""Scores of the (low, head, high) chart: links, stops and first modifiers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.search.bracketing import WordSpan, are_kept, as_brackets
from headwise.search.decoders.base import HeadsArray
from headwise.search.parts import LEFT, RIGHT, Part
from headwise.search.scores import Scores, check_values

Floats = NDArray[np.float64]
Event = tuple[Literal["link", "stop", "first"], tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class ChartScores:
    """The scores of links and stops.

    `link[h, c, p, m]` scores that m becomes a modifier of h, which has c modifiers already, the
    last of them on the same side being p (h itself: none). If `both_sides`, c counts all modifiers
    of h so far, first those on the right and then those on the left, both from the inside out;
    otherwise only those on the side of m. The last c stands for itself and all larger counts.

    `stop[h, side, c, p]` scores that h has no more modifiers on a side (0 left, 1 right), with c
    and p as above. The root has only a right side. `first[h, m, f]` scores the arc from h to m by
    the first modifier f of m: its innermost on the right, else on the left; m itself if it has
    none. Both are optional. -inf forbids.

    The probability of not stopping, 1 - P(STOP) in a conditional model, is part of `link`.

    `brackets` are pairs (i, j): words i to j form one subtree, in every tree of finite score.
    """

    link: Floats
    stop: Floats | None = None
    first: Floats | None = None
    both_sides: bool = False
    brackets: tuple[WordSpan, ...] = ()

    def __post_init__(self) -> None:
        """Check shapes and values."""
        if self.link.ndim != 4 or len(self.link) < 2 or self.link.shape[1] < 1:
            raise UsageError(
                f"link scores need the axes head, count, previous, modifier, not {self.link.shape}"
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
        object.__setattr__(self, "brackets", as_brackets(self.brackets, size - 1))

    @classmethod
    def from_scores(cls, scores: Scores) -> "ChartScores":
        """Chart scores from scores of arcs, adjacent siblings and stops."""
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
                raise UsageError(f"the chart cannot score {part.label} parts")
        # The chart's root has no left side, so its left stop score is added to the right.
        stop[0, RIGHT] += stop[0, LEFT, 0, 0]
        return cls(link, stop, brackets=scores.brackets)

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.link) - 1

    @property
    def counts(self) -> int:
        """The number of modifier counts that are distinguished."""
        return int(self.link.shape[1])

    def of_tree(self, heads: Sequence[int] | HeadsArray) -> float:
        """The score of a projective tree; -inf if it violates a bracket."""
        if not are_kept(np.asarray(heads, np.int64), self.brackets):
            return -np.inf
        return sum((self.of_event(event) for event in self.events(heads)), 0.0)

    def of_event(self, event: Event) -> float:
        """The score of a link, stop or first modifier; 0 if these are not scored."""
        table: Floats | None = getattr(self, event[0])
        return 0.0 if table is None else float(table[event[1]])

    def events(self, heads: Sequence[int] | HeadsArray) -> Iterator[Event]:
        """All scored events of a projective tree: their tables, and the indices into them."""
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
        """The links of a head on one side, and the stop."""
        previous = h
        for m in modifiers:
            yield "link", (h, min(count, self.counts - 1), previous, m)
            count, previous = count + 1, m
        yield "stop", (h, side, min(count, self.counts - 1), previous)

    def relative_to(self, heads: HeadsArray) -> "ChartScores":
        """Equivalent scores under which this tree has score 0.

        Every tree has one link and one first modifier for each word, and one stop for each side of
        each head. The scores of this tree's events can therefore be subtracted from all scores of
        the same word or side, which keeps the relevant numbers small.
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


def add_chart_cost(
    scores: ChartScores, heads: Sequence[int] | HeadsArray, cost: float = 1.0
) -> ChartScores:
    """Cost-augmented scores: every wrong head gains `cost`.

    For users of the library with their own learners.
    """
    link = scores.link + cost
    for m in range(1, scores.n + 1):
        link[heads[m], :, :, m] = scores.link[heads[m], :, :, m]
    return replace(scores, link=link)
