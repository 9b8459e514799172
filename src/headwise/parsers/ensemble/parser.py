"""EnsembleParser: trained models that answer together, by the average of their probabilities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError, counted
from headwise.inference.temperatures import UNFITTED, ModelTemperatures
from headwise.parsers.arcparser import ArcParser
from headwise.parsers.ensemble.member import COLUMNS, Member
from headwise.parsers.ensemble.search import EnsembleSearch

MADE_NOT_TRAINED = (
    "an ensemble is made of trained models: headwise ensemble A B C -o MODEL "
    "(in Python headwise.pipeline.ensembles.ensemble_of)"
)


@dataclass(kw_only=True, eq=False)
class EnsembleParser(ArcParser):
    """A committee of trained parsers.

    members: the models, each with the stages that it needs.
    """

    kind = "ensemble"

    members: Sequence[Member] = ()
    temperatures_: ModelTemperatures = field(init=False, repr=False, default=UNFITTED)
    report_: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    def check(self) -> None:
        """Raise if there are no members, or one that cannot be asked for probabilities."""
        if not self.members:
            raise UsageError("an ensemble has one member or more")
        if any(member.parser.search().uses_guides for member in self.members):
            raise UsageError("a parser that requires a guide cannot be a member of an ensemble")

    def fit(self, sentences: Iterable[Sentence]) -> "EnsembleParser":
        """Not trained: its members are."""
        raise UsageError(MADE_NOT_TRAINED)

    @property
    def is_projective(self) -> bool:
        """Whether its trees are projective: if those of all members are."""
        return all(getattr(one.parser.search(), "projective", True) for one in self.members)

    @property
    def has_single_root(self) -> bool:
        """Whether its trees have one root: if those of all members have."""
        return all(getattr(one.parser, "single_root_", True) for one in self.members)

    @property
    def single_root_(self) -> bool:
        """The same by the name that other parsers have for it."""
        return self.has_single_root

    @property
    def found_tags(self) -> tuple[str, ...]:
        return tuple(one for one in COLUMNS if any(one in m.found_tags for m in self.members))

    @classmethod
    def finds_tags(cls) -> bool:
        """Members bring their taggers with them."""
        return True

    def tag_names(self, column: str) -> Iterable[str]:
        return set().union(*(member.tag_names(column) for member in self.members))

    def search(self) -> EnsembleSearch:
        self.check()
        return EnsembleSearch(
            self.members, self.is_projective, self.has_single_root, self.temperatures_
        )

    def summary(self) -> str:
        kinds = ", ".join(member.parser.kind for member in self.members)
        return f"{counted(len(self.members), 'member')} ({kinds})"
