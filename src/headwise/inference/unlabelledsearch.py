"""Search shared by models that predict heads but no relations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError
from headwise.inference.searcher import Searcher

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


class UnlabelledSearch(Searcher):
    """Searches sentences one by one: their trees have heads and no relations."""

    __slots__ = ()

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
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
        return sentence.with_tree(heads[1:].tolist(), self.relations_of(None, heads)[1:])
