"""Labelling the arcs of given trees, with probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.labels.chances import label_chances, label_distributions
from headwise.kernels.labels.features import CONJUNCTION, FUNCTION, UPOS
from headwise.kernels.labels.search import EncodedTrees, LabelWeights, label_trees
from headwise.scoring.chances import LabelChances, LabelDistributions
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.labels import Heads, LabelInventory, Labels
from headwise.scoring.linear.labeltemplates import CONJUNCTIONS, FUNCTION_WORDS, compiled_templates
from headwise.scoring.linear.texttable import hash_of

_FUNCTION_WORDS = np.array([hash_of("upos")(tag) for tag in FUNCTION_WORDS], np.uint64)
_CONJUNCTIONS = np.array([hash_of("upos")(tag) for tag in CONJUNCTIONS], np.uint64)


@dataclass(frozen=True, eq=False)
class Labeller:
    """Labels the arcs of trees. It is stateless: threads may share it.

    templates: rows of `labeltemplates`.
    table: weights, a power of two in number; each is the stored number times `scale`.
    paired: whether the labels of adjacent siblings are scored together.
    temperature: calibrates probabilities; scores are divided by it.
    """

    inventory: LabelInventory
    templates: Sequence[str]
    table: NDArray[Any]
    scale: float = 1.0
    paired: bool = True
    temperature: float = 1.0

    @cached_property
    def weights(self) -> LabelWeights:
        """The weights in the layout of the kernels."""
        templates, seeds = compiled_templates(self.templates)
        return LabelWeights(
            table=self.table,
            shift=np.uint64(65 - len(self.table).bit_length()),
            scale=self.scale,
            paired=self.paired,
            templates=templates,
            seeds=seeds,
            numbers=np.arange(len(self.inventory.names) + 1, dtype=np.uint32) % len(self.table),
            root=self.inventory.root,
        )

    def label_many(self, encoded: EncodedSentences, heads: Heads) -> Labels:
        """The indices of the best labels of all tokens under their trees; -1 for roots."""
        atoms = plain_atoms(encoded.tokens.atoms)
        found: Labels = label_trees(
            atoms, kinds_of(atoms), encoded.starts, heads, self.inventory.lists, self.weights
        )
        return found

    @property
    def names(self) -> Sequence[str]:
        """The names of all labels."""
        return self.inventory.names

    def chances(self, encoded: EncodedSentences, heads: Heads, labels: Labels) -> LabelChances:
        """The probabilities of labels under their trees, at the model's temperature."""
        return LabelChances(*label_chances(*self._problem(encoded, heads, labels)))

    def distributions(self, encoded: EncodedSentences, heads: Heads) -> LabelDistributions:
        """The probabilities of all labels of all tokens under their trees."""
        names, labels = self.inventory.names, self.label_many(encoded, heads)
        found = label_distributions(*self._problem(encoded, heads, labels), len(names))
        return LabelDistributions(names, found)

    def _problem(self, encoded: EncodedSentences, heads: Heads, labels: Labels) -> tuple[Any, ...]:
        """Labelled trees, and weights at the model's temperature."""
        atoms = plain_atoms(encoded.tokens.atoms)
        scaled = self.weights._replace(scale=self.scale / self.temperature)
        trees = EncodedTrees(atoms, kinds_of(atoms), heads, labels)
        return trees, encoded.starts, self.inventory.lists, scaled

    def at(self, temperature: float) -> "Labeller":
        """The same labeller at another temperature."""
        return replace(self, temperature=temperature)


def plain_atoms(atoms: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The atoms as a contiguous array: kernels would be recompiled for slices."""
    return np.ascontiguousarray(atoms)


def kinds_of(atoms: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The kind of each token: content word, function word, or conjunction."""
    tags = atoms[UPOS][:, np.newaxis]  # `np.isin` would take longer than labelling a short sentence
    kinds = np.zeros(len(tags), np.uint8)
    kinds[(tags == _FUNCTION_WORDS).any(axis=1)] = FUNCTION
    kinds[(tags == _CONJUNCTIONS).any(axis=1)] = CONJUNCTION
    return kinds
