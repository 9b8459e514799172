"""Scores of groups of words: by relation, tag, sentence length, arc length and direction."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from headwise.errors import UsageError
from headwise.evaluate.measures import Verdicts
from headwise.evaluate.words import NO_HEAD, Arcs, Batch, Bools, Ints

SENTENCE_LENGTHS = (10, 20, 30, 40, 50)
"""The upper bound of each bucket; the last bucket is open."""

ARC_LENGTHS = (1, 2, 5, 10, 20)
"""The upper bound of each bucket; the last bucket is open."""

DIRECTIONS = ("root", "left", "right")
"""Attached to the root; to the left of its head; to the right of its head."""


@dataclass(frozen=True, slots=True)
class Group:
    """The words of one group, and how many of them are correct."""

    name: str
    words: int  # in the gold data …
    with_relation: int  # … and those of them with a relation
    heads: int
    labelled: int | None  # None, like labels, if the gold data has no relations
    labels: int | None
    predicted: int | None  # words in the system output; None if all systems have the same groups
    correct: int | None  # gold words that the system correctly puts into this group; None as above

    @property
    def uas(self) -> float:
        """Correct heads, in per cent of the gold words."""
        return percent(self.heads, self.words)

    @property
    def las(self) -> float:
        """Correct heads with correct labels, in per cent of the gold words with a relation."""
        return percent(self.labelled, self.with_relation)

    @property
    def label_accuracy(self) -> float:
        """Correct labels, in per cent of the gold words with a relation."""
        return percent(self.labels, self.with_relation)

    @property
    def precision(self) -> float:
        """Correct arcs, in per cent of the system's."""
        return percent(self.correct, self.words if self.predicted is None else self.predicted)

    @property
    def recall(self) -> float:
        """Correct arcs, in per cent of the gold arcs."""
        return percent(self.correct, self.words)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        predicted = self.words if self.predicted is None else self.predicted
        return percent(self.correct and 2 * self.correct, self.words + predicted)

    def to_json(self) -> dict[str, object]:
        """The scores of the group as JSON data."""
        data: dict[str, object] = {
            "words": self.words,
            "uas": number(self.uas),
            "las": number(self.las),
            "label_accuracy": number(self.label_accuracy),
        }
        if self.predicted is not None:
            data["predicted"] = self.predicted
            data["precision"] = number(self.precision)
            data["recall"] = number(self.recall)
            data["f1"] = number(self.f1)
        return data


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All groups of one kind."""

    kind: str
    groups: tuple[Group, ...]

    def to_json(self) -> dict[str, object]:
        """The groups by name, as JSON data."""
        return {group.name: group.to_json() for group in self.groups}


def percent(part: float | None, whole: float) -> float:
    """A percentage; NaN if the whole is 0."""
    return 100 * part / whole if whole and part is not None else float("nan")


def number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else float(value)


def bucket_names(longest: Iterable[int]) -> tuple[str, ...]:
    """`1-10`, `11-20`, …, `51+` for the upper bounds 10, 20, …, 50."""
    ends = (0, *longest)
    names = [str(b) if b == a + 1 else f"{a + 1}-{b}" for a, b in pairwise(ends)]
    return (*names, f"{ends[-1] + 1}+")


def by_relation(batch: Batch, arcs: Arcs) -> Ints:
    """The relation of each arc."""
    return arcs.relations


def by_tag(batch: Batch, arcs: Arcs) -> Ints:
    """The tag of each arc's modifier."""
    return batch.tags


def by_sentence_length(batch: Batch, arcs: Arcs) -> Ints:
    """The bucket of the length of each arc's sentence."""
    return batch.for_words(np.searchsorted(SENTENCE_LENGTHS, batch.lengths))


def by_arc_length(batch: Batch, arcs: Arcs) -> Ints:
    """0 for arcs from the root, otherwise 1 + the bucket of the arc length."""
    distances = np.abs(arcs.heads - batch.numbers)
    return np.where(arcs.heads == 0, 0, 1 + np.searchsorted(ARC_LENGTHS, distances))


def by_direction(batch: Batch, arcs: Arcs) -> Ints:
    """The index into `DIRECTIONS`."""
    return np.where(arcs.heads == 0, 0, np.where(batch.numbers < arcs.heads, 1, 2))


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to group words."""

    group_of: Callable[[Batch, Arcs], Ints]
    names: tuple[str, ...] = ()  # of the groups; empty if they come from the data
    is_of_arcs: bool = True  # whether the group depends on the arc, and so on the system
    needs_label: bool = False  # whether an arc is correct only with its label


KINDS = {
    "relation": Kind(by_relation, needs_label=True),
    "tag": Kind(by_tag, is_of_arcs=False),
    "sentence_length": Kind(by_sentence_length, bucket_names(SENTENCE_LENGTHS), is_of_arcs=False),
    "arc_length": Kind(by_arc_length, ("root", *bucket_names(ARC_LENGTHS))),
    "direction": Kind(by_direction, DIRECTIONS),
}
"""The available breakdowns."""


def check_kinds(kinds: Iterable[str]) -> None:
    """Raise if a breakdown does not exist."""
    if isinstance(kinds, str) or not isinstance(kinds, Iterable):
        raise UsageError(f"breakdowns are a list of names, such as ['relation'], not {kinds!r}")
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"unknown breakdown {kind!r}; choose from {', '.join(KINDS)}")


class BreakdownTally:
    """The counts of one breakdown, accumulated over batches."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind = KINDS[name]
        self.totals: Ints = np.zeros((7, 0), dtype=np.int64)  # rows: counts, as in a `Group`

    def add(self, batch: Batch, system: Arcs, right: Verdicts, counted: Bools) -> None:
        """Count the words of a batch."""
        gold_groups = self.kind.group_of(batch, batch.gold)
        system_groups = self.kind.group_of(batch, system)
        correct = right.labelled if self.kind.needs_label else right.heads
        compared = counted & (system.heads != NO_HEAD)
        if self.kind.needs_label:
            compared &= batch.labelled
        of_gold = [counted, batch.labelled, right.heads, right.labelled, right.labels]
        rows = [(gold_groups, marks & counted) for marks in of_gold]
        rows += [(system_groups, compared), (gold_groups, correct & counted)]
        size = max(self.totals.shape[1], *(groups.max(initial=-1) + 1 for groups, _ in rows))
        totals = np.stack([np.bincount(groups[marks], minlength=size) for groups, marks in rows])
        totals[:, : self.totals.shape[1]] += self.totals
        self.totals = totals

    def breakdown(self, names: Iterable[str], *, has_relations: bool) -> Breakdown:
        """The non-empty groups; `names` is used where the groups come from the data.

        has_relations: whether the gold data has relations.
        """
        unknown = [] if self.kind.is_of_arcs else ["predicted"]
        if not has_relations:
            unknown += ["labelled", "labels"] + ["correct"] * self.kind.needs_label
        absent: dict[str, Any] = dict.fromkeys(unknown)
        groups = [
            replace(Group(name, *map(int, counts)), **absent)
            for name, counts in zip(self.kind.names or names, self.totals.T, strict=False)
            if counts.any()
        ]
        if not self.kind.names:
            groups.sort(key=lambda group: (-group.words, group.name))
        return Breakdown(self.name, tuple(groups))
