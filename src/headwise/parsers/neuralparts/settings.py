"""Everything one can choose about parts on top of a neural parser."""

from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.higher import parts_named
from headwise.scoring.linear.precomputedarcs import SMALLEST
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.scoring.linear.tables import LARGEST, TableSizes
from headwise.search.parts import Part
from headwise.storage.settings import LARGEST_INT, MAX_EPOCHS, check_counts, check_types

MAX_FOLDS = 1000


@dataclass(kw_only=True)
class NeuralPartsSettings:
    """What higher-order parts over the arcs of a trained neural parser are learnt with.

    order: 2 scores siblings and where modifiers end, 3 also grandchildren, 4 all parts.
    parts: part types to score instead of those of an order: sibling, grandchild, grand-sibling,
        tri-sibling, grand-tri-sibling, stop.
    part_features: feature set of parts: default, paper-002, paper-003, or a file. Templates with
        lemmas are left out: they are found after the tree.
    folds: number of networks that are trained on parts of the treebank, so that each sentence is
        scored by one that has not seen it; 0 takes the scores of the base model, which is surer of
        sentences that it has learnt from than of others.
    own_tags: share of the training sentences whose tags are those that the network finds.
    factor: what the network's scores of arcs are multiplied by in training: below 1, as it is too
        sure of sentences that it has learnt from. That of the finished model is chosen on dev.
    c: aggressiveness parameter C of MIRA, an upper bound of the step size.
    epochs: number of training epochs; the one that is best on dev is kept.
    seed: random seed for shuffling.
    share: arcs below this fraction of the probability of the most probable head are pruned.
    training_share: the same in training.
    max_heads: largest number of heads kept per word.
    size: rows of four weights, as a power of two.
    """

    order: Literal[2, 3, 4] = 3
    parts: tuple[str, ...] = ()
    part_features: str = "default"
    folds: int = 0
    own_tags: float = 0.5
    factor: float = 0.3
    c: float = 0.1
    epochs: int = 5
    seed: int = 0
    share: float = 0.005
    training_share: float = 0.001
    max_heads: int = 10
    size: int = 22

    def check(self) -> None:
        check_types(self)
        if not 0 <= self.own_tags <= 1:
            raise UsageError(f"own_tags must be from 0 to 1, not {self.own_tags}")
        if not 0 < self.factor <= 1000:
            raise UsageError(f"factor must be above 0 and up to 1000, not {self.factor}")
        limits = {"epochs": (1, MAX_EPOCHS), "seed": (0, LARGEST_INT), "folds": (0, MAX_FOLDS)}
        check_counts(self, {**limits, "size": (4, LARGEST["parts"])})
        if self.folds == 1:
            raise UsageError("folds must be 2 or more, or 0")
        self.pruning.check()
        if self.scored_parts == (Part.ARC,):
            raise UsageError("parts: choose one besides arc")
        self.training().check()

    @property
    def scored_parts(self) -> tuple[Part, ...]:
        """The part types that are scored."""
        names = ("arc", *self.parts) if self.parts and "arc" not in self.parts else self.parts
        return parts_named(self.order, names)

    @property
    def pruning(self) -> PrunerSettings:
        """How arcs are pruned."""
        return PrunerSettings(
            share=self.share, training_share=self.training_share, max_heads=self.max_heads
        )

    @property
    def sizes(self) -> TableSizes:
        """The sizes of the weight tables: those of arcs are not used."""
        return TableSizes(
            wide=SMALLEST.wide,
            narrow=SMALLEST.narrow,
            filters=SMALLEST.filters,
            parts=self.size,
        )

    def training(
        self, *, projective: bool = True, single_root: bool | None = None
    ) -> TrainingSettings:
        """The same for the common training loop."""
        return TrainingSettings(
            parts=tuple(part.label for part in self.scored_parts),
            part_features=self.part_features,
            decoder="projective" if projective else "non-projective",
            single_root=single_root,
            labels="none",
            c=self.c,
            epochs=self.epochs,
            seed=self.seed,
            plausible=1.0,
            tables=self.sizes,
            pruner=self.pruning,
        )
