"""Feature sets of arcs by name."""

import numpy as np
import pytest

from headwise.errors import FormatError
from headwise.learners.settings import TrainingSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.arcsets import FEATURE_SETS
from headwise.scoring.linear.templates import FeatureSet


def test_sets_have_no_template_twice():
    with pytest.raises(FormatError, match="duplicate template"):
        FeatureSet.parse(["plain h.tag", "plain  h.tag # again"])
    with pytest.raises(FormatError, match="no template"):
        FeatureSet.parse(["# nothing"])


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_named_sets(name):
    found = FeatureSet.load(name)
    compiled = found.compiled()
    assert compiled.bounds[0] == 0
    assert compiled.bounds[-1] == len(found.templates) == len(compiled.seed)
    assert (np.diff(compiled.bounds) >= 0).all()
    assert len(set(compiled.seed.tolist())) == len(found.templates)


def test_higher_orders_have_a_default_of_their_own():
    default, higher = (
        {str(one) for one in FeatureSet.load(name).templates}
        for name in ("default", "higher-order")
    )
    assert higher < default
    assert len(default - higher) == 4
    assert TrainingSettings().arc_features == "default"
    assert TrainingSettings(order=2).arc_features == "higher-order"
    assert TrainingSettings(parts=("arc", "sibling")).arc_features == "higher-order"
    assert TrainingSettings(parts=("arc",)).arc_features == "default"
    assert TrainingSettings(order=3, features="paper-000").arc_features == "paper-000"
    spec = DependencyParser(order=2).feature_spec(guided=False)
    assert {str(one) for one in spec.arcs.templates} == higher


def test_paper_000_is_whole():
    rows = {str(template) for template in FeatureSet.load("paper-000").templates}
    assert "plain h.word h.tag m.word m.tag" in rows
    assert "plain h-1.tag h.tag m.tag m+1.tag" in rows
    assert "plain h.tag b.tag m.tag" in rows
    # Every template with words comes again with prefixes.
    assert {row.replace("word", "backoff") for row in rows if "word" in row} <= rows
