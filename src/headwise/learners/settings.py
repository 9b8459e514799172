"""Everything one can choose about training, with defaults that are right for most treebanks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, cast

from headwise.corpus.projectivise import Encoding
from headwise.errors import UsageError
from headwise.learners.labelsettings import LabellerSettings
from headwise.scoring.linear.atoms import TagColumns
from headwise.scoring.linear.higher import parts_named
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.scoring.linear.tables import TableSizes
from headwise.scoring.linear.words import WordRules
from headwise.search.parts import Part
from headwise.storage.settings import (
    LARGEST_INT,
    MOST_EPOCHS,
    MOST_MEMBERS,
    check_counts,
    check_types,
)
from headwise.storage.sparse import MOST_BYTES

LearnerName = Literal[
    "mira",
    "perceptron",
    "factored-mira",
    "log-linear",
    "bayes-point",
    "arc-margin",
    "semisupervised",
]
DecoderName = Literal["projective", "non-projective"]
Crossing = Literal["lift", "lift-head", "lift-path", "lift-head+path", "reorder", "leave-out"]
Loss = Literal["heads", "no-punctuation", "complete", "labelled"]
Labelling = Literal["second-stage", "joint", "none"]
TargetName = Literal["heads", "trees"]
Averaging = Literal["late", "even"]
Bits = Literal[8, 16, 32]
Order = Literal[1, 2, 3, 4]

COUNTS = {
    "epochs": (1, MOST_EPOCHS),
    "k": (1, 1000),
    "seed": (0, LARGEST_INT),
    "members": (1, MOST_MEMBERS),
    "longest": (1, LARGEST_INT),
    "thin": (0, 1 << 15),
}
"""What whole numbers can be."""

OF_LEARNERS: dict[str, tuple[LearnerName, ...]] = {
    "k": ("mira",),
    "augmented": ("mira",),
    "loss": ("mira", "factored-mira", "semisupervised"),
    "most": ("mira", "factored-mira"),
    "rate": ("log-linear", "semisupervised"),
    "decay": ("log-linear",),
    "beta": ("arc-margin",),
    "alpha": ("semisupervised",),
    "lam": ("semisupervised",),
    "targets": ("semisupervised",),
    "members": ("bayes-point",),
}
"""Settings that only some learners look at."""


@dataclass(kw_only=True)
class TrainingSettings:
    """What a parser is trained with.

    order: 1 scores arcs; 2 siblings and where modifiers end too; 3 grandparents too; 4 all parts.
    parts: part types to score, instead of those of an order.

    features: a set by name (`headwise features`), or a file of templates.
    part_features: the same for higher parts.
    tags: which tags count: `both` UPOS and XPOS, one of them, or `none`.
    words: how forms become words, and what they back off to.

    learner: `mira` (k-best), `factored-mira`, `perceptron`, `bayes-point` (an average of
        perceptrons, each on the sentences in another order), `log-linear`, `arc-margin` (a
        margin for every wrong arc, solved exactly), `semisupervised` (from sentences without
        trees, too).
    decoder: search over `projective` trees, or over all (`non-projective`; above the first order
        by re-attaching words of the best projective tree).
    single_root: whether trees have one root; by default as in the training data.
    crossing: how trees with crossing arcs serve projective search: arcs are lifted (`lift`; with
        `lift-head`, `lift-path` and `lift-head+path` relations say where from, and parsed trees
        have crossing arcs again), words put in another order (`reorder`), or trees left out
        (`leave-out`).
    longest: longer sentences are left out of training.

    labels: `second-stage` labels the arcs of finished trees, the children of a head as a chain;
        `joint` learns labelled arcs (first order, `mira` or `perceptron`); or `none`.
    labeller: how the second stage is trained.

    epochs: how often training goes over the sentences; the best one on dev is kept.
    seed: of the orders in which they come.
    k: how many trees MIRA learns from at a time.
    loss: what MIRA's margins grow with: wrong `heads`, those of words other than punctuation,
        whether the tree is wrong (`complete`), or wrong heads and labels (`labelled`, with joint
        labels).
    augmented: whether MIRA looks for the trees that violate margins most, instead of the best.
    averaging: what is kept is an average of the weights after every step: `late` ones count more
        (t² times), or all alike (`even`, as in the papers).
    most: how far one constraint of MIRA may move the weights.
    rate: log-linear, semisupervised: how large steps are.
    decay: log-linear: how strongly weights are drawn to 0.
    alpha, lam: semisupervised: α, how strongly weights are drawn to 0, and λ, how much sentences
        without trees count.
    beta: arc-margin: β, how strongly weights are drawn to 0.
    targets: semisupervised: what sentences without trees may have: `heads`, one for each word and
        no two words of each other, or mixtures of `trees`.
    members: how many perceptrons a Bayes point machine has.

    plausible: features of two words are looked up only for arcs that tags make plausible, such that
        this share of right arcs is among them; 1 is for all arcs, and slower. A finished model of
        the first order is content with fewer arcs.
    bits: of the weights of the finished model.
    thin: weights of no more than so many steps of the finished model are left out of it.
    tables: the sizes of the tables of weights.
    pruner: above the first order, how arcs are pruned first.
    """

    order: Order = 1
    parts: tuple[str, ...] = ()
    features: str = "default"
    part_features: str = "default"
    tags: TagColumns = "both"
    words: WordRules = field(default_factory=WordRules)
    learner: LearnerName = "mira"
    decoder: DecoderName = "projective"
    single_root: bool | None = None
    crossing: Crossing = "lift"
    longest: int | None = None
    labels: Labelling = "second-stage"
    labeller: LabellerSettings = field(default_factory=LabellerSettings)
    epochs: int = 10
    seed: int = 0
    k: int = 1
    loss: Loss = "heads"
    augmented: bool = True
    averaging: Averaging = "late"
    most: float = 1.0
    rate: float = 0.1
    decay: float = 0.0
    beta: float = 1.0
    alpha: float = 1.0
    lam: float = 0.01
    targets: TargetName = "heads"
    members: int = 10
    plausible: float = 0.995
    bits: Bits = 8
    thin: int = 0
    tables: TableSizes = field(default_factory=TableSizes)
    pruner: PrunerSettings = field(default_factory=PrunerSettings)

    def check(self) -> None:
        """Raise if a value has no meaning."""
        check_types(self)
        if self.parts and self.order != 1:
            raise UsageError("order and parts say the same thing: give one of them")
        check_counts(self, COUNTS)
        for name in ("most", "rate", "beta"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be above 0, not {getattr(self, name)}")
        for name in ("decay", "alpha", "lam"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} must be 0 or more, not {getattr(self, name)}")
        if not 0 < self.plausible <= 1:
            raise UsageError(f"plausible must be above 0 and up to 1, not {self.plausible}")
        self.words.check()
        self.tables.check()
        self.pruner.check()
        self.labeller.check()
        self.check_labels()
        self.check_room()
        finds_one = self.is_higher and self.decoder == "non-projective"
        if finds_one and (self.learner == "log-linear" or self.k > 1):
            raise UsageError(
                "non-projective search above the first order finds one tree: log-linear and "
                "k above 1 need order 1, or projective search"
            )
        if self.is_higher and self.learner == "factored-mira":
            raise UsageError("factored-mira knows arcs only: choose order 1, or another learner")
        if self.is_higher and self.learner in ("arc-margin", "semisupervised"):
            raise UsageError(f"{self.learner} knows arcs only: choose order 1, or another learner")
        if self.learner == "semisupervised" and self.loss == "complete":
            raise UsageError("semisupervised needs a cost for each head: choose another loss")

    @property
    def encoding(self) -> Encoding:
        """How relations say that arcs were lifted."""
        if self.decoder != "projective" or not self.crossing.startswith("lift-"):
            return "none"
        return cast(Encoding, self.crossing.removeprefix("lift-"))

    def check_room(self) -> None:
        """Raise if no model could hold the tables: those of more bytes are not loaded."""
        joint = self.labels == "joint"
        taken = self.tables.weights(self.is_higher, joint) * self.bits // 8
        taken += 0 if joint or self.labels == "none" else (1 << self.tables.labels) * self.bits // 8
        taken += self.pruner.tables.weights(False) if self.is_higher else 0
        if taken > MOST_BYTES * 3 // 4:  # filters and plausible arcs have the rest
            raise UsageError(
                f"tables: they take {taken:,} bytes, and a model may take {MOST_BYTES:,}: choose "
                "smaller ones, or fewer bits"
            )

    def check_labels(self) -> None:
        """Raise if labels cannot be learnt in this way."""
        if self.encoding != "none" and self.labels == "none":
            message = "relations say where arcs were lifted from, and labels are none: choose some"
            raise UsageError(f"crossing {self.crossing}: {message}")
        if self.labels == "joint" and self.is_higher:
            raise UsageError("joint labels are of the first order: choose order 1, or second-stage")
        if self.labels == "joint" and self.learner not in ("mira", "perceptron"):
            raise UsageError(
                f"joint labels are learnt by mira or perceptron, not by {self.learner}: choose "
                "one of them, or second-stage labels"
            )
        if self.loss == "labelled" and self.labels != "joint":
            raise UsageError(f"the labelled loss needs joint labels; they are {self.labels}")

    @property
    def scored_parts(self) -> tuple[Part, ...]:
        """The part types that are scored."""
        return parts_named(self.order, self.parts)

    @property
    def is_higher(self) -> bool:
        """Whether more than arcs is scored."""
        return self.scored_parts != (Part.ARC,)

    @property
    def arc_features(self) -> str:
        """The set of arc templates that is meant: higher orders have a `default` of their own."""
        return "higher-order" if self.features == "default" and self.is_higher else self.features

    @property
    def needs_all_arcs(self) -> bool:
        """Whether templates of both ends look at arcs that are not plausible, too.

        Margins and least squares are of all arcs of a sentence: weights of word pairs must be able
        to move each of them.
        """
        return self.learner in ("arc-margin", "semisupervised")

    def check_given(self, names: Iterable[str]) -> None:
        """Raise if a setting that was named in a call has no effect under the others."""
        for name in names:
            learners = OF_LEARNERS.get(name, (self.learner,))
            if self.learner not in learners:
                others = " or ".join(learners)
                raise UsageError(f"{self.learner} has no {name}, which is of learner {others}")
            counts, otherwise = HAVE_EFFECT_IF.get(name, (None, ""))
            if counts is not None and not counts(self):
                raise UsageError(f"{name} {otherwise}")


Condition = Callable[[TrainingSettings], bool]
HIGHER: tuple[Condition, str] = (
    lambda settings: settings.is_higher,
    "is of higher orders: choose --order 2, 3 or 4",
)
HAVE_EFFECT_IF: dict[str, tuple[Condition, str]] = {
    "part_features": HIGHER,
    "pruner.share": HIGHER,
    "pruner.most": HIGHER,
    "tables.parts": HIGHER,
    "crossing": (
        lambda settings: settings.decoder == "projective",
        "is of projective search: the other finds crossing arcs",
    ),
    "plausible": (
        lambda settings: not settings.needs_all_arcs,
        "is not of this learner, whose objective is of all arcs",
    ),
    "tables.labels": (
        lambda settings: settings.labels != "none",
        "needs relations to learn, and labels are none",
    ),
    "words.length": (
        lambda settings: settings.words.backoff == "prefix",
        "needs words.backoff=prefix",
    ),
}
"""Settings that have an effect only under some others, and what is said where they have none."""
