"""Joint scores of arcs and labels: the score of an arc is that with its best label."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.arcs.entries import arc_entries, tree_differences
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.labels.arcs import (
    ArcLabels,
    add_label_scores,
    label_entries,
    score_labels,
)
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.labeller import Labeller, plain_atoms
from headwise.scoring.linear.labels import LabelInventory, Labels
from headwise.scoring.linear.labeltemplates import ARC_TEMPLATES
from headwise.scoring.linear.scorer import ArcScorer, Floats, Heads, Scorer, UnprunedArcs, combined
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.scores import Scores

NO_LABELS = -1


@dataclass(frozen=True, eq=False)
class LabelledArcScorer:
    """Scores arcs with their labels; the weights of labels follow those of arcs."""

    arcs: ArcScorer
    inventory: LabelInventory

    @property
    def features(self) -> FeatureSet:
        """The templates of arcs."""
        return self.arcs.features

    @cached_property
    def labeller(self) -> Labeller:
        """A labeller of given arcs, with the same weights."""
        own = self.arcs.tables
        return Labeller(self.inventory, ARC_TEMPLATES, own.label_weights, own.scale, paired=False)

    def labels_of(self, tokens: EncodedTokens, gold: Heads, labels: Labels) -> ArcLabels:
        """The best labels of all arcs of a sentence, and those of gold arcs."""
        weights = self.labeller.weights
        atoms, lists = plain_atoms(tokens.atoms), self.inventory.lists
        found: ArcLabels = score_labels(atoms, lists, weights, gold, labels)
        return found

    def scores_of(self, tokens: EncodedTokens, unpruned: UnprunedArcs | None = None) -> Scores:
        """The scores of a sentence, each arc under its best label."""
        arc = self.arcs.scores(tokens)
        nothing = np.full(len(arc), NO_LABELS)
        arc += self.labels_of(tokens, nothing, nothing.astype(np.int32)).score
        return Scores(arc if unpruned is None else np.where(unpruned, arc, -np.inf))

    def score_many(self, encoded: EncodedSentences) -> Floats:
        """The scores of all arcs of many sentences, concatenated."""
        scores = self.arcs.score_many(encoded)
        atoms, lists = plain_atoms(encoded.tokens.atoms), self.inventory.lists
        add_label_scores(atoms, encoded.starts, lists, self.labeller.weights, scores)
        return scores

    def differences(self, *_: Any, **__: Any) -> SparseRows:
        """Not available: learners of joint labels use `labelled_differences`."""
        raise UsageError("joint labels require a learner that supports them: mira or perceptron")

    gradient = differences

    def labelled_differences(
        self,
        tokens: EncodedTokens,
        gold: Heads,
        labels: Labels,
        trees: Heads,
        tree_labels: NDArray[np.int32],
    ) -> SparseRows:
        """The features of the labelled gold tree minus those of each of some trees, one row per
        tree."""
        weights = self.arcs.tables.for_kernels
        arcs = arc_entries(self.arcs.templates, tokens, weights, tree_differences(gold, trees))
        tree, word = np.nonzero((trees != gold) | (tree_labels != labels))
        both = label_entries(
            plain_atoms(tokens.atoms),
            self.labeller.weights,
            self.arcs.tables.sizes.labels_start,
            np.repeat(tree, 2),
            np.stack([gold[word], trees[tree, word]], axis=1).ravel(),
            np.repeat(word, 2),
            np.stack([labels[word], tree_labels[tree, word]], axis=1).ravel(),
            np.tile([1.0, -1.0], len(word)),
        )
        return combined([arcs, both], len(trees))


def labeller_of(scorer: Scorer, second_stage: Labeller | None) -> Labeller | None:
    """The labeller of a model: the scorer of its arcs, or a second stage."""
    return scorer.labeller if isinstance(scorer, LabelledArcScorer) else second_stage
