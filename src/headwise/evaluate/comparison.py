"""Comparison of two systems: scores, differences and significance tests."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.documents import Sentences
from headwise.corpus.sentence import Sentence
from headwise.evaluate.attachment import ScoreTally
from headwise.evaluate.measures import NAMES, verdicts
from headwise.evaluate.punctuation import AUTOMATIC, PunctuationRule
from headwise.evaluate.ratios import side_by_side
from headwise.evaluate.significance import Difference, McNemar, differences, mcnemar
from headwise.evaluate.words import Batch, BatchReader, Ints

RIGHT, PUNCTUATION = 1, 2
"""Marks of words."""


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """The differences over all words, or over all but punctuation."""

    words: int
    differences: tuple[Difference, ...]  # in the order of `measures.MEASURES`
    mcnemar_heads: McNemar
    mcnemar_labelled: McNemar | None  # of head and label; None without gold relations

    def __getitem__(self, measure: str) -> Difference:
        return self.differences[NAMES.index(measure)]

    def to_json(self) -> dict[str, object]:
        """The differences as JSON data."""
        return {
            "words": self.words,
            "measures": {found.measure: found.to_json() for found in self.differences},
            "mcnemar": {
                "heads": self.mcnemar_heads.to_json(),
                "labelled": self.mcnemar_labelled and self.mcnemar_labelled.to_json(),
            },
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same sentences; differences are B minus A."""

    sentences: int
    all_tokens: ScoreComparison
    without_punctuation: ScoreComparison
    punctuation: str  # the name of the rule
    subtypes: bool
    confidence: float
    rounds: int
    seed: int

    def to_json(self) -> dict[str, object]:
        """The comparison as JSON data: over all tokens, the rest under `without_punctuation`."""
        return self.all_tokens.to_json() | {
            "sentences": self.sentences,
            "without_punctuation": self.without_punctuation.to_json(),
            "punctuation": self.punctuation,
            "subtypes": self.subtypes,
            "confidence": self.confidence,
            "rounds": self.rounds,
            "seed": self.seed,
        }


def compare(
    gold: Sentences | str | Path,
    a: Sentences | str | Path,
    b: Sentences | str | Path,
    *,
    punctuation: PunctuationRule | str = AUTOMATIC,
    subtypes: bool = True,
    allow_missing: bool = False,
    confidence: float = 0.95,
    rounds: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Score two systems against `gold` and test their differences.

    All three, and the options, are those of `headwise.evaluate.attachment.evaluate`.
    """
    reader = BatchReader(gold, punctuation, subtypes=subtypes, allow_missing=allow_missing)
    tallies = (ScoreTally(), ScoreTally())
    alone = np.zeros((2, 2, 2), dtype=np.int64)
    for batch in reader.batches(a, b):
        for tally, system in zip(tallies, batch.systems, strict=True):
            tally.add(batch, system)
        alone += right_alone(batch)
    has_relations = reader.has_gold_relations
    views_a, views_b = (tally.totals(has_relations=has_relations) for tally in tallies)
    both = side_by_side(views_a), side_by_side(views_b)
    found = differences(NAMES * 2, *both, confidence=confidence, rounds=rounds, seed=seed)
    halves = (found[: len(NAMES)], found[len(NAMES) :])
    scores = [
        ScoreComparison(
            words=int(counts.bottom[:, 0].sum()),
            differences=half,
            mcnemar_heads=mcnemar(int(heads[0]), int(heads[1])),
            mcnemar_labelled=mcnemar(int(labelled[0]), int(labelled[1])) if has_relations else None,
        )
        for counts, half, (heads, labelled) in zip(views_a, halves, alone, strict=True)
    ]
    rule = reader.rule.name
    return Comparison(
        len(views_a[0]), scores[0], scores[1], rule, subtypes, confidence, rounds, seed
    )


def head_verdicts(gold: Iterable[Sentence], system: Iterable[Sentence]) -> NDArray[np.uint8]:
    """For every word: `RIGHT` if its head is, `PUNCTUATION` if it is that, or the sum of both."""
    found = [
        RIGHT * verdicts(batch, batch.systems[0]).heads + PUNCTUATION * batch.punctuation
        for batch in BatchReader(gold).batches(system)
    ]
    return np.concatenate(found, dtype=np.uint8, casting="unsafe")


def mcnemar_of_heads(
    a: NDArray[np.uint8], b: NDArray[np.uint8], *, punctuation: bool = True
) -> McNemar:
    """McNemar's test of two systems, given what `head_verdicts` says of each."""
    counted = np.ones(len(a), np.bool_) if punctuation else (a & PUNCTUATION) == 0
    right_a, right_b = (((one & RIGHT) != 0)[counted] for one in (a, b))
    return mcnemar(int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum()))


def right_alone(batch: Batch) -> Ints:
    """How many words only one system got right: [with or without punctuation][heads or
    labelled][A or B]."""
    a, b = (verdicts(batch, system) for system in batch.systems)
    alone = np.stack(
        [
            np.stack([a.heads & ~b.heads, b.heads & ~a.heads]),
            np.stack([a.labelled & ~b.labelled, b.labelled & ~a.labelled]),
        ]
    )
    return np.stack([alone.sum(axis=-1), (alone & ~batch.punctuation).sum(axis=-1)])
