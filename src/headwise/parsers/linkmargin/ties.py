"""Ties between similar pairs of words: the Laplacian of their similarities (6.6, 6.7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.solvers.pairties import NONE, similar_pairs
from headwise.parsers.lexical.lexicon import Lexicon
from headwise.parsers.linkmargin.links import PairTable

RANKS = 11
"""Of each word, itself and the ten most similar words are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Two pairs each, and how similar they are: the square root of the products of cosines."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    similarity: NDArray[np.float64]

    def __len__(self) -> int:
        """The number of ties."""
        return len(self.first)


NO_TIES = Ties(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))


def similar_ties(table: PairTable, lexicon: Lexicon, most: int) -> Ties:
    """The ties of all pairs: of the `most` similar ones of each, either of which names the other.

    Similarity is the geometric mean of those of the words (6.6), either way round.
    """
    near, roots = lexicon.near, np.sqrt(lexicon.similarity)
    found, how = similar_pairs(table.low, table.high, table.map, near, roots, most, RANKS)
    own, rank = np.nonzero(found != NONE)
    other = found[own, rank].astype(np.int64)
    keys = np.minimum(own, other) * len(table.keys) + np.maximum(own, other)
    distinct, at = np.unique(keys, return_index=True)
    return Ties(
        (distinct // len(table.keys)).astype(np.int32),
        (distinct % len(table.keys)).astype(np.int32),
        how[own, rank][at].astype(np.float64),
    )
