"""From atoms to Scores, and from differences of trees to the features that differ."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import (
    ArcList,
    arc_entries,
    expected_difference,
    rival_heads,
    tree_differences,
)
from headwise.kernels.arcs.features import ArcTemplates, EncodedTokens
from headwise.kernels.arcs.finished import score_finished
from headwise.kernels.arcs.memory import (
    MOST_BLOCKS,
    MOST_REMEMBERED,
    TagMemory,
    forgets_often,
    new_memory,
)
from headwise.kernels.arcs.scores import score_many
from headwise.kernels.arcs.sparse import SparseRows, combine
from headwise.kernels.arcs.tables import Weights
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.tables import WeightTables
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.parts import Part
from headwise.search.scores import Scores

Heads = NDArray[np.int64]
Floats = NDArray[np.float64]
UnprunedArcs = NDArray[np.bool_]
Entries = tuple[NDArray[np.int64], NDArray[np.int64], Floats]
"""The row, place and value of features."""

LEAST_EXPECTED = 1e-5
"""Arcs that are expected less than this often move no weight."""


MOST_IN_TWO_BYTES = 128
"""The weights of so many templates, of one byte each, have a sum below `above_zero`."""


class Scorer(Protocol):
    """Scores the parts of sentences; learners know no more of features and orders than this."""

    @property
    def features(self) -> FeatureSet:
        """The templates of arcs."""
        ...

    def scores_of(self, tokens: EncodedTokens, unpruned: UnprunedArcs | None = None) -> Scores:
        """The scores of a sentence, over unpruned arcs only if they are given."""
        ...

    def differences(self, tokens: EncodedTokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree less those of each of some trees, one row a tree."""
        ...

    def gradient(
        self,
        tokens: EncodedTokens,
        gold: Heads,
        scores: Scores,
        arc: Floats,
        higher: Mapping[Part, Floats],
    ) -> SparseRows:
        """The features of the gold tree less the expected ones, in one row."""
        ...


@dataclass(frozen=True, eq=False)
class ArcScorer:
    """Scores arcs by the sum of the weights of their features."""

    features: FeatureSet
    tables: WeightTables

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave behind what can be made again when sent to another process."""
        return ArcScorer, (self.features, self.tables)

    @cached_property
    def templates(self) -> ArcTemplates:
        """The templates as arrays."""
        return self.features.compiled()

    def scores(self, tokens: EncodedTokens) -> Floats:
        """The scores of all arcs of a sentence, [head, modifier]."""
        size = len(tokens.tags)
        scores = np.empty(size * size)
        self._score_plainly(tokens, np.array([0, size]), scores)
        return scores.reshape(size, size)

    def scores_of(self, tokens: EncodedTokens, unpruned: UnprunedArcs | None = None) -> Scores:
        """The scores of a sentence, over unpruned arcs only if they are given."""
        arc = self.scores(tokens)
        return Scores(arc if unpruned is None else np.where(unpruned, arc, -np.inf))

    def score_many(self, encoded: EncodedSentences) -> Floats:
        """The scores of all arcs of many sentences, one after the other."""
        if not self.remembers_tags:
            return self.score_plainly(encoded)
        scores = room_for_scores(encoded)
        with self._memory_for(encoded) as memory:
            score_finished(
                self.templates, encoded.tokens, encoded.starts, self._weights, memory, scores
            )
        return scores

    @property
    def remembers_tags(self) -> bool:
        """Whether it pays to remember what tags say: weights are finished, tags not too many."""
        return self.tables.are_finished and not any(map(forgets_often, self._memories))

    def score_plainly(self, encoded: EncodedSentences) -> Floats:
        """The same, arc by arc as learners do: slower, but compiled in half the time.

        It is for questions about single sentences, and for pruners: above the first order, they
        take little of the time.
        """
        scores = room_for_scores(encoded)
        self._score_plainly(encoded.tokens, encoded.starts, scores)
        return scores

    def _score_plainly(
        self, tokens: EncodedTokens, starts: NDArray[np.int64], scores: Floats
    ) -> None:
        score_many(self.templates, tokens, starts, self.tables.for_kernels, scores)

    @cached_property
    def _weights(self) -> Weights:
        weights = self.tables.for_kernels
        if len(self.features.templates) > MOST_IN_TWO_BYTES:
            return weights._replace(rows=weights.sums)
        return weights

    @contextmanager
    def _memory_for(self, encoded: EncodedSentences) -> Iterator[TagMemory]:
        """A memory that nobody else uses meanwhile; after an error it is not used again."""
        atoms, tags = len(encoded.tokens.atoms), most_tags(encoded)
        if tags > MOST_REMEMBERED:
            yield new_memory(self.templates, self._weights, atoms, tags, MOST_BLOCKS)
            return
        try:
            memory = self._memories.pop()
        except IndexError:
            memory = new_memory(self.templates, self._weights, atoms, MOST_REMEMBERED, MOST_BLOCKS)
        yield memory
        self._memories.append(memory)

    @cached_property
    def _memories(self) -> list[TagMemory]:
        """What was looked up of tags: one for each thread that was at work, none in use."""
        return []

    def differences(self, tokens: EncodedTokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree less those of each of some trees, one row a tree."""
        return self.rows(tokens, tree_differences(gold, trees), len(trees))

    def gradient(
        self,
        tokens: EncodedTokens,
        gold: Heads,
        scores: Scores,  # noqa: ARG002, RUF100 - of other scorers
        arc: Floats,
        higher: Mapping[Part, Floats],  # noqa: ARG002, RUF100
    ) -> SparseRows:
        """The features of the gold tree less the expected ones, in one row."""
        return self.rows(tokens, expected_difference(gold, arc, LEAST_EXPECTED), 1)

    def rivals(
        self, tokens: EncodedTokens, gold: Heads, arc: Floats, margins: Floats
    ) -> tuple[ArcList, SparseRows]:
        """For every arc that comes too near the gold arc: features of the one less the other's."""
        arcs = rival_heads(gold, arc, margins)
        return arcs, self.rows(tokens, arcs, len(arcs.row) // 2)

    def rows(self, tokens: EncodedTokens, arcs: ArcList, count: int) -> SparseRows:
        """The features of arcs, summed into rows."""
        entries = arc_entries(self.templates, tokens, self.tables.for_kernels, arcs)
        found: SparseRows = combine(count, *entries)
        return found


def room_for_scores(encoded: EncodedSentences) -> Floats:
    """Room for the scores of all arcs of many sentences."""
    return np.empty(int((np.diff(encoded.starts) ** 2).sum()))


def most_tags(encoded: EncodedSentences) -> int:
    """The most different tags of a sentence; those of short sentences are not counted."""
    tags, long = encoded.tokens.tags, np.flatnonzero(np.diff(encoded.starts) > MOST_REMEMBERED)
    return max((len(np.unique(tags[slice(*encoded.starts[i : i + 2])])) for i in long), default=0)


def combined(found: Sequence[Entries], rows: int) -> SparseRows:
    """Sparse rows from entries that come in several lists, each in the order of rows."""
    row, place, value = (np.concatenate(column) for column in zip(*found, strict=True))
    if rows > 1:
        order = np.argsort(row, kind="stable")
        row, place, value = row[order], place[order], value[order]
    result: SparseRows = combine(rows, row, place, value)
    return result
