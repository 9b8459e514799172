"""Learning to label the arcs of gold trees: the second stage of a parser."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.kernels.labels.learn import learn_labels
from headwise.kernels.labels.search import EncodedTrees
from headwise.learners.checkpoint import checkpoints, fingerprint
from headwise.learners.labelcheckpoint import LabelRun
from headwise.learners.labelsettings import LabellerSettings
from headwise.learners.quantising import most_faithful
from headwise.progress import Progress, silent
from headwise.scoring.linear.atoms import AtomEncoder, EncodedSentences
from headwise.scoring.linear.labeller import Labeller, kinds_of, plain_atoms
from headwise.scoring.linear.labels import (
    Heads,
    LabelInventory,
    Labels,
    has_labels,
    learn_inventory,
)
from headwise.scoring.linear.labeltemplates import TREE_TEMPLATES
from headwise.scoring.linear.tables import as_integers, scales_of
from headwise.storage.settings import to_mapping

FORMAT = 2
"""Changed with where weights are: learning does not go on from others."""

CUT_OFF = (0.0, 1e-5, 1e-4, 3e-4, 1e-3)
"""Shares of weights, the largest, that may be cut off when weights are made small."""


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
    progress: Progress = silent,
    checkpoint: Path | None = None,
) -> Labeller | None:
    """A labeller of gold trees with 2^size weights, or None if they have no labels.

    progress: is told of epochs done, and of all.
    checkpoint: that of a training, beside which this one is kept; what is there is gone on from.
    """
    inventory = inventory_of(sentences, encoder)
    if inventory is None:
        return None
    trees = LabelledTrees.of(sentences, encoder.encode(sentences), inventory)
    labeller = Labeller(inventory, TREE_TEMPLATES, np.zeros(0, np.float32))
    run = LabelRun.at(checkpoint, identity_of(trees, settings, size, seed), size, settings)
    learn_members(trees, labeller, settings, seed, run, progress)
    average = run.total / np.float32(settings.members)
    return small(replace(labeller, table=average), bits, trees, settings.drop_up_to)


def learn_members(
    trees: LabelledTrees,
    labeller: Labeller,
    settings: LabellerSettings,
    seed: int,
    run: LabelRun,
    progress: Progress,
) -> None:
    """Train all members from where a run is; their averaged weights are added up in it."""
    usable = trees.usable(labeller.inventory)
    # No tree: the kernel is compiled before there is anything to save, so an interrupt ends it.
    learn_epoch(trees, replace(labeller, table=run.table), settings, run, usable[:0])
    with checkpoints(run.save) as save_after:
        while run.member < settings.members:
            order = np.random.default_rng([seed + run.member, run.epoch]).permutation(usable)
            learn_epoch(trees, replace(labeller, table=run.table), settings, run, order)
            run.epoch += 1
            if run.epoch == settings.epochs:
                run.end_member()
            done = run.member * settings.epochs + run.epoch
            progress("labels", done, settings.members * settings.epochs)
            save_after(run.name)
    run.save_again()


def learn_epoch(
    trees: LabelledTrees,
    labeller: Labeller,
    settings: LabellerSettings,
    run: LabelRun,
    order: NDArray[np.int64],
) -> None:
    """One pass over trees in an order, by which the weights of a run are changed."""
    atoms = plain_atoms(trees.encoded.tokens.atoms)
    run.step, _ = learn_labels(
        EncodedTrees(atoms, kinds_of(atoms), trees.heads, trees.labels),
        trees.encoded.starts,
        labeller.inventory.lists,
        labeller.weights,
        run.sums,
        order,
        run.step,
        np.float32(settings.margin),
    )


def identity_of(
    trees: LabelledTrees, settings: LabellerSettings, size: int, seed: int
) -> dict[str, Any]:
    """What must be the same for learning to go on."""
    arrays = (*trees.encoded.tokens, trees.encoded.starts, trees.heads, trees.labels)
    return {
        "labeller": {**to_mapping(settings), "size": size, "seed": seed, "format": FORMAT},
        "training sentences": fingerprint(arrays),
    }


def small(
    labeller: Labeller, bits: Literal[8, 16, 32], trees: LabelledTrees, drop_up_to: int = 0
) -> Labeller:
    """The labeller with weights of `bits` bits, by the scale that changes fewest labels."""
    if bits == 32:
        return labeller
    encoded, heads = trees.encoded, trees.heads
    candidates = (
        replace(labeller, table=as_integers(labeller.table, bits, scale, drop_up_to), scale=scale)
        for scale in scales_of(labeller.table, bits, CUT_OFF)
    )
    return most_faithful(labeller, candidates, lambda own: own.label_many(encoded, heads))
