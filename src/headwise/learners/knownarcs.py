"""Which kinds of arcs are known: those of gold trees, if new texts will have few others."""

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


def note_known_arcs(encoded: EncodedSentences, heads: HeadsArray, tables: WeightTables) -> None:
    """Note the kinds of arcs that gold trees have: OUT tables."""
    note_gold(encoded.tokens, encoded.starts, heads, tables.for_kernels)
    for row, tags in (
        (FINE_KINDS, encoded.tokens.tags),
        (COARSE_KINDS, encoded.tokens.atoms[COARSE]),
    ):
        if share_of_new(tags, encoded.starts, heads) > MOST_NEW:
            tables.filters[row] = ALL


def share_of_new(tags: NDArray[np.uint64], starts: NDArray[np.int64], heads: HeadsArray) -> float:
    """The share of right arcs whose kind no gold tree has, to be expected in a new text.

    It is about the share of those in gold trees whose kind stands there once (Good 1953).
    """
    first = np.repeat(starts[:-1], np.diff(starts))
    modifier = np.flatnonzero(heads >= 0)
    head = first[modifier] + heads[modifier]
    distance = np.digitize(np.abs(modifier - head), CLASS_ENDS).astype(np.uint64)
    place = distance * np.uint64(2) + (modifier > head)
    kind = (tags[head] * BETWEEN ^ tags[modifier]) * MULTIPLIER + place * BETWEEN
    _, counts = np.unique(kind, return_counts=True)
    return float(np.count_nonzero(counts == 1)) / max(1, len(kind))
