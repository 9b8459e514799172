"""Templates of the labeller."""

import pytest

from headwise.errors import FormatError
from headwise.kernels.labels import features as label_features
from headwise.scoring.linear.atoms import ATOMS
from headwise.scoring.linear.labeltemplates import (
    ARC_TEMPLATES,
    TREE_VIEWS,
    VIEWS,
    compiled_templates,
)


def test_views_are_those_of_kernels():
    assert [ATOMS[label_features.UPOS], ATOMS[label_features.LEMMA]] == ["upos", "lemma"]
    assert VIEWS[label_features.TWINS] == "twins"
    assert VIEWS[label_features.COORDINATION] == "coordination"
    assert VIEWS[label_features.BEFORE2_UPOS] == "before2.upos"
    for row in ARC_TEMPLATES:  # an arc has no tree yet
        assert not set(row.split()) & {*TREE_VIEWS, "g.lemma", "g.upos", "g.tag", "g.side"}


@pytest.mark.parametrize("row", ["", "m.tag nothing", "side side side side side side side"])
def test_templates_are_checked(row):
    with pytest.raises(FormatError):
        compiled_templates([row])
