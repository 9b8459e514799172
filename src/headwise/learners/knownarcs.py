"""Which kinds of arcs are known: those of gold trees, if new texts will have few others."""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from headwise.decoders.base import HeadsArray
from headwise.features.atoms import EncodedSentences
from headwise.features.tables import WeightTables
from headwise.kernels.arc_features import BETWEEN, COARSE, COARSE_KINDS, FINE_KINDS, MULTIPLIER
from headwise.kernels.arc_rows import note_gold

MOST_NEW = 0.01
"""The share of right arcs that may be of a kind that was not seen.

With XPOS of hundreds of values, as in Latin or Czech, it would be a quarter and more, and words of
such arcs could not be told apart. There only coarse tags decide what is known; in the tiniest
treebanks everything is.
"""

CLASS_ENDS = (4, 11)
"""Distances are of three classes: below the first of these, below the second, and others."""

ALL = 255

Ints = NDArray[np.int64]


def note_known_arcs(
    encoded: EncodedSentences, heads: HeadsArray, tables: WeightTables, share: float = 1.0
) -> None:
    """Note the kinds of arcs that gold trees have: OUT tables.

    By fine tags only the most frequent ones may be noted, that hold such a share of all arcs.
    """
    tokens, starts, shift = encoded.tokens, encoded.starts, tables.for_kernels.filter_shift
    for row, tags, own_share in (
        (FINE_KINDS, tokens.tags, share),
        (COARSE_KINDS, tokens.atoms[COARSE], 1.0),
    ):
        counts = counts_of_kinds(tags, starts, heads)
        if share_of_new(counts) > MOST_NEW:
            tables.filters[row] = ALL
        else:
            frequent = np.where(counts >= least_count(counts, own_share), heads, -1)
            note_gold(tags, starts, frequent, tables.filters[row], shift)


def counts_of_kinds(tags: NDArray[np.uint64], starts: Ints, heads: HeadsArray) -> Ints:
    """For every token, how many gold arcs are of the kind of its own; 0 if it has none."""
    first = np.repeat(starts[:-1], np.diff(starts))
    modifier = np.flatnonzero(heads >= 0)
    head = first[modifier] + heads[modifier]
    distance = np.digitize(np.abs(modifier - head), CLASS_ENDS).astype(np.uint64)
    place = distance * np.uint64(2) + (modifier > head)
    kind = (tags[head] * BETWEEN ^ tags[modifier]) * MULTIPLIER + place * BETWEEN
    _, which, counts = np.unique(kind, return_inverse=True, return_counts=True)
    found = np.zeros(len(heads), np.int64)
    found[modifier] = counts[which]
    return found


def share_of_new(counts: Ints) -> float:
    """The share of right arcs whose kind no gold tree has, to be expected in a new text.

    It is about the share of those in gold trees whose kind stands there once (Good 1953).
    """
    return float(np.sum(counts == 1)) / max(1, int(np.sum(counts > 0)))


def least_count(counts: Ints, share: float) -> int:
    """How often a kind must stand there, so that those that do hold a share of all arcs."""
    falling = np.sort(counts[counts > 0])[::-1]
    return int(falling[max(0, ceil(share * len(falling)) - 1)]) if len(falling) else 1
