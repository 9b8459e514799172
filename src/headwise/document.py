"""A text and what a pipeline found in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from headwise.corpus.conllu import format_conllu
from headwise.corpus.sentence import Sentence
from headwise.corpus.word import Word


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its sentences: `text[word.start : word.end]` is where a word stands."""

    text: str
    sentences: tuple[Sentence, ...]

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of all sentences."""
        return tuple(chain.from_iterable(sentence.words for sentence in self.sentences))

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, one after the other."""
        return iter(self.sentences)

    def conllu(self) -> str:
        """All of it as CoNLL-U."""
        return "".join(format_conllu(self.sentences))

    def svg(self) -> str:
        """All trees below each other, as an SVG picture."""
        from headwise.draw.svg import svg_page

        return svg_page(self.sentences)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the trees, if there are any."""
        there = self.sentences and all(sentence.has_tree for sentence in self.sentences)
        return self.svg() if there else None
