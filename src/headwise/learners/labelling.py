"""Learning to label the arcs of gold trees: the second stage of a parser."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.features.atoms import AtomEncoder, EncodedSentences
from headwise.features.labeller import Labeller, function_words, plain_atoms
from headwise.features.labels import Heads, LabelInventory, Labels, has_labels, learn_inventory
from headwise.features.labeltemplates import TREE_TEMPLATES, template_rows
from headwise.kernels.label_learn import learn_labels
from headwise.search import likeliest

CUT_OFF = (0.0, 1e-5, 1e-4, 3e-4, 1e-3)
"""Shares of weights, the largest, that may be cut off when weights are made small."""


@dataclass(frozen=True, slots=True)
class LabellerSettings:
    """How the second stage is trained.

    epochs: how often it goes over the trees.
    margin: by how much the right label must win.
    """

    epochs: int = 8
    margin: float = 60.0

    def check(self) -> None:
        """Raise if a value has no meaning."""
        if self.epochs < 1:
            raise UsageError(f"labeller: epochs must be 1 or more, not {self.epochs}")
        if self.margin < 0:
            raise UsageError(f"labeller: margin must be 0 or more, not {self.margin}")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTrees:
    """Gold trees with their labels."""

    encoded: EncodedSentences
    heads: Heads
    labels: Labels

    @classmethod
    def of(
        cls, sentences: Sequence[Sentence], encoded: EncodedSentences, inventory: LabelInventory
    ) -> "LabelledTrees":
        """The trees of sentences that are encoded."""
        labels = inventory.numbers(one.relations for one in sentences)
        return cls(encoded, heads_of(sentences), labels)

    def usable(self, inventory: LabelInventory) -> NDArray[np.int64]:
        """Which sentences have only labels that may be: all known, and root's nowhere else."""
        bad = (self.heads > 0) & ((self.labels < 0) | (self.labels == inventory.root))
        count = np.add.reduceat(bad, self.encoded.starts[:-1]) if len(self.encoded) else bad
        return np.flatnonzero(count == 0)


def heads_of(sentences: Sequence[Sentence]) -> Heads:
    """The heads of all tokens, -1 for roots."""
    own = [head for one in sentences for head in (-1, *one.heads)]
    return np.array(own, np.int64)


def inventory_of(sentences: Sequence[Sentence], encoder: AtomEncoder) -> LabelInventory | None:
    """The labels of a treebank, or None where it has none."""
    if not has_labels(sentences):
        return None
    return learn_inventory(sentences, encoder.encode(sentences), heads_of(sentences))


def train_labeller(
    sentences: Sequence[Sentence],
    encoder: AtomEncoder,
    settings: LabellerSettings,
    *,
    size: int,
    seed: int,
    bits: Literal[8, 16, 32],
) -> Labeller | None:
    """A labeller of gold trees with 2^size weights, or None if they have no labels."""
    inventory = inventory_of(sentences, encoder)
    if inventory is None:
        return None
    trees = LabelledTrees.of(sentences, encoder.encode(sentences), inventory)
    table = np.zeros(1 << size, np.float32)
    labeller = Labeller(inventory, template_rows(TREE_TEMPLATES), table)
    average = _learn(trees, labeller, settings, seed)
    return small(replace(labeller, table=average), bits, trees)


def _learn(
    trees: LabelledTrees, labeller: Labeller, settings: LabellerSettings, seed: int
) -> NDArray[np.float32]:
    """The averaged weights after some passes over the trees."""
    weights, inventory = labeller.weights, labeller.inventory
    atoms = plain_atoms(trees.encoded.tokens.atoms)
    closed, usable = function_words(atoms), trees.usable(inventory)
    sums = np.zeros(len(labeller.table), np.float64)
    step = 0
    for epoch in range(settings.epochs):
        order = np.random.default_rng([seed, epoch]).permutation(usable)
        step, _ = learn_labels(
            atoms,
            closed,
            trees.encoded.starts,
            trees.heads,
            trees.labels,
            inventory.lists,
            weights,
            sums,
            order,
            step,
            np.float32(settings.margin),
        )
    average: NDArray[np.float32] = (labeller.table - sums / max(step, 1)).astype(np.float32)
    return average


def small(labeller: Labeller, bits: Literal[8, 16, 32], trees: LabelledTrees) -> Labeller:
    """The labeller with weights of so many bits, by the scale that changes fewest labels."""
    if bits == 32:
        return labeller
    encoded, heads = trees.encoded, trees.heads
    wanted = labeller.label_many(encoded, heads)
    best, most = labeller, -1
    for share in CUT_OFF:
        candidate = quantised(labeller, bits, share)
        same = int(np.count_nonzero(candidate.label_many(encoded, heads) == wanted))
        if same > most:
            best, most = candidate, same
    return best


def quantised(labeller: Labeller, bits: Literal[8, 16], cut_off: float) -> Labeller:
    """The same weights as small integers times one scale; a share of the largest is cut off."""
    kind: type[Any] = np.int8 if bits == 8 else np.int16
    highest = np.iinfo(kind).max
    sizes = np.abs(labeller.table[labeller.table != 0])
    if not len(sizes):
        return replace(labeller, table=labeller.table.astype(kind))
    cut = len(sizes) - 1 - int(cut_off * len(sizes))
    scale = float(np.partition(sizes, cut)[cut]) / highest
    whole = np.clip(np.rint(labeller.table / np.float32(scale)), -highest, highest)
    return replace(labeller, table=whole.astype(kind), scale=scale)


def fitted_label_temperature(labeller: Labeller, trees: LabelledTrees) -> float:
    """The temperature at which the labels of gold trees are likeliest."""
    usable = trees.usable(labeller.inventory)
    if not len(usable):
        return 1.0
    return likeliest(
        lambda temperature: (
            -float(
                labeller.at(temperature)
                .chances(trees.encoded, trees.heads, _harmless(trees, labeller.inventory))
                .log_trees[usable]
                .sum()
            )
        )
    )


def _harmless(trees: LabelledTrees, inventory: LabelInventory) -> Labels:
    """The labels, with a known one in the place of any that is not."""
    return np.where(trees.labels < 0, inventory.lists.labels[0], trees.labels).astype(np.int32)
