"""The words of a lexical model as numbers, and the similar words that stand in for each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.text.lexical_chances import NONE, Neighbours
from headwise.text.similarity.words import WordSimilarity

ROOT, UNKNOWN = 0, 1
FIRST = 2
"""The number of the first word; before it come the root, and words that nobody knows."""

UNKNOWN_SIMILARITY = 0.01
"""Of a word without similar ones to what is known of rare words in general."""


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words by number: first those of the treebank, then those that are similar to some of them.

    near, similarity: [word, rank]: the word itself, if it is of the treebank, and words of the
        treebank that are similar to it; `NONE` where there are no more.
    """

    known: tuple[str, ...]
    others: tuple[str, ...]
    near: NDArray[np.int32]
    similarity: NDArray[np.float32]
    numbers: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the words."""
        numbered = enumerate((*self.known, *self.others), FIRST)
        object.__setattr__(self, "numbers", {word: number for number, word in numbered})

    @property
    def size(self) -> int:
        """How many words have counts, root and unknown words included."""
        return FIRST + len(self.known)

    def encode(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The numbers of the root and of words."""
        found = [self.numbers.get(word, UNKNOWN) for word in words]
        return np.array([ROOT, *found], np.int32)

    def neighbours(self, numbers: NDArray[np.int32]) -> Neighbours:
        """The words that stand in for some words."""
        own = np.where(numbers < self.size, numbers, np.int32(NONE)).astype(np.int32)
        return Neighbours(own, self.near[numbers], self.similarity[numbers].astype(np.float64))


def plain_lexicon(words: Iterable[str]) -> Lexicon:
    """Words of which none is similar to another, the most frequent first."""
    counts = Counter(words)
    known = tuple(sorted(counts, key=lambda word: (-counts[word], word)))
    size = FIRST + len(known)
    near = np.arange(size, dtype=np.int32)[:, None]
    return Lexicon(known, (), near, np.ones((size, 1), np.float32))


def with_similar_words(lexicon: Lexicon, similarity: WordSimilarity, most: int) -> Lexicon:
    """The lexicon with the similar words of each of its words, and the words similar to them."""
    others = tuple(word for word in similarity.words_ if word not in lexicon.numbers)
    rows = [similar_numbers(lexicon, similarity, word, most) for word in lexicon.known]
    more = [(word, similar_numbers(lexicon, similarity, word, most)) for word in others]
    more = [(word, row) for word, row in more if row]
    own, size = np.arange(lexicon.size), lexicon.size + len(more)
    near = np.full((size, most + 1), NONE, np.int32)
    weight = np.zeros((size, most + 1), np.float32)
    near[: lexicon.size, 0], weight[: lexicon.size, 0] = own, 1.0
    for number, row in enumerate([*rows, *(row for _, row in more)], FIRST):
        found = row or [(UNKNOWN, UNKNOWN_SIMILARITY)]
        near[number, 1 : len(found) + 1] = [word for word, _ in found]
        weight[number, 1 : len(found) + 1] = [cosine for _, cosine in found]
    return Lexicon(lexicon.known, tuple(word for word, _ in more), near, weight)


def similar_numbers(
    lexicon: Lexicon, similarity: WordSimilarity, word: str, most: int
) -> list[tuple[int, float]]:
    """The words of the treebank among the most similar ones of a word, and their similarities."""
    similar = similarity.similar(word, most)
    found = [(lexicon.numbers.get(other), cosine) for other, cosine in similar if other != word]
    return [(number, cosine) for number, cosine in found if number is not None]
