"""Everything one can choose about structured boosting."""

from dataclasses import dataclass
from typing import Any, Literal

from headwise.errors import UsageError
from headwise.parsers.boosting.classifier import LinkClassifier, Prior
from headwise.parsers.boosting.namedclassifier import call_of, classifier_of
from headwise.storage.settings import (
    LARGEST_INT,
    MAX_EPOCHS,
    check_counts,
    check_positive,
    check_types,
    to_mapping,
)

TagColumns = Literal["both", "upos", "xpos"]
Update = Literal["additive", "m1", "m2", "logistic"]
Keep = Literal["last", "ensemble"]
LinkScore = Literal["probability", "odds"]

COUNTS = {
    "cutoff": (1, LARGEST_INT),
    "counts": (1, 100),
    "rounds": (1, MAX_EPOCHS),
    "steps": (1, MAX_EPOCHS),
    "longest": (1, LARGEST_INT),
}
"""What whole numbers can be."""


@dataclass(kw_only=True)
class BoostingSettings:
    """What a boosted parser is trained with.

    tags: tags to use: `upos`, `xpos`, or `both`.
    partition: whether each pair of tags has a classifier of its own; otherwise one decides about
        all pairs of words, which is much slower to train.
    lowercase: whether to lowercase word forms.
    cutoff: drop features that occur with fewer pairs of words.
    dynamic: whether features look at earlier modifiers of the head: their number, the last's tag.
    counts: number of modifier counts to distinguish; the last stands for all above.
    grandchildren: tags (of prepositions) whose first modifier is a feature too; needs `dynamic`
        and the link score `odds`.

    base: linear classifier of scikit-learn instead of ours, with its arguments:
        `sklearn.linear_model.LogisticRegression(C=0.5)`; the settings from `prior` to `steps` are
        of ours.
    prior: prior of the weights of each classifier: `exponential` or `l2`.
    strength: strength of the prior.
    tolerance: tolerance at which training of a classifier stops.
    steps: maximum number of optimisation steps of a classifier.

    rounds: number of boosting rounds.
    update: how pairs of words that were parsed wrong are reweighted: `additive` adds `step` (Wang
        2008), AdaBoost's `m1` and `m2`, or `logistic` (Collins et al. 2002).
    step: what an additive update adds.
    keep: what parses in the end: the classifiers of the `last` round, or the `ensemble`.

    link_score: score of a link: the logarithm of its `probability`, or of its `odds`.
    single_root: whether trees have exactly one root; by default as in the training data.
    longest: leave out training sentences of more words.
    """

    tags: TagColumns = "both"
    partition: bool = True
    lowercase: bool = True
    cutoff: int = 2
    dynamic: bool = True
    counts: int = 3
    grandchildren: tuple[str, ...] = ()
    base: str = ""
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
        check_types(self)
        check_counts(self, COUNTS)
        if self.base:
            call_of(self.base)
        check_positive(self, "strength", "step", "tolerance")
        if self.grandchildren and not self.dynamic:
            raise UsageError("grandchildren are dynamic features: choose dynamic")
        if self.grandchildren and self.link_score != "odds":
            raise UsageError(
                "the search is exact for grandchildren if links are scored by their odds: choose "
                "the link score odds"
            )

    def identity(self, *, guided: bool = False) -> dict[str, Any]:
        """The settings that must be the same for training to resume from a checkpoint.

        The first checkpoints do not name `partition`, and are of trainings with it.
        """
        del guided
        free = {"rounds", "partition"} if self.partition else {"rounds"}
        return {name: one for name, one in to_mapping(self).items() if name not in free}

    def classifier(self) -> Any:
        """The base learner that the settings describe."""
        if self.base:
            return classifier_of(self.base)
        return LinkClassifier(
            prior=self.prior,
            strength=self.strength,
            tolerance=self.tolerance,
            steps=self.steps,
        )
