"""Scores of arcs and higher-order parts over unpruned arcs, and feature differences of trees."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import arc_entries, expected_difference, tree_differences
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.arcs.unpruned import score_unpruned_many
from headwise.kernels.parts.entries import part_differences, part_entries
from headwise.kernels.parts.lookup import tokens_of_tree
from headwise.kernels.parts.scores import PartTemplates, part_sides, score_parts
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.parttemplates import SCORED_PARTS, PartFeatureSet
from headwise.scoring.linear.scorer import (
    MIN_EXPECTED,
    ArcScorer,
    Entries,
    Floats,
    Heads,
    UnprunedArcs,
    combined,
)
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.base import Marginals
from headwise.search.partindex import COLUMNS, PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores


@dataclass(frozen=True, eq=False)
class PartScorer:
    """Scores the parts of a factorisation; types without templates are not scored."""

    arcs: ArcScorer
    part_features: PartFeatureSet
    factorisation: Factorisation
    crossing: bool = False  # whether parts of non-projective trees are scored as well

    @cached_property
    def templates(self) -> PartTemplates:
        """The templates as arrays."""
        return self.part_features.compiled()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The part types that are scored."""
        with_templates = {template.part for template in self.part_features.templates}
        return tuple(part for part in self.factorisation.parts if part in with_templates)

    @property
    def features(self) -> FeatureSet:
        """The templates of arcs."""
        return self.arcs.features

    def scores_of(self, tokens: EncodedTokens, unpruned: UnprunedArcs | None = None) -> Scores:
        """The scores of all parts over unpruned arcs."""
        alone = self.alone(tokens)
        size = int(alone.starts[-1])
        if unpruned is None:
            unpruned = np.ones((size, size), np.bool_)
        index = PartIndex.over(unpruned, self.factorisation, crossing=self.crossing)
        rows = index.rows
        arc = np.full(unpruned.shape, -np.inf)
        arc[rows.arc_head, rows.arc_modifier] = self.score_arcs(
            alone, rows.arc_head, rows.arc_modifier, np.array([0, len(rows.arc_head)])
        )
        weights = self.arcs.tables.for_part_kernels
        flat, start = score_parts(self.templates, weights, alone.tokens.atoms, rows)
        higher = {
            part: flat[start[number] : start[number + 1]]
            for number, part in enumerate(SCORED_PARTS)
            if part in self.parts
        }
        return Scores(arc, index, higher)

    def alone(self, tokens: EncodedTokens) -> EncodedSentences:
        """A sentence by itself."""
        return EncodedSentences(np.array([0, len(tokens.tags)]), tokens)

    def score_arcs(
        self,
        encoded: EncodedSentences,
        heads: NDArray[np.int64],
        modifiers: NDArray[np.int64],
        arc_starts: NDArray[np.int64],
    ) -> Floats:
        """The scores of some arcs of many sentences; a sentence has those from its start on."""
        found: Floats = score_unpruned_many(
            self.arcs.templates,
            encoded.tokens,
            encoded.starts,
            self.arcs.tables.for_kernels,
            heads,
            modifiers,
            arc_starts,
        )
        return found

    def differences(self, tokens: EncodedTokens, gold: Heads, trees: Heads) -> SparseRows:
        """The features of the gold tree minus those of each of some trees, one row per tree."""
        tables = self.arcs.tables
        found = [
            arc_entries(
                self.arcs.templates, tokens, tables.for_kernels, tree_differences(gold, trees)
            )
        ]
        seen = part_sides(self.templates.sides, tokens.atoms)
        gold_parts = tokens_of_tree(gold)
        for number, tree in enumerate(trees):
            kind, columns, coefficient = part_differences(*gold_parts, *tokens_of_tree(tree))
            row = np.full(len(kind), number)
            found.append(self.entries(seen, row, kind, columns, coefficient))
        return combined(found, len(trees))

    def gradient(
        self, tokens: EncodedTokens, gold: Heads, scores: Scores, found: Marginals
    ) -> SparseRows:
        """The features of the gold tree minus the expected ones, in one row."""
        assert scores.index is not None
        expected = expected_difference(gold, found.arc, MIN_EXPECTED)
        weights = self.arcs.tables.for_kernels
        entries = [arc_entries(self.arcs.templates, tokens, weights, expected)]
        seen = part_sides(self.templates.sides, tokens.atoms)
        positions = scores.index.of_tree(gold)
        for part in self.parts:
            coefficient = -found.higher[part]
            coefficient[positions[part]] += 1.0
            moved = np.flatnonzero(np.abs(coefficient) >= MIN_EXPECTED)
            columns = kernel_columns(part, scores.index.tokens(part)[moved])
            kind = np.full(len(moved), SCORED_PARTS.index(part))
            row = np.zeros(len(moved), np.int64)
            entries.append(self.entries(seen, row, kind, columns, coefficient[moved]))
        return combined(entries, 1)

    def entries(
        self,
        seen: NDArray[np.uint64],
        row: NDArray[np.int64],
        kind: NDArray[np.int64],
        columns: NDArray[np.int64],
        coefficient: Floats,
    ) -> Entries:
        """Row, slot and value of every feature of some parts."""
        tables = self.arcs.tables
        kinds = np.array([part in self.parts for part in SCORED_PARTS])
        start, shift = tables.sizes.parts_start, tables.for_part_kernels.shift
        found: Entries = part_entries(
            self.templates, kinds, seen, start, shift, row, kind, columns, coefficient
        )
        return found


def kernel_columns(part: Part, tokens: NDArray[np.int64]) -> NDArray[np.int64]:
    """The five columns in which kernels store the tokens of parts."""
    if part is Part.STOP:
        head, side, last = tokens.T
        return np.stack([side, head, head, head, last], axis=1)
    columns = np.repeat(tokens[:, [part.indices.index("head")]], 5, axis=1)
    for number, name in enumerate(part.indices):
        columns[:, COLUMNS[name]] = tokens[:, number]
    return columns
