"""The number of distinct features of gold trees, as papers report it.

Hashed tables do not record it, so the features' hashes are counted by the share of bits that they
set in a large bitmap (linear counting, Whang et al. 1990), accurate to 0.1 %.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import MIRRORED, ArcList, arc_entries
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.tables import FILTERS, TableSizes, WeightTables
from headwise.scoring.linear.templates import FeatureSet

BITS = 24
"""The bitmap has 2^24 entries, 16 MB: enough for a hundred million features."""

WIDEST = TableSizes(wide=40, narrow=40, filters=4)
"""Sizes at which features hardly collide. Such tables are never made: only slots are computed."""


def count_features(
    features: FeatureSet, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]
) -> int:
    """The approximate number of distinct features of the arcs of gold trees."""
    field = np.zeros(1 << BITS, np.bool_)
    templates = features.compiled()
    everything = np.full((FILTERS, 2), 255, np.uint8)
    tables = WeightTables(WIDEST, np.empty(0, np.float32), everything).for_kernels
    for number, heads in enumerate(golds):
        words = 1 + np.flatnonzero(heads[1:] >= 0)
        arcs = ArcList(np.zeros_like(words), heads[words], words, np.ones(len(words)))
        _, slots, _ = arc_entries(templates, encoded.sentence(number), tables, arcs)
        mixed = (slots & ~MIRRORED).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        field[mixed >> np.uint64(64 - BITS)] = True
    share = 1.0 - np.count_nonzero(field) / len(field)
    return round(-len(field) * math.log(share)) if share > 0 else len(field)
