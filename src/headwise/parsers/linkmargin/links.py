"""Treebanks as links: which two words each links, and what numbers it has.

One of the numbers is how much the two words go together: pointwise mutual information, counted in
text. Ties between similar pairs of words are the Laplacian of their similarities (6.6, 6.7).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.solvers.linkmargin import Links
from headwise.kernels.solvers.pairties import NONE, PairMap, map_pairs, similar_pairs
from headwise.parsers.lexical.lexicon import Lexicon
from headwise.text.similarity.contexts import count_contexts, numbered, pmi

STOP_WORDS = 100
MOST_WORDS = 100_000
LEAST = 2
"""Words that occur less often go together with nothing: once is chance."""


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """PMI of pairs of words (3.13) that stand in each other's windows somewhere.

    keys: `low · words + high` of the numbers of two words, ascending; `values` are of them.
    """

    words: tuple[str, ...]
    keys: NDArray[np.int64]
    values: NDArray[np.float32]
    numbers: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the words."""
        object.__setattr__(self, "numbers", {word: i for i, word in enumerate(self.words)})

    def matrix(self, words: Sequence[str]) -> NDArray[np.float32]:
        """PMI of every two tokens of a sentence, [token, token]; the root, token 0, has none."""
        found = np.array([-1, *(self.numbers.get(word, -1) for word in words)], np.int64)
        low, high = np.minimum.outer(found, found), np.maximum.outer(found, found)
        keys = np.where(low >= 0, low * len(self.words) + high, -1)
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        if not len(self.keys):
            return np.zeros(keys.shape, np.float32)
        return np.where(self.keys[places] == keys, self.values[places], np.float32(0.0))


def count_association(sentences: Iterable[Sequence[str]]) -> Association:
    """PMI by the windows of section 3.6.2: nearest words that are no stop words, and those between.

    The stop words are the most frequent ones.
    """
    text = numbered(sentences, MOST_WORDS, LEAST)
    contexts = count_contexts(text.blocks(), len(text.words), STOP_WORDS)
    values = pmi(contexts)
    once = contexts.word <= contexts.context  # both orders were counted
    keys = contexts.word[once] * contexts.contexts + contexts.context[once]
    return Association(text.words, keys, values[once].astype(np.float32))


Numbers = NDArray[np.int32]

SCALES = (0.1, 0.05, 0.0025)
"""PMI is counted in tens, distances in twenties: numbers are about as large as other features.

A scale changes nothing but how strongly the weight of a number is drawn to 0.
"""


@dataclass(frozen=True, eq=False)
class PairTable:
    """Pairs of words that have a weight.

    words: how many words can be of a pair. keys: `low · words + high` of each pair, ascending.
    """

    words: int
    keys: NDArray[np.int64]

    @property
    def low(self) -> NDArray[np.int64]:
        """The word with the smaller number, of each pair."""
        return self.keys // self.words

    @property
    def high(self) -> NDArray[np.int64]:
        """The other."""
        return self.keys % self.words

    @cached_property
    def map(self) -> PairMap:
        """Where pairs are found."""
        found: PairMap = map_pairs(self.low, self.high, self.words)
        return found


def triangle(matrix: NDArray[np.generic]) -> NDArray[np.generic]:
    """The entries [i, j] with i < j, by j and then by i: the order of links."""
    j, i = np.tril_indices(len(matrix), -1)
    return matrix[i, j]


def linked(
    sentences: Sequence[Numbers],
    heads: Sequence[NDArray[np.int64]],
    words: int,
    forms: Sequence[Sequence[str]],
    association: Association | None,
) -> tuple[Links, PairTable]:
    """All links of sentences (as numbers of words below `words`, root first), and their pairs.

    `forms` are the words as the association knows them.
    """
    sizes = np.array([len(one) for one in sentences], np.int64)
    keys = np.concatenate([pair_keys(one, words) for one in sentences])
    distinct, pair = np.unique(keys, return_inverse=True)
    numbers = np.empty(0, np.float32)
    if association is not None:
        numbers = np.concatenate([triangle(association.matrix(one)) for one in forms])
    links = Links(
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([[0], np.cumsum(sizes * (sizes - 1) // 2)]),
        np.concatenate(heads),
        pair.astype(np.int32),
        numbers.astype(np.float32),
    )
    return links, PairTable(words, distinct)


def pair_keys(numbers: Numbers, words: int) -> NDArray[np.int64]:
    """The keys of all links of a sentence, in the order of links."""
    wide = numbers.astype(np.int64)
    low, high = np.minimum.outer(wide, wide), np.maximum.outer(wide, wide)
    found: NDArray[np.int64] = triangle(low * words + high).astype(np.int64)
    return found


RANKS = 11
"""Of each word, itself and the ten most similar words are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Two pairs each, and how similar they are: the square root of the products of cosines."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    similarity: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.first)


NO_TIES = Ties(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))


def similar_ties(table: PairTable, lexicon: Lexicon, neighbours: int) -> Ties:
    """The ties of all pairs with one of their `neighbours` most similar ones.

    Similarity is the geometric mean of those of the words (6.6), either way round.
    """
    near, roots = lexicon.near, np.sqrt(lexicon.similarity)
    found, how = similar_pairs(table.low, table.high, table.map, near, roots, neighbours, RANKS)
    own, rank = np.nonzero(found != NONE)
    other = found[own, rank].astype(np.int64)
    keys = np.minimum(own, other) * len(table.keys) + np.maximum(own, other)
    distinct, at = np.unique(keys, return_index=True)
    return Ties(
        (distinct // len(table.keys)).astype(np.int32),
        (distinct % len(table.keys)).astype(np.int32),
        how[own, rank][at].astype(np.float64),
    )
