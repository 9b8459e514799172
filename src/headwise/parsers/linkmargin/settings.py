"""Everything one can choose about large margins of links, and their rivals of tables 6.1 to 6.4."""

from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.storage.settings import (
    LARGEST_INT,
    MAX_EPOCHS,
    MAX_NEIGHBOURS,
    check_counts,
    check_not_negative,
    check_positive,
    check_types,
)

MarginName = Literal["local", "global"]
FeatureName = Literal["pairs", "pmi", "distance"]

COUNTS = {
    "folds": (2, LARGEST_INT),
    "ties": (1, MAX_NEIGHBOURS),
    "neighbours": (0, MAX_NEIGHBOURS),
    "epochs": (1, MAX_EPOCHS),
    "seed": (0, LARGEST_INT),
    "longest": (1, LARGEST_INT),
}
"""What whole numbers can be."""


@dataclass(kw_only=True)
class LinkMarginSettings:
    """What a parser of links is trained with.

    loss: `local`, a margin for every link that is not in the tree (Wang 2008, 6.5), or `global`,
        one for every tree (6.1).
    features: features of links: `pairs` of words (required), their `pmi`, their `distance`.
    beta: β, L2 regularisation strength.
    betas: values of β to choose from by cross-validation, instead of `beta`.
    folds: number of folds of the cross-validation.
    laplacian: ρ, how strongly weights of similar pairs are tied, as a multiple of β; 0 for none.
    ties: number of most similar pairs that each pair is tied to.
    neighbours: number of similar words that stand in for pairs never seen in training; 0 for none.
    epochs: maximum number of epochs of the solver.
    tolerance: relative duality gap at which the solver stops.
    seed: random seed for shuffling.
    lowercase: whether to lowercase word forms.
    single_root: whether trees have exactly one root; by default as in the training data.
    longest: leave out training sentences of more words.
    """

    loss: MarginName = "local"
    features: tuple[FeatureName, ...] = ("pairs", "pmi", "distance")
    beta: float = 1.0
    betas: tuple[float, ...] = ()
    folds: int = 5
    laplacian: float = 0.0
    ties: int = 10
    neighbours: int = 50
    epochs: int = 200
    tolerance: float = 0.001
    seed: int = 0
    lowercase: bool = True
    single_root: bool | None = None
    longest: int | None = None

    def check(self) -> None:
        check_types(self)
        if "pairs" not in self.features:
            raise UsageError("features: pairs must be among the features of links")
        check_counts(self, COUNTS)
        if not all(beta > 0 for beta in (self.beta, *self.betas)):
            raise UsageError("beta must be above 0")
        check_not_negative(self, "laplacian")
        check_positive(self, "tolerance")

    @property
    def needs_similarity(self) -> bool:
        """Whether there must be similar words."""
        return self.neighbours > 0 or self.laplacian > 0
