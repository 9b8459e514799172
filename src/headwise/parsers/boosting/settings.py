"""Everything one can choose about structured boosting."""

from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.parsers.boosting.classifier import LinkClassifier, Prior
from headwise.storage.settings import LARGEST_INT, MOST_EPOCHS, check_counts, check_types

TagColumns = Literal["both", "upos", "xpos"]
Update = Literal["additive", "m1", "m2", "logistic"]
Keep = Literal["last", "ensemble"]
LinkScore = Literal["probability", "odds"]

COUNTS = {
    "cutoff": (1, LARGEST_INT),
    "counts": (1, 100),
    "rounds": (1, MOST_EPOCHS),
    "steps": (1, MOST_EPOCHS),
    "longest": (1, LARGEST_INT),
}
"""What whole numbers can be."""


@dataclass(kw_only=True)
class BoostingSettings:
    """What a boosted parser is trained with.

    tags: which tags count: `upos`, `xpos`, or `both` together. Each pair of tags has a classifier
        of its own.
    lowercase: whether capitals are made small.
    cutoff: features of fewer pairs of words are left out.
    dynamic: whether the classifier sees how many modifiers the head has already, and the tag of the
        last of them.
    counts: how many counts of modifiers are told apart; the last stands for all above.
    grandchildren: tags of words (prepositions) of which it sees the first modifier too, its word
        and its tag; with `dynamic` and the link score `odds`.

    prior, strength, tolerance, steps: how each classifier is trained (`LinkClassifier`).

    rounds: how often classifiers are trained.
    update: how pairs of words are weighted that the parser got wrong: `additive` adds `step`, as
        in the thesis; AdaBoost's `m1` and `m2`; `logistic` is the form of Collins et al. (2002).
    keep: what parses in the end: the `last` classifiers, as in the thesis, or the `ensemble`.

    link_score: the score of a link is the logarithm of its `probability`, or of its `odds` against
        no link.
    single_root: whether trees have one root; by default as in the training data.
    longest: longer sentences are left out of training.
    """

    tags: TagColumns = "both"
    lowercase: bool = True
    cutoff: int = 2
    dynamic: bool = True
    counts: int = 3
    grandchildren: tuple[str, ...] = ()
    prior: Prior = "exponential"
    strength: float = 0.5
    tolerance: float = 0.1
    steps: int = 1000
    rounds: int = 4
    update: Update = "additive"
    step: float = 1.0
    keep: Keep = "last"
    link_score: LinkScore = "probability"
    single_root: bool | None = None
    longest: int | None = None

    def check(self) -> None:
        """Raise if a value has no meaning."""
        check_types(self)
        check_counts(self, COUNTS)
        for name in ("strength", "step", "tolerance"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.grandchildren and not self.dynamic:
            raise UsageError("grandchildren are dynamic features: choose dynamic")
        if self.grandchildren and self.link_score != "odds":
            raise UsageError(
                "the search is exact for grandchildren if links are scored by their odds: choose "
                "the link score odds"
            )

    def classifier(self) -> LinkClassifier:
        """The base learner that the settings describe."""
        return LinkClassifier(
            prior=self.prior,
            strength=self.strength,
            tolerance=self.tolerance,
            steps=self.steps,
        )
