"""The scores of the chart of (low, head, high): of links, ends and first modifiers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.search.bracketing import Bracket, are_kept, as_brackets
from headwise.search.decoders.base import HeadsArray
from headwise.search.parts import LEFT, RIGHT, Part
from headwise.search.scores import Scores, check_values

Floats = NDArray[np.float64]
Event = tuple[Literal["link", "stop", "first"], tuple[int, ...]]


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

    `brackets` are pairs (i, j): words i to j form one subtree, in every tree of finite score.
    """

    link: Floats
    stop: Floats | None = None
    first: Floats | None = None
    both_sides: bool = False
    brackets: tuple[Bracket, ...] = ()

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
        object.__setattr__(self, "brackets", as_brackets(self.brackets, size - 1))

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
        # The chart's root has no left side, so what its end there scores goes to the right.
        stop[0, RIGHT] += stop[0, LEFT, 0, 0]
        return cls(link, stop, brackets=scores.brackets)

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.link) - 1

    @property
    def counts(self) -> int:
        """How many counts of modifiers are told apart."""
        return int(self.link.shape[1])

    def of_tree(self, heads: Sequence[int] | HeadsArray) -> float:
        """The score of a projective tree; -inf if it breaks a bracket."""
        if not are_kept(np.asarray(heads, np.int64), self.brackets):
            return -np.inf
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


def add_chart_cost(
    scores: ChartScores, heads: Sequence[int] | HeadsArray, cost: float = 1.0
) -> ChartScores:
    """Scores of cost-augmented search: every wrong head gains `cost`.

    For users of the library with learners of their own: none of the package searches so.
    """
    link = scores.link + cost
    for m in range(1, scores.n + 1):
        link[heads[m], :, :, m] = scores.link[heads[m], :, :, m]
    return replace(scores, link=link)
