"""Positions of words, arcs and labels when the words are in a row.

The unit is that of the drawing: terminal cells or pixels. Arcs above the words and arcs below them
(those that only the second of two trees has) are laid out separately over the same words.

Every condition on positions has the form "word j is at least d to the right of word i", so one
pass from left to right satisfies all of them with the narrowest drawing.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from headwise.draw.arcs import Arc, Mark

Leg = tuple[int, int]
"""Where an arc meets its word: the word, and the offset from the word's middle."""

Span = tuple[Leg, Leg]
"""The left and the right leg of an arc; a pin has one leg, stated twice."""

Distance = tuple[int, int, int]
"""Words `i < j` and the minimum distance between their middles."""


@dataclass(frozen=True, slots=True)
class RowSpacing:
    """The spacing of a drawing with words in a row."""

    word_gap: int
    leg_step: int
    label_margin: int  # free space on each side of a label
    share_legs: bool  # whether the arcs from a head to one side share a leg


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """An arc and its position; `level` 1 is nearest to the words."""

    arc: Arc
    level: int
    left: int
    right: int
    label_start: int

    @property
    def head_end(self) -> int:
        """The position at its head."""
        return self.left if self.arc.head < self.arc.modifier else self.right

    @property
    def modifier_end(self) -> int:
        """The position of its arrowhead."""
        return self.right if self.arc.head < self.arc.modifier else self.left


@dataclass(frozen=True, slots=True)
class RowLayout:
    """Words in a row with arcs above and below, between 0 and `width`."""

    middles: list[int]  # of word i + 1
    above: list[PlacedArc]
    below: list[PlacedArc]
    width: int


def row_layout(
    arcs: Sequence[Arc],
    word_widths: Sequence[int],
    label_width: Callable[[Arc], int],
    spacing: RowSpacing,
) -> RowLayout:
    """Place words and arcs so that no texts overlap and every label is on its own arc."""
    sides = [
        Side([arc for arc in arcs if (arc.mark is Mark.SECOND) == below], label_width, spacing)
        for below in (False, True)
    ]
    extents = word_extents(word_widths, sides)
    natural = spread(extents, spacing.word_gap, [])
    for side in sides:
        side.choose_stretches(natural)
    distances = [distance for side in sides for distance in side.distances()]
    middles = spread(extents, spacing.word_gap, distances)
    start = min((side.label_start(i, middles) for side in sides for i in side.pins), default=0)
    if start < 0:
        middles = [middle - start for middle in middles]
    above, below = (side.placed(middles) for side in sides)
    labels = [side.label_start(i, middles) + side.widths[i] for side in sides for i in side.pins]
    end = middles[-1] + extents[-1][1] + 1 if middles else 0
    return RowLayout(middles, above, below, max([end, *labels]))


class Side:
    """The arcs on one side of the words: legs and levels, before the words are positioned."""

    def __init__(
        self, arcs: Sequence[Arc], label_width: Callable[[Arc], int], spacing: RowSpacing
    ) -> None:
        """Compute legs and levels."""
        self.arcs = arcs
        self.widths = [label_width(arc) for arc in arcs]
        self.margin = spacing.label_margin
        self.pins = [i for i, arc in enumerate(arcs) if arc.is_pin]
        self.spans = leg_spans(arcs, spacing)
        self.levels = arc_levels(self.spans, self.pins)
        self.stretches: list[Span] = list(self.spans)  # the part of the arc its label lies on

    def choose_stretches(self, middles: Sequence[int]) -> None:
        """Put each label between the two adjacent legs on its arc with the most space."""
        for i, (left, right) in enumerate(self.spans):
            if self.arcs[i].is_pin:
                continue
            legs = sorted({left, right, *self.legs_through(i)})
            between_words = [(a, b) for a, b in pairwise(legs) if a[0] != b[0]]
            self.stretches[i] = max(
                between_words, key=lambda ab: position(ab[1], middles) - position(ab[0], middles)
            )

    def legs_through(self, i: int) -> set[Leg]:
        """The legs of higher arcs that cross arc `i`."""
        left, right = self.spans[i]
        level = self.levels[i]
        return {
            leg
            for span, other_level in zip(self.spans, self.levels, strict=True)
            if other_level > level
            for leg in span
            if left < leg < right
        }

    def distances(self) -> list[Distance]:
        """The minimum distances of words that the labels require."""
        found = []
        for i, ((a, a_offset), (b, b_offset)) in enumerate(self.stretches):
            if a != b:
                needed = self.widths[i] + 2 * self.margin + 1
                found.append((a, b, needed + a_offset - b_offset))
        pins = sorted(self.pins, key=lambda i: self.arcs[i].modifier)
        for i, j in pairwise(pins):
            needed = self.widths[i] // 2 + (self.widths[j] - 1) // 2 + 1 + max(self.margin, 1)
            found.append((self.arcs[i].modifier, self.arcs[j].modifier, needed))
        return found

    def label_start(self, i: int, middles: Sequence[int]) -> int:
        """The start of the label of arc `i`."""
        left, right = (position(leg, middles) for leg in self.stretches[i])
        if self.arcs[i].is_pin:
            return left - (self.widths[i] - 1) // 2
        return left + 1 + (right - left - 1 - self.widths[i]) // 2

    def placed(self, middles: Sequence[int]) -> list[PlacedArc]:
        """The arcs with their positions."""
        return [
            PlacedArc(
                arc,
                self.levels[i],
                position(self.spans[i][0], middles),
                position(self.spans[i][1], middles),
                self.label_start(i, middles),
            )
            for i, arc in enumerate(self.arcs)
        ]


def position(leg: Leg, middles: Sequence[int]) -> int:
    """The position of a leg."""
    return middles[leg[0] - 1] + leg[1]


def leg_spans(arcs: Sequence[Arc], spacing: RowSpacing) -> list[Span]:
    """The legs of every arc.

    Arcs to one side of a word have their legs on that side, longer arcs nearer to its middle, so
    that arcs do not cross needlessly. Incoming and outgoing arcs never share a leg, so that it is
    clear which arc an arrowhead belongs to.
    """
    meeting: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for i, arc in enumerate(arcs):
        if not arc.is_pin:
            meeting[arc.left, True].append(i)
            meeting[arc.right, False].append(i)
    offsets: dict[tuple[int, int], int] = defaultdict(int)
    for (word, to_the_right), group in meeting.items():
        group.sort(key=lambda i: (arcs[i].right - arcs[i].left, i), reverse=True)
        entering = [arcs[i].modifier == word for i in group]
        for i, steps in zip(group, leg_steps(entering, spacing.share_legs), strict=True):
            offsets[i, word] = (steps if to_the_right else -steps) * spacing.leg_step
    return [
        ((arc.left, offsets[i, arc.left]), (arc.right, offsets[i, arc.right]))
        for i, arc in enumerate(arcs)
    ]


def leg_steps(entering: Sequence[bool], share: bool) -> list[int]:
    """The distance of each leg on one side from the middle of its word, longest arc first.

    The side with the incoming arc starts in the middle, the other beside it.
    """
    steps: list[int] = []
    for k, enters in enumerate(entering):
        if k == 0:
            steps.append(0 if any(entering) else 1)
        else:
            shared = share and not enters and not entering[k - 1]
            steps.append(steps[-1] if shared else steps[-1] + 1)
    return steps


def arc_levels(spans: Sequence[Span], pins: Sequence[int]) -> list[int]:
    """The level of every arc: above all arcs it covers, different from all it crosses, pins on top.

    From the shortest to the longest, each arc takes the lowest possible level; without crossings
    this is the depth of nesting, which is minimal.
    """
    rank = {leg: k for k, leg in enumerate(sorted({leg for span in spans for leg in span}))}
    ranked = [(rank[left], rank[right]) for left, right in spans]
    pinned = set(pins)
    order = [i for i in range(len(spans)) if i not in pinned]
    order.sort(key=lambda i: (ranked[i][1] - ranked[i][0], ranked[i]))
    levels = [0] * len(spans)
    done: list[tuple[int, int, int]] = []
    for i in order:
        left, right = ranked[i]
        covered, crossed = 0, set()
        for other_left, other_right, level in done:
            if other_left > right or other_right < left:
                continue
            if left <= other_left and other_right <= right:
                covered = max(covered, level)
            else:
                crossed.add(level)
        levels[i] = covered + 1
        while levels[i] in crossed:
            levels[i] += 1
        done.append((left, right, levels[i]))
    top = max(levels, default=0) + 1
    for i in pins:
        levels[i] = top
    return levels


def word_extents(word_widths: Sequence[int], sides: Sequence[Side]) -> list[tuple[int, int]]:
    """The extent of each word and its legs to the left and right of its middle."""
    lefts = [(width - 1) // 2 for width in word_widths]
    rights = [width // 2 for width in word_widths]
    for side in sides:
        for word, offset in (leg for span in side.spans for leg in span):
            lefts[word - 1] = max(lefts[word - 1], -offset)
            rights[word - 1] = max(rights[word - 1], offset)
    return list(zip(lefts, rights, strict=True))


def spread(
    extents: Sequence[tuple[int, int]], gap: int, distances: Sequence[Distance]
) -> list[int]:
    """The leftmost middles of all words that satisfy the gap and the distances."""
    into: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for i, j, distance in distances:
        into[j].append((i, distance))
    middles: list[int] = []
    for word, (left, _) in enumerate(extents, start=1):
        middle = left if word == 1 else middles[-1] + extents[word - 2][1] + gap + 1 + left
        for i, distance in into[word]:
            middle = max(middle, middles[i - 1] + distance)
        middles.append(middle)
    return middles
