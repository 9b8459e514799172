"""Everything one can choose about training, with defaults that are right for most treebanks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, cast

from headwise.corpus.projectivise import Encoding
from headwise.errors import UsageError
from headwise.learners.base import Learner
from headwise.learners.labelsettings import LabellerSettings
from headwise.learners.table import OWN_NAMES, LearnerSettings, made_learner
from headwise.scoring.linear.atoms import TagColumns
from headwise.scoring.linear.higher import parts_named
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.scoring.linear.tables import TableSizes
from headwise.scoring.linear.words import WordRules
from headwise.search.parts import Part
from headwise.storage.settings import (
    LARGEST_INT,
    MAX_EPOCHS,
    check_counts,
    check_types,
    to_mapping,
)
from headwise.storage.sparse import MOST_BYTES

DecoderName = Literal["projective", "non-projective"]
Crossing = Literal["lift", "lift-head", "lift-path", "lift-head+path", "reorder", "leave-out"]
Labelling = Literal["second-stage", "joint", "none"]
Averaging = Literal["late", "even"]
KeptEpoch = Literal["best", "last"]
FeatureSource = Literal["all", "gold"]
Bits = Literal[8, 16, 32]
Order = Literal[1, 2, 3, 4]

COUNTS = {
    "epochs": (1, MAX_EPOCHS),
    "seed": (0, LARGEST_INT),
    "longest": (1, LARGEST_INT),
    "drop_up_to": (0, 1 << 15),
}
"""What whole numbers can be."""


@dataclass(kw_only=True)
class TrainingSettings(LearnerSettings):
    """What a parser is trained with, besides the settings of its learner.

    order: order of the model: 1 scores arcs, 2 also siblings and where modifiers end, 3 also
        grandparents, 4 all parts.
    parts: part types to score instead of those of an order: arc, sibling, grandchild,
        grand-sibling, tri-sibling, grand-tri-sibling, stop.

    features: feature set of arcs by name (`headwise features`), or a file of templates.
    part_features: feature set of higher parts: default, paper-002, paper-003, or a file.
    tags: tags to use: `both` UPOS and XPOS, one of them, or `none`.
    tag_reduction: which characters of XPOS count: `none` leaves it whole, `first-N`, a set by name
        (collins, major-minor, arabic, penn, chinese, upos) or a file of rules; `auto` reduces XPOS
        only if it has more than 100 values.
    words: how word forms are normalised, and what they back off to.

    learner: learner by name, or a `Learner` object.
    decoder: search over `projective` trees, or over all (`non-projective`; above the first order
        by re-attaching words of the best projective tree).
    single_root: whether trees have exactly one root; by default as in the training data.
    crossing: how projective training treats crossing arcs: `lift` them; `lift-head`, `lift-path`
        and `lift-head+path` also encode the lifting in relations, to undo it after parsing;
        `reorder` the words; or `leave-out` the trees.
    longest: leave out training sentences of more words.
    partial: whether words without a head are left open, instead of being an error: `log-linear`
        sums over all trees that agree with the given heads, others learn from the best of them.

    labels: how relations are learnt: by a labeller of finished trees (`second-stage`), with the
        arcs (`joint`; order 1, mira or perceptron), or `none`.
    labeller: how the second stage is trained.

    epochs: number of training epochs.
    kept_epoch: the `best` on dev, or the `last`, so that nothing is chosen on dev.
    seed: random seed for shuffling.
    averaging: weights to keep are an average over all steps: `late` steps count more (t² times),
        or all count the same (`even`).

    features_of: arcs whose features have weights: `all` that training meets, or those of `gold`
        trees only, as in the first papers (order 1).
    plausible: share of gold arcs among those that tags make plausible; only these have features of
        word pairs. 1 keeps all arcs, and is slower.
    bits: bits per weight of the model.
    drop_up_to: drop quantised weights of magnitude ≤ this.
    tables: sizes of the weight tables.
    pruner: how arcs are pruned above the first order.
    """

    order: Order = 1
    parts: tuple[str, ...] = ()
    features: str = "default"
    part_features: str = "default"
    tags: TagColumns = "both"
    tag_reduction: str = "auto"
    words: WordRules = field(default_factory=WordRules)
    learner: str | Learner = "mira"
    decoder: DecoderName = "projective"
    single_root: bool | None = None
    crossing: Crossing = "lift"
    longest: int | None = None
    partial: bool = False
    labels: Labelling = "second-stage"
    labeller: LabellerSettings = field(default_factory=LabellerSettings)
    epochs: int = 10
    kept_epoch: KeptEpoch = "best"
    seed: int = 0
    averaging: Averaging = "late"
    features_of: FeatureSource = "all"
    plausible: float = 0.995
    bits: Bits = 8
    drop_up_to: int = 0
    tables: TableSizes = field(default_factory=TableSizes)
    pruner: PrunerSettings = field(default_factory=PrunerSettings)

    former_names: ClassVar[Mapping[str, str]] = {"thin": "drop_up_to"}

    def check(self) -> None:
        check_types(self)
        if self.parts and self.order != 1:
            raise UsageError("order and parts say the same thing: give one of them")
        check_counts(self, COUNTS)
        if not 0 < self.plausible <= 1:
            raise UsageError(f"plausible must be above 0 and up to 1, not {self.plausible}")
        self.words.check()
        self.tables.check()
        self.pruner.check()
        self.labeller.check()
        self.check_labels()
        self.check_room()
        self.check_learner()
        if self.features_of == "gold" and (self.is_higher or self.labels == "joint"):
            raise UsageError("features_of gold is of arcs alone: choose order 1, no joint labels")

    def check_learner(self) -> None:
        """Raise if the learner, or what is asked of it, has no meaning."""
        learner, name = self.chosen_learner(), self.learner_name
        learner.check()
        if self.is_higher and learner.arcs_only:
            raise UsageError(f"{name} knows arcs only: choose order 1, or another learner")
        is_exact = not self.is_higher or self.decoder == "projective"
        if learner.needs_several_trees and not is_exact:
            raise UsageError(
                "non-projective search above the first order finds one tree: log-linear and "
                "k above 1 need order 1, or projective search"
            )
        if self.labels == "joint" and learner.joint() is None:
            raise UsageError(
                f"joint labels are learnt by mira, or perceptron with k = 1, not by {name}: choose "
                "one of them, or second-stage labels"
            )
        if self.partial and not learner.learns_partial:
            raise UsageError(
                f"{name} learns from whole trees: leave out partial, or choose mira, perceptron, "
                "log-linear or --scorer neural"
            )
        if self.partial and self.labels == "joint":
            raise UsageError("joint labels are learnt from whole trees: leave out partial")
        if learner.tree_loss() == "labelled" and self.labels != "joint":
            raise UsageError(f"the labelled loss needs joint labels; they are {self.labels}")

    def chosen_learner(self) -> Learner:
        """The learner, with its settings."""
        given = {name: getattr(self, name) for name in OWN_NAMES}
        return made_learner(self.learner, {k: v for k, v in given.items() if v is not None})

    @property
    def learner_name(self) -> str:
        """What the learner is called."""
        return self.learner if isinstance(self.learner, str) else self.learner.described()["name"]

    def complete(self) -> dict[str, Any]:
        """All settings as JSON holds them, those of the learner with their defaults."""
        values = to_mapping(self)
        common = {name: value for name, value in values.items() if name not in OWN_NAMES}
        if isinstance(self.learner, Learner):
            return common | {"learner": self.learner.described()}
        return common | to_mapping(self.chosen_learner())

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
        return self.chosen_learner().needs_all_arcs

    def check_given(self, names: Iterable[str]) -> None:
        """Raise if a setting that was named in a call has no effect under the others."""
        for name in names:
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
    "pruner.max_heads": HIGHER,
    "tables.parts": HIGHER,
    "crossing": (
        lambda settings: settings.decoder == "projective",
        "is of projective search: the other finds crossing arcs",
    ),
    "plausible": (
        lambda settings: not settings.needs_all_arcs,
        "is not of this learner, whose objective is of all arcs",
    ),
    "tag_reduction": (
        lambda settings: settings.tags in ("both", "xpos"),
        "is of XPOS, and tags leaves it out",
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
