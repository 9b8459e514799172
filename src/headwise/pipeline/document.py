"""A text and what a pipeline found in it."""

from dataclasses import dataclass
from itertools import chain
from reprlib import repr as shortened
from typing import Any

from headwise.corpus.conllu import format_conllu
from headwise.corpus.phrases import Phrase
from headwise.corpus.sentence import Sentence
from headwise.corpus.tabular import word_dicts
from headwise.corpus.word import Word
from headwise.corpus.wordsequence import WordSequence, read_only
from headwise.errors import counted

SHOWN = 10
"""The number of trees that a notebook shows of a document."""


@read_only
@dataclass(frozen=True, slots=True, repr=False)
class Document(WordSequence):
    """A text and its sentences: `text[word.start : word.end]` is where a word stands.

    It is a sequence of its words, as in spaCy: `doc[0]`, `len(doc)`, `for word in doc`.
    """

    text: str
    sentences: tuple[Sentence, ...]

    def _build_words(self) -> tuple[Word, ...]:
        return tuple(chain.from_iterable(sentence.words for sentence in self.sentences))

    def __len__(self) -> int:
        return sum(map(len, self.sentences))

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.sentences), 'sentence')}, {counted(len(self), 'word')}"
        return f"<Document: {sizes}, {shortened(self.text)}>"

    __str__ = __repr__  # part of a text must not pass for the text

    def noun_phrases(self) -> tuple[Phrase, ...]:
        """The noun phrases of all sentences."""
        return tuple(phrase for one in self.sentences for phrase in one.noun_phrases())

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each word: `pandas.DataFrame(doc.to_dicts())`."""
        return word_dicts(self.sentences)

    def conllu(self) -> str:
        """All of it as CoNLL-U."""
        return "".join(format_conllu(self.sentences))

    def svg(self) -> str:
        """All trees below each other, as an SVG picture."""
        from headwise.draw.svg import svg_page

        return svg_page(self.sentences)

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the first trees, if there are any, and how many more there are."""
        from headwise.draw.svg import svg_page

        first, more = self.sentences[:SHOWN], len(self.sentences) - SHOWN
        if not first or not all(sentence.has_tree for sentence in first):
            return None
        rest = f"<p>… and {counted(more, 'more sentence')}</p>" if more > 0 else ""
        return f'<div style="overflow-x:auto">{svg_page(first)}</div>{rest}'
