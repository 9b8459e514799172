"""A member of an ensemble: a trained parser, and the stages that give it tags and lemmas."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.inference.searcher import Searcher, TagDistributions
from headwise.parsers.base import Parser
from headwise.text.annotating import with_lemmas, with_tags
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger

COLUMNS = ("upos", "xpos", "feats")


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A parser with what it needs before it: nothing, if it finds tags by itself."""

    parser: Parser
    tagger: Tagger | None = None
    lemmas: Lemmatiser | None = None

    @property
    def found_tags(self) -> tuple[str, ...]:
        """The columns of tags that it finds."""
        if self.parser.finds_tags():
            return self.parser.found_tags
        if self.tagger is None:
            return ()
        return tuple(self.tagger.tag_names)

    def tag_names(self, column: str) -> set[str]:
        """All tags of a column that it may give."""
        if column not in self.found_tags:
            return set()
        if self.tagger is not None and not self.parser.finds_tags():
            return set(self.tagger.tag_names[column])
        return set(self.parser.tag_names(column))

    def prepared(self, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """The sentences as its parser wants them: with tags and lemmas where there are none."""
        if self.parser.finds_tags():
            return sentences
        if self.tagger is not None:
            sentences = with_tags(sentences, self.tagger, own=False)
        return sentences if self.lemmas is None else with_lemmas(sentences, self.lemmas, own=False)

    def tag_distributions(
        self, search: Searcher, sentences: Sequence[Sentence], encoded: Any
    ) -> TagDistributions:
        """The probabilities of tags; a tagger that has none is sure of what it found."""
        if self.parser.finds_tags():
            return search.tag_distributions(encoded)
        names = {} if self.tagger is None else self.tagger.tag_names
        return {name: (names[name], one_hot(sentences, name, names[name])) for name in names}


def one_hot(sentences: Sequence[Sentence], column: str, tags: Sequence[str]) -> NDArray[np.float64]:
    """For each token, roots included, 1 for the tag that it has in a column.

    tags: all that there can be, so that nothing depends on which sentences come together.
    """
    places: dict[str | None, int] = {tag: place for place, tag in enumerate(tags)}
    own = [places.get(tag, -1) for one in sentences for tag in (None, *getattr(one, column))]
    found = np.zeros((len(own), len(tags)))
    rows = np.flatnonzero(np.array(own) >= 0)  # others are roots, or were given
    found[rows, np.array(own)[rows]] = 1.0
    return found
