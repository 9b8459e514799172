"""What models have in common that find heads and no relations."""

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
    """Sentences that are encoded, each by itself."""

    sentences: tuple[T, ...]

    def sentence(self, index: int) -> T:
        """One of the sentences."""
        return self.sentences[index]

    def part(self, first: int, last: int) -> "EncodedOneByOne[T]":
        """Some of the sentences."""
        return EncodedOneByOne(self.sentences[first:last])


class UnlabelledSearch(ABC):
    """Searches trees and names no relations. It has no state: threads may share it."""

    __slots__ = ()

    labeller: None
    uses_guides: bool

    @property
    def on_accelerator(self) -> bool:
        """Whether another device than the CPU computes scores."""
        return False

    @property
    @abstractmethod
    def tag_columns(self) -> tuple[str, ...]:
        """The columns of tags that the model has learnt to look at."""

    @abstractmethod
    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> Any:
        """Sentences as numbers; `part` and `sentence` of what comes out are some of them."""

    @abstractmethod
    def scores_of(self, tokens: Any) -> Any:
        """The scores of a sentence that is encoded."""

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:  # noqa: ARG002, RUF100
        """The sentences as they are: tags are given, or a stage of its own has found them."""
        return sentences

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:  # noqa: ARG002, RUF100
        """Probabilities of tags: there are none."""
        return None

    def tag_distributions(self, encoded: Any) -> TagDistributions:  # noqa: ARG002, RUF100
        """Probabilities of all tags: there are none."""
        return {}

    @property
    @abstractmethod
    def decoder(self) -> Any:
        """The decoder of one sentence."""

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences under their best trees."""
        encoded = self.encode(sentences, guides)
        return [
            self.parse(sentence, encoded.sentence(index)) if len(sentence) else sentence
            for index, sentence in enumerate(sentences)
        ]

    def parse(self, sentence: Sentence, tokens: Any) -> Sentence:
        """A sentence under its best tree."""
        try:
            heads = self.decoder.best(self.scores_of(tokens)).heads
        except LimitError as error:
            raise LimitError(error.message, sentence.location) from error
        return sentence.with_tree(heads[1:].tolist(), unlabelled(heads)[1:])

    def lowered(self, sentence: Sentence) -> Sentence:
        """A parsed sentence: trees are as they were found."""
        return sentence

    def relations_of(self, encoded: Any, heads: HeadsArray) -> Sequence[str]:  # noqa: ARG002, RUF100
        """What relations are called where only heads are known."""
        return unlabelled(heads)


def unlabelled(heads: HeadsArray) -> Relations:
    """What the relations to heads are called where only heads are known."""
    return Relations((heads != 0).astype(np.int32), ("root", "dep"))
