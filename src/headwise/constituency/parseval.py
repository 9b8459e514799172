"""PARSEVAL: bracket scores as EVALB computes them.

Words whose gold tag is deleted are ignored in both trees, and so are brackets without other words.
Brackets match one to one. A system bracket is crossing if it crosses any gold bracket. Tags are
scored over the remaining words. Two parsers are compared by these scores, with significance tests.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isnan

import numpy as np

from headwise.constituency.conventions import Conventions, collins
from headwise.corpus.constituents import TRACE_TAG, Constituent, Leaf, Tree, remove_traces
from headwise.errors import MismatchError, TreeError, quoted
from headwise.evaluate.breakdown import number as json_number
from headwise.evaluate.intervals import Interval, percentile_interval
from headwise.evaluate.ratios import RatioCounts, bootstrap_sums, table_ratios
from headwise.evaluate.significance import Difference, differences

Span = tuple[str, int, int]

MEASURES = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "complete": "Complete match",
    "crossing": "Crossing brackets, average",
    "crossing_ratio": "Crossing brackets, % of gold ones",
    "no_crossing": "No crossing",
    "two_crossing": "2 or fewer crossing",
    "tags": "Tagging accuracy",
}
"""The measures, in the order of the columns of `TreeCounts.ratios`, with their titles."""

SCALE = np.array([1.0 if name == "crossing" else 100.0 for name in MEASURES])
"""Ratios are shown in per cent, except the average of crossing brackets."""


@dataclass(frozen=True, slots=True)
class TreeScore:
    """The counts of one tree."""

    gold: int  # brackets
    system: int
    matched: int
    crossing: int
    words: int
    tags: int  # words with the correct tag
    length: int  # of the sentence, for the cut-off


def score_tree(gold: Tree, system: Tree, conventions: Conventions) -> TreeScore:
    """Compare one tree with the gold tree over the same words."""
    gold, system = _without_traces(gold), _without_traces(system)
    gold_leaves, system_leaves = list(gold.leaves()), list(system.leaves())
    _check_words(gold_leaves, system, system_leaves, conventions)
    kept = np.array([leaf.tag not in conventions.deleted for leaf in gold_leaves])
    position = np.concatenate([[0], np.cumsum(kept)]).tolist()
    of_gold, of_system = (_spans(tree, position, conventions) for tree in (gold, system))
    pairs = zip(gold_leaves, system_leaves, kept, strict=True)
    right = [conventions.tag(a.tag) == conventions.tag(b.tag) for a, b, counts in pairs if counts]
    for_length = conventions.deleted_for_length
    return TreeScore(
        len(of_gold),
        len(of_system),
        (Counter(of_gold) & Counter(of_system)).total(),
        _crossing(of_gold, of_system),
        len(right),
        sum(right),
        sum(leaf.tag not in for_length for leaf in gold_leaves),
    )


def _without_traces(tree: Tree) -> Tree:
    if not any(leaf.tag == TRACE_TAG for leaf in tree.leaves()):
        return tree
    pruned = remove_traces(tree)
    if pruned is None:
        raise TreeError("the tree has no words, only traces", tree.location)
    return pruned


def _check_words(
    gold: Sequence[Leaf], system: Tree, leaves: Sequence[Leaf], conventions: Conventions
) -> None:
    if len(gold) != len(leaves):
        message = f"this tree has {len(leaves)} words, the gold tree {len(gold)}"
        raise MismatchError(message, system.location)
    for number, (a, b) in enumerate(zip(gold, leaves, strict=True), 1):
        if a.form != b.form and conventions.word(a.word) != conventions.word(b.word):
            message = (
                f"word {number} of this tree is {quoted(b.form)}, of the gold tree {quoted(a.form)}"
            )
            raise MismatchError(message, system.location)


def _spans(tree: Tree, position: Sequence[int], conventions: Conventions) -> list[Span]:
    """The scored brackets, over the scored words."""
    found: list[Span] = []
    if not isinstance(tree.root, Constituent):
        return found
    for node, start, end in tree.spans():
        label = conventions.label(node.label)
        if label and position[start] < position[end]:
            name = label if conventions.labelled else "-"
            found.append((name, position[start], position[end]))
    return found


def _crossing(gold: Sequence[Span], system: Sequence[Span]) -> int:
    """The number of system brackets that cross a gold bracket."""
    if not gold or not system:
        return 0
    gold_starts, gold_ends = np.array([span[1:] for span in gold]).T
    starts, ends = np.array([span[1:] for span in system]).T[:, :, None]
    from_left = (gold_starts < starts) & (starts < gold_ends) & (gold_ends < ends)
    from_right = (starts < gold_starts) & (gold_starts < ends) & (ends < gold_ends)
    return int((from_left | from_right).any(axis=1).sum())


@dataclass(frozen=True, slots=True, eq=False)
class TreeCounts:
    """The scores of many trees."""

    scores: tuple[TreeScore, ...]

    def ratios(self) -> RatioCounts:
        """What each sentence adds to the numerator and denominator of every measure."""
        rows = np.array([_row(score) for score in self.scores], np.int64).reshape(-1, 18)
        return RatioCounts(rows[:, :9], rows[:, 9:])

    def up_to(self, length: int) -> "TreeCounts":
        """The scores of sentences up to a length."""
        return TreeCounts(tuple(score for score in self.scores if score.length <= length))


def _row(score: TreeScore) -> list[int]:
    complete = score.gold == score.system == score.matched
    crossing = score.crossing
    top = [score.matched, score.matched, 2 * score.matched, complete, crossing, crossing]
    bottom = [score.system, score.gold, score.gold + score.system, 1, 1, score.gold, 1, 1]
    bottom.append(score.words)
    return [*top, crossing == 0, crossing <= 2, score.tags, *bottom]


@dataclass(frozen=True, slots=True)
class TreeEvaluation:
    """The measures over some sentences: in per cent, except the average of crossing brackets."""

    sentences: int
    values: dict[str, float]
    intervals: dict[str, Interval]

    @classmethod
    def of(cls, counts: TreeCounts, *, rounds: int = 1000, seed: int = 0) -> "TreeEvaluation":
        """The measures, with 95 % bootstrap intervals over sentences."""
        ratios = counts.ratios()
        values = SCALE * ratios.ratios()
        intervals: dict[str, Interval] = {}
        if len(ratios):
            samples = SCALE * table_ratios(bootstrap_sums(ratios.table(), rounds, seed))
            columns = zip(MEASURES, samples.T, strict=True)
            intervals = {name: percentile_interval(column, 0.95) for name, column in columns}
        return cls(len(ratios), dict(zip(MEASURES, values.tolist(), strict=True)), intervals)

    def to_json(self) -> dict[str, object]:
        """The measures as JSON data."""
        found: dict[str, object] = {name: json_number(value) for name, value in self.values.items()}
        intervals = {
            name: None if isnan(ends[0]) else list(ends) for name, ends in self.intervals.items()
        }
        return found | {"sentences": self.sentences, "intervals": intervals}


def score_trees(
    gold: Iterable[Tree], system: Iterable[Tree], conventions: Conventions | None = None
) -> TreeCounts:
    """Score trees against gold trees, in order."""
    chosen = conventions or collins()
    return TreeCounts(tuple(score_tree(a, b, chosen) for a, b in paired(gold, system)))


def paired(gold: Iterable[Tree], system: Iterable[Tree]) -> Iterator[tuple[Tree, Tree]]:
    """Pairs of gold and system trees; there must be equally many."""
    for number, (a, b) in enumerate(zip_longest(gold, system)):
        if a is None or b is None:
            which, other = ("system", "gold") if a is None else ("gold", "system")
            left = b if a is None else a
            message = f"there are only {number} {other} trees, but more {which} trees"
            raise MismatchError(message, left.location)
        yield a, b


def compare_trees(
    a: TreeCounts, b: TreeCounts, *, rounds: int = 10_000, seed: int = 0
) -> tuple[Difference, ...]:
    """The differences between two systems' scores against the same gold trees, in all measures."""
    return differences(MEASURES, a.ratios(), b.ratios(), scale=SCALE, rounds=rounds, seed=seed)
