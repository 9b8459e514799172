"""The arc scorer: from atoms to Scores, and from trees to feature differences."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import (
    MIRRORED,
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
from headwise.search.decoders.base import Marginals
from headwise.search.scores import Scores

Heads = NDArray[np.int64]
Floats = NDArray[np.float64]
UnprunedArcs = NDArray[np.bool_]
Entries = tuple[NDArray[np.int64], NDArray[np.int64], Floats]
"""The row, slot and value of features."""

MIN_EXPECTED = 1e-5
"""Arcs with a smaller expected count do not change weights."""


MOST_IN_TWO_BYTES = 128
"""The sum of the 8-bit weights of this many templates is below `above_zero`."""


class Scorer(Protocol):
    """Scores the parts of sentences; all that learners know of features and orders."""

    @property
    def features(self) -> FeatureSet:
        """The templates of arcs."""
        ...

    def scores_of(self, tokens: EncodedTokens, unpruned: UnprunedArcs | None = None) -> Scores:
        """The scores of a sentence, over unpruned arcs if given."""
        ...

    def differences(self, tokens: EncodedTokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree minus those of each of some trees, one row per tree."""
        ...

    def gradient(
        self, tokens: EncodedTokens, gold: Heads, scores: Scores, found: Marginals
    ) -> SparseRows:
        """The features of the gold tree minus the expected ones, in one row."""
        ...


@dataclass(frozen=True, eq=False)
class ArcScorer:
    """Scores arcs by the sum of the weights of their features.

    known: which slots may have weights other than 0; by default all.
    """

    features: FeatureSet
    tables: WeightTables
    known: NDArray[np.bool_] | None = field(default=None, kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        """Do not send what can be recomputed to another process."""
        return partial(ArcScorer, known=self.known), (self.features, self.tables)

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
        """The scores of a sentence, over unpruned arcs if given."""
        arc = self.scores(tokens)
        return Scores(arc if unpruned is None else np.where(unpruned, arc, -np.inf))

    def score_many(self, encoded: EncodedSentences) -> Floats:
        """The scores of all arcs of many sentences, concatenated."""
        if not self.remembers_tags:
            return self.score_plainly(encoded)
        scores = allocate_scores(encoded)
        with self._memory_for(encoded) as memory:
            score_finished(
                self.templates, encoded.tokens, encoded.starts, self._weights, memory, scores
            )
        return scores

    @property
    def remembers_tags(self) -> bool:
        """Whether caching tag features pays: weights are final, and tags not too many."""
        return self.tables.are_finished and not any(map(forgets_often, self._memories))

    def score_plainly(self, encoded: EncodedSentences) -> Floats:
        """The same without caching, arc by arc as learners do: slower, but compiles in half the
        time.

        Used for questions about single sentences, and for pruners: above the first order, they take
        little of the time.
        """
        scores = allocate_scores(encoded)
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
        """A tag memory for exclusive use; after an error it is discarded."""
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
        """Caches of tag features, one per thread, none in use."""
        return []

    def differences(self, tokens: EncodedTokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree minus those of each of some trees, one row per tree."""
        return self.rows(tokens, tree_differences(gold, trees), len(trees))

    def gradient(
        self, tokens: EncodedTokens, gold: Heads, scores: Scores, found: Marginals
    ) -> SparseRows:
        """The features of the gold tree minus the expected ones, in one row."""
        return self.rows(tokens, expected_difference(gold, found.arc, MIN_EXPECTED), 1)

    def rivals(
        self, tokens: EncodedTokens, gold: Heads, heads: Heads, modifiers: Heads
    ) -> SparseRows:
        """The features of gold arcs minus those of wrong ones, one row per wrong arc."""
        return self.rows(tokens, rival_heads(gold, heads, modifiers), len(heads))

    def rows(self, tokens: EncodedTokens, arcs: ArcList, count: int) -> SparseRows:
        """The features of arcs, summed into rows."""
        row, slot, value = arc_entries(self.templates, tokens, self.tables.for_kernels, arcs)
        if self.known is not None:
            kept = self.known[slot & ~MIRRORED]
            row, slot, value = row[kept], slot[kept], value[kept]
        found: SparseRows = combine(count, row, slot, value)
        return found

    def limited_to(self, encoded: EncodedSentences, golds: Sequence[Heads]) -> "ArcScorer":
        """The same, in which features that no arc of these trees has do not count."""
        known = np.zeros(len(self.tables.weights), np.bool_)
        for number, gold in enumerate(golds):
            words = 1 + np.flatnonzero(gold[1:] >= 0)
            arcs = ArcList(np.zeros_like(words), gold[words], words, np.ones(len(words)))
            known[self.rows(encoded.sentence(number), arcs, 1).slots & ~MIRRORED] = True
        return replace(self, known=known)


def allocate_scores(encoded: EncodedSentences) -> Floats:
    """Allocate the scores of all arcs of many sentences."""
    return np.empty(int(encoded.arc_starts[-1]))


def most_tags(encoded: EncodedSentences) -> int:
    """The largest number of distinct tags in a sentence; short sentences are not counted."""
    tags, long = encoded.tokens.tags, np.flatnonzero(np.diff(encoded.starts) > MOST_REMEMBERED)
    return max((len(np.unique(tags[slice(*encoded.starts[i : i + 2])])) for i in long), default=0)


def combined(found: Sequence[Entries], rows: int) -> SparseRows:
    """Sparse rows from several lists of entries, each sorted by row."""
    row, slot, value = (np.concatenate(column) for column in zip(*found, strict=True))
    if rows > 1:
        order = np.argsort(row, kind="stable")
        row, slot, value = row[order], slot[order], value[order]
    result: SparseRows = combine(rows, row, slot, value)
    return result
