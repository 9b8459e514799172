"""The words of a lexical model as numbers, and the similar words that stand in for each.

How far similar words cover a treebank is checked: too little is worth a warning, nothing is a
mistake.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.errors import InputError, warn
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


def with_similar_words(lexicon: Lexicon, similarity: WordSimilarity, neighbours: int) -> Lexicon:
    """The lexicon with the similar words of each of its words, and the words similar to them."""
    others = tuple(word for word in similarity.words_ if word not in lexicon.numbers)
    rows = [similar_numbers(lexicon, similarity, word, neighbours) for word in lexicon.known]
    more = [(word, similar_numbers(lexicon, similarity, word, neighbours)) for word in others]
    more = [(word, row) for word, row in more if row]
    own, size = np.arange(lexicon.size), lexicon.size + len(more)
    near = np.full((size, neighbours + 1), NONE, np.int32)
    weight = np.zeros((size, neighbours + 1), np.float32)
    near[: lexicon.size, 0], weight[: lexicon.size, 0] = own, 1.0
    for number, row in enumerate([*rows, *(row for _, row in more)], FIRST):
        found = row or [(UNKNOWN, UNKNOWN_SIMILARITY)]
        near[number, 1 : len(found) + 1] = [word for word, _ in found]
        weight[number, 1 : len(found) + 1] = [cosine for _, cosine in found]
    return Lexicon(lexicon.known, tuple(word for word, _ in more), near, weight)


def similar_numbers(
    lexicon: Lexicon, similarity: WordSimilarity, word: str, neighbours: int
) -> list[tuple[int, float]]:
    """The words of the treebank among the most similar ones of a word, and their similarities."""
    similar = similarity.similar(word, neighbours)
    found = [(lexicon.numbers.get(other), cosine) for other, cosine in similar if other != word]
    return [(number, cosine) for number, cosine in found if number is not None]


ENOUGH = 0.9
"""Similarities that cover a smaller share of the tokens of a treebank are worth a warning."""


def checked_coverage(similarity: WordSimilarity, words: Iterable[str]) -> dict[str, float]:
    """What a report says of the words of a treebank that have similar ones, in shares.

    Raise if similarities are those of another language; warn the caller of `fit` if they lack much.
    """
    counts = Counter(words)
    missing = {word: count for word, count in counts.items() if not similarity.similar(word, 1)}
    of_words = 1 - len(missing) / len(counts)
    of_tokens = 1 - sum(missing.values()) / counts.total()
    if of_tokens == 0:
        raise InputError(
            "the similarity model knows no word of the treebank: is it of the same language?"
        )
    if of_tokens < ENOUGH:
        frequent = sorted(missing, key=lambda word: (-missing[word], word))[:5]
        warn(
            f"the similarity model covers {100 * of_tokens:.0f} % of the treebank's tokens "
            f"({100 * of_words:.0f} % of its words); what it lacks is hardly smoothed, as "
            f"{', '.join(map(repr, frequent))}"
        )
    return {"covered_words": of_words, "covered_tokens": of_tokens}
