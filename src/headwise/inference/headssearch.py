"""Search shared by models that predict heads but no relations."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.relations import Relations
from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError
from headwise.inference.searcher import TagDistributions
from headwise.search.decoders.base import HeadsArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class EncodedOneByOne(Generic[T]):
    """Sentences that were encoded one at a time."""

    sentences: tuple[T, ...]

    def sentence(self, index: int) -> T:
        """One sentence."""
        return self.sentences[index]

    def part(self, first: int, last: int) -> "EncodedOneByOne[T]":
        """A slice of the sentences."""
        return EncodedOneByOne(self.sentences[first:last])


class UnlabelledSearch(ABC):
    """Searches for unlabelled trees. It is stateless, so threads can share it."""

    __slots__ = ()

    labeller: None
    uses_guides: bool

    @property
    def on_accelerator(self) -> bool:
        """Whether scores are computed on an accelerator."""
        return False

    @property
    @abstractmethod
    def tag_columns(self) -> tuple[str, ...]:
        """The tag columns that the model uses as features."""

    @abstractmethod
    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> Any:
        """Encode sentences; the result has `part` and `sentence` to select from them."""

    @abstractmethod
    def scores_of(self, tokens: Any) -> Any:
        """The scores of an encoded sentence."""

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:  # noqa: ARG002, RUF100
        """The sentences unchanged: these models do not tag."""
        return sentences

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:  # noqa: ARG002, RUF100
        """No tag probabilities: these models do not tag."""
        return None

    def tag_distributions(self, encoded: Any) -> TagDistributions:  # noqa: ARG002, RUF100
        """No tag distributions: these models do not tag."""
        return {}

    @property
    @abstractmethod
    def decoder(self) -> Any:
        """The decoder of one sentence."""

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences with their best trees."""
        encoded = self.encode(sentences, guides)
        return [
            self.parse(sentence, encoded.sentence(index)) if len(sentence) else sentence
            for index, sentence in enumerate(sentences)
        ]

    def parse(self, sentence: Sentence, tokens: Any) -> Sentence:
        """A sentence with its best tree."""
        try:
            heads = self.decoder.best(self.scores_of(tokens)).heads
        except LimitError as error:
            raise LimitError(error.message, sentence.location) from error
        return sentence.with_tree(heads[1:].tolist(), unlabelled(heads)[1:])

    def lowered(self, sentence: Sentence) -> Sentence:
        """The parsed sentence unchanged: these models do not lift arcs."""
        return sentence

    def relations_of(self, encoded: Any, heads: HeadsArray) -> Sequence[str]:  # noqa: ARG002, RUF100
        """Placeholder relations, since only heads are predicted."""
        return unlabelled(heads)


def unlabelled(heads: HeadsArray) -> Relations:
    """Placeholder relations for the given heads."""
    return Relations((heads != 0).astype(np.int32), ("root", "dep"))
