"""The number of distinct features against a set of them."""

import numpy as np
import pytest

from headwise.kernels.arcs.entries import MIRRORED, ArcList, arc_entries
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.count import WIDEST, count_features
from headwise.scoring.linear.tables import WeightTables
from headwise.scoring.linear.templates import FILTERED, FeatureSet
from toytreebank import toy_treebank


@pytest.mark.parametrize("name", ["paper-000", "default"])
def test_the_count_is_that_of_a_set(name):
    sentences = toy_treebank(60, 7)
    features = FeatureSet.load(name)
    encoded = AtomEncoder().encode(sentences)
    golds = [np.array([-1, *sentence.heads]) for sentence in sentences]
    filters = np.full((len(FILTERED), 2), 255, np.uint8)
    tables = WeightTables(WIDEST, np.empty(0, np.float32), filters).for_kernels
    exact: set[int] = set()
    for number, gold in enumerate(golds):
        for m in range(1, len(gold)):
            arc = ArcList(*(np.array([v]) for v in (0, gold[m], m)), np.ones(1))
            _, places, _ = arc_entries(features.compiled(), encoded.sentence(number), tables, arc)
            exact.update((places & ~MIRRORED).tolist())
    assert count_features(features, encoded, golds) == pytest.approx(len(exact), rel=0.003)
    again = count_features(features, AtomEncoder().encode(sentences * 2), golds * 2)
    assert again == count_features(features, encoded, golds)
