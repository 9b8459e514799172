"""Attachment scores of a system's trees against gold trees."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from headwise.corpus.documents import Sentences
from headwise.evaluate.breakdown import Breakdown, BreakdownTally, check_kinds, number
from headwise.evaluate.intervals import Interval, measure_intervals
from headwise.evaluate.measures import NAMES, sentence_counts, verdicts, without_relations
from headwise.evaluate.punctuation import AUTOMATIC, PunctuationRule
from headwise.evaluate.ratios import RatioCounts, side_by_side, stacked
from headwise.evaluate.words import Arcs, Batch, BatchReader


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AttachmentScores:
    """The scores over all words, or over all but punctuation."""

    counts: RatioCounts  # rows: sentences; columns: the measures, see `measures.MEASURES`
    intervals: Mapping[str, Interval]  # in per cent, by measure; may be empty
    breakdowns: tuple[Breakdown, ...]  # the requested ones

    def __repr__(self) -> str:
        """One short line."""
        return f"<AttachmentScores: UAS {self.uas:.2f}, LAS {self.las:.2f}>"

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.counts)

    @property
    def words(self) -> int:
        """The number of scored words."""
        return int(self.counts.bottom[:, 0].sum())

    @property
    def values(self) -> dict[str, float]:
        """All measures in per cent, by name; NaN where nothing could be scored."""
        return dict(zip(NAMES, (100 * self.counts.ratios()).tolist(), strict=True))

    @property
    def uas(self) -> float:
        """The unlabelled attachment score in per cent."""
        return self.values["uas"]

    @property
    def las(self) -> float:
        """The labelled attachment score in per cent."""
        return self.values["las"]

    def to_json(self) -> dict[str, object]:
        """The scores as JSON data."""
        data: dict[str, object] = {name: number(value) for name, value in self.values.items()}
        data |= {"words": self.words, "sentences": self.sentences}
        if self.intervals:
            data["intervals"] = {
                name: [number(low), number(high)] for name, (low, high) in self.intervals.items()
            }
        if self.breakdowns:
            data["breakdowns"] = {found.kind: found.to_json() for found in self.breakdowns}
        return data


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The scores of a system, with and without punctuation."""

    all_tokens: AttachmentScores
    without_punctuation: AttachmentScores
    punctuation: str  # the name of the rule
    subtypes: bool  # whether `nsubj:pass` and `nsubj` are different labels
    confidence: float | None  # of the intervals

    def to_json(self) -> dict[str, object]:
        """The scores as JSON data: over all tokens, the others under `without_punctuation`."""
        return self.all_tokens.to_json() | {
            "without_punctuation": self.without_punctuation.to_json(),
            "punctuation": self.punctuation,
            "subtypes": self.subtypes,
            "confidence": self.confidence,
        }


class ScoreTally:
    """The counts of one system, accumulated over batches, with and without punctuation."""

    def __init__(self, breakdowns: Collection[str] = ()) -> None:
        check_kinds(breakdowns)
        names = tuple(breakdowns)
        self.counts: list[list[RatioCounts]] = [[], []]
        self.breakdowns = tuple([BreakdownTally(name) for name in names] for _ in range(2))

    def add(self, batch: Batch, system: Arcs) -> None:
        """Count the words of a batch."""
        right = verdicts(batch, system)
        views = (np.ones_like(batch.punctuation), ~batch.punctuation)
        for counted, counts, tallies in zip(views, self.counts, self.breakdowns, strict=True):
            counts.append(sentence_counts(batch, system, right, counted))
            for tally in tallies:
                tally.add(batch, system, right, counted)

    def totals(self, *, has_relations: bool) -> list[RatioCounts]:
        """The counts of all sentences, with and without punctuation.

        has_relations: whether the gold data has relations.
        """
        views = list(map(stacked, self.counts))
        return views if has_relations else list(map(without_relations, views))


def evaluate(
    gold: Sentences | str | Path,
    system: Sentences | str | Path,
    *,
    punctuation: PunctuationRule | str = AUTOMATIC,
    subtypes: bool = True,
    allow_missing: bool = False,
    breakdowns: Collection[str] = (),
    tag_column: str | None = None,
    confidence: float | None = 0.95,
    rounds: int = 1000,
    seed: int = 0,
) -> Evaluation:
    """Score `system` against `gold`: the same sentences, read in parallel, batch by batch.

    Both are sentences, documents, or the path of a file.

    punctuation: the punctuation rule, or its name; `auto` chooses by the tags of the first gold
        sentences.
    subtypes: whether relations are compared with their subtypes (`nsubj:pass`).
    allow_missing: count words without a head in the system output as wrong instead of raising.
    breakdowns: which of `breakdown.KINDS` to add; tags are those of the gold `tag_column`,
        `upos` or `xpos`; by default UPOS in sentences that have it, XPOS in others.
    confidence: level of the bootstrap intervals (`rounds` resamples); None for no intervals.
    """
    reader = BatchReader(
        gold, punctuation, subtypes=subtypes, allow_missing=allow_missing, tag_column=tag_column
    )
    tally = ScoreTally(breakdowns)
    for batch in reader.batches(system):
        tally.add(batch, batch.systems[0])
    has_relations = reader.has_gold_relations
    views = tally.totals(has_relations=has_relations)
    intervals = view_intervals(views, confidence, rounds, seed)
    group_names = {"relation": reader.relations.names, "tag": reader.tags.names}
    scores = [
        AttachmentScores(
            counts,
            within,
            tuple(
                kind.breakdown(group_names.get(kind.name, ()), has_relations=has_relations)
                for kind in kinds
            ),
        )
        for counts, within, kinds in zip(views, intervals, tally.breakdowns, strict=True)
    ]
    return Evaluation(scores[0], scores[1], reader.rule.name, subtypes, confidence)


def view_intervals(
    views: Sequence[RatioCounts], confidence: float | None, rounds: int, seed: int
) -> list[dict[str, Interval]]:
    """The intervals of each view in per cent, from the same resamples."""
    if confidence is None:
        return [{} for _ in views]
    found = measure_intervals(side_by_side(views), confidence=confidence, rounds=rounds, seed=seed)
    in_per_cent = [(100 * low, 100 * high) for low, high in found]
    starts = range(0, len(in_per_cent), len(NAMES))
    return [dict(zip(NAMES, in_per_cent[start:], strict=False)) for start in starts]
