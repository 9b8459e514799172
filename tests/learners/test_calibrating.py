"""How far probabilities can be trusted, on development data."""

import pytest

from headwise.parsers.graph.parser import DependencyParser
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(40, 1), toy_treebank(15, 2)


@pytest.mark.parametrize("labels", ["none", "second-stage"])
def test_every_word_and_tree_of_dev_is_counted(labels):
    settings = {"epochs": 1, "features": "paper-000", "labels": labels}
    parser = DependencyParser(tables=SMALL, **settings).fit(TRAIN, DEV)
    found = parser.report_["calibration"]
    assert set(found) == {"heads", "trees"} | ({"labels"} if labels != "none" else set())
    for name, count in (("heads", sum(map(len, DEV))), ("trees", len(DEV))):
        curve = found[name]["curve"]
        assert sum(counted for counted, _, _ in curve) == count
        assert all(0 <= chance <= 1 and 0 <= right <= 1 for _, chance, right in curve)
        assert 0 <= found[name]["error"] <= 1
