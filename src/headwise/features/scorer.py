"""From atoms to Scores, and from differences of trees to the features that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.features.atoms import EncodedSentences
from headwise.features.tables import WeightTables
from headwise.features.templates import FeatureSet
from headwise.kernels.arc_features import ArcTemplates, Tokens
from headwise.kernels.arc_rows import (
    ArcList,
    arc_entries,
    expected_difference,
    rival_heads,
    tree_differences,
)
from headwise.kernels.arc_scores import score_many
from headwise.kernels.sparse import SparseRows, combine
from headwise.searchspace.parts import Part
from headwise.searchspace.scores import Scores

Heads = NDArray[np.int64]
Floats = NDArray[np.float64]
Living = NDArray[np.bool_]
Entries = tuple[NDArray[np.int64], NDArray[np.int64], Floats]
"""The row, place and value of features."""

LEAST_EXPECTED = 1e-5
"""Arcs that are expected less than this often move no weight."""


class Scorer(Protocol):
    """Scores the parts of sentences; learners know no more of features and orders than this."""

    @property
    def features(self) -> FeatureSet:
        """The templates of arcs."""
        ...

    def scores_of(self, tokens: Tokens, living: Living | None = None) -> Scores:
        """The scores of a sentence, over living arcs if not all of them live."""
        ...

    def differences(self, tokens: Tokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree less those of each of some trees, one row a tree."""
        ...

    def gradient(
        self,
        tokens: Tokens,
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

    @cached_property
    def templates(self) -> ArcTemplates:
        """The templates as arrays."""
        return self.features.compiled()

    def scores(self, tokens: Tokens) -> Floats:
        """The scores of all arcs of a sentence, [head, modifier]."""
        size = len(tokens.tags)
        scores = np.empty(size * size)
        starts = np.array([0, size])
        score_many(self.templates, tokens, starts, self.tables.for_kernels, scores)
        return scores.reshape(size, size)

    def scores_of(self, tokens: Tokens, living: Living | None = None) -> Scores:
        """The scores of a sentence, over living arcs if not all of them live."""
        arc = self.scores(tokens)
        return Scores(arc if living is None else np.where(living, arc, -np.inf))

    def score_many(self, encoded: EncodedSentences) -> Floats:
        """The scores of all arcs of many sentences, one after the other."""
        sizes = np.diff(encoded.starts)
        scores = np.empty(int((sizes**2).sum()))
        score_many(self.templates, encoded.tokens, encoded.starts, self.tables.for_kernels, scores)
        return scores

    def differences(self, tokens: Tokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree less those of each of some trees, one row a tree."""
        return self.rows(tokens, tree_differences(gold, trees), len(trees))

    def gradient(
        self,
        tokens: Tokens,
        gold: Heads,
        scores: Scores,  # noqa: ARG002, RUF100 - of other scorers
        arc: Floats,
        higher: Mapping[Part, Floats],  # noqa: ARG002, RUF100
    ) -> SparseRows:
        """The features of the gold tree less the expected ones, in one row."""
        return self.rows(tokens, expected_difference(gold, arc, LEAST_EXPECTED), 1)

    def rivals(
        self, tokens: Tokens, gold: Heads, arc: Floats, margins: Floats
    ) -> tuple[ArcList, SparseRows]:
        """For every arc that comes too near the gold arc: features of the one less the other's."""
        arcs = rival_heads(gold, arc, margins)
        return arcs, self.rows(tokens, arcs, len(arcs.row) // 2)

    def rows(self, tokens: Tokens, arcs: ArcList, count: int) -> SparseRows:
        """The features of arcs, summed into rows."""
        entries = arc_entries(self.templates, tokens, self.tables.for_kernels, arcs)
        found: SparseRows = combine(count, *entries)
        return found


def combined(found: Sequence[Entries], rows: int) -> SparseRows:
    """Sparse rows from entries that come in several lists, each in the order of rows."""
    row, place, value = (np.concatenate(column) for column in zip(*found, strict=True))
    if rows > 1:
        order = np.argsort(row, kind="stable")
        row, place, value = row[order], place[order], value[order]
    result: SparseRows = combine(rows, row, place, value)
    return result
