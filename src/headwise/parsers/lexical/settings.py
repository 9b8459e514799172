"""Everything one can choose about the lexical model, and its rivals of table 5.2."""

from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.storage.settings import LARGEST_INT, MAX_NEIGHBOURS, check_counts, check_types

VariantName = Literal["words", "one-word", "joint", "tags", "joint-tags"]
TagColumn = Literal["upos", "xpos"]

MAX_COUNTS = 100
"""Counts of modifiers are stored in a byte."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the models of table 5.2.

    joint: the modifier is generated, instead of the link being decided.
    of_tags: tags stand for words, and nothing is smoothed.
    one_word: at most one word of a similar context differs.
    """

    joint: bool = False
    of_tags: bool = False
    one_word: bool = False


VARIANTS: dict[VariantName, Variant] = {
    "words": Variant(),
    "one-word": Variant(one_word=True),
    "joint": Variant(joint=True),
    "tags": Variant(of_tags=True),
    "joint-tags": Variant(joint=True, of_tags=True),
}
"""THE models (a) to (e) of table 5.2."""


@dataclass(kw_only=True)
class LexicalSettings:
    """What a lexical parser is trained with.

    variant: model of Wang (2008, table 5.2): `words` (a), `one-word` (b), `joint` (c), `tags` (d)
        or `joint-tags` (e).
    tags: tag column of the variants without words.
    counts: number of modifier counts to distinguish on a side; the last stands for all above.
    neighbours: number of similar words that smooth the probabilities of a word; 0 for none.
    unseen: lower bound of probabilities.
    lowercase: whether to lowercase word forms.
    single_root: whether trees have exactly one root; by default as in the training data.
    longest: leave out training sentences of more words.
    """

    variant: VariantName = "words"
    tags: TagColumn = "upos"
    counts: int = 4
    neighbours: int = 50
    unseen: float = 0.01
    lowercase: bool = True
    single_root: bool | None = None
    longest: int | None = None

    def check(self) -> None:
        check_types(self)
        if not 1 <= self.counts <= MAX_COUNTS:
            raise UsageError(f"counts must be from 1 to {MAX_COUNTS}, not {self.counts}")
        check_counts(self, {"neighbours": (0, MAX_NEIGHBOURS), "longest": (1, LARGEST_INT)})
        if not 0 < self.unseen < 0.5:
            raise UsageError(f"unseen must be above 0 and below 0.5, not {self.unseen}")

    @property
    def model(self) -> Variant:
        """The model that the variant names."""
        return VARIANTS[self.variant]

    @property
    def needs_similarity(self) -> bool:
        """Whether there must be similar words to smooth with."""
        return not self.model.of_tags and self.neighbours > 0
