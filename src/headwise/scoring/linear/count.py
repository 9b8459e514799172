"""How many distinct features gold trees have: what papers report of a feature set.

Hashed tables do not know it, so the features' hashes are counted, by the share of bits that they
set in a large field (linear counting, Whang et al. 1990): right to within a per mille.
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
"""The field has 2^24 entries, 16 MB: good for a hundred million features."""

WIDEST = TableSizes(wide=40, narrow=40, filters=4)
"""Tables in which hardly two features meet. They are never made: only their places count."""


def count_features(
    features: FeatureSet, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]
) -> int:
    """About how many distinct features the arcs of gold trees have."""
    field = np.zeros(1 << BITS, np.bool_)
    templates = features.compiled()
    everything = np.full((FILTERS, 2), 255, np.uint8)
    tables = WeightTables(WIDEST, np.empty(0, np.float32), everything).for_kernels
    for number, heads in enumerate(golds):
        words = np.arange(1, len(heads))
        arcs = ArcList(np.zeros_like(words), heads[1:], words, np.ones(len(words)))
        _, places, _ = arc_entries(templates, encoded.sentence(number), tables, arcs)
        mixed = (places & ~MIRRORED).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        field[mixed >> np.uint64(64 - BITS)] = True
    share = 1.0 - np.count_nonzero(field) / len(field)
    return round(-len(field) * math.log(share)) if share > 0 else len(field)
