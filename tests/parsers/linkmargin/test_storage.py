"""Stored parsers of links come back, and damaged ones are refused."""

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import DEV, SIMILAR, fitted

from headwise.errors import ModelError
from headwise.parsers.linkmargin.parser import LinkMarginParser


def test_a_saved_parser_is_the_same(tmp_path):
    parser = fitted(dev=DEV, similarity=made_similarity(SIMILAR), neighbours=3, laplacian=1.0)
    parser.save(tmp_path / "m", about={"treebank": "toys"})
    again = LinkMarginParser.load(tmp_path / "m")
    assert again.predict(DEV) == parser.predict(DEV)
    words = DEV[0].forms
    assert np.array_equal(again.model_.scores(words), parser.model_.scores(words))
    assert again.report_ == parser.report_
    assert again.get_params() == parser.get_params()


def test_a_damaged_model_is_said_so(tmp_path):
    parser = fitted()
    parser.model_.table.keys[0] = parser.model_.table.keys[1]
    parser.save(tmp_path / "m")
    with pytest.raises(ModelError, match="array 'pairs' is out of order"):
        LinkMarginParser.load(tmp_path / "m")
