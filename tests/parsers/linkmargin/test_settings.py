"""Settings of parsers of links."""

import math

import pytest
from lexicaltoys import made_similarity
from margintoys import SIMILAR, fitted

from headwise.errors import UsageError


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"neighbours": 5}, "give a similarity model"),
        ({"laplacian": 1.0}, "give a similarity model"),
        ({"features": ("pmi",)}, "pairs must be among"),
        ({"features": ("pairs", "tags")}, "not 'tags'"),
        ({"loss": "heads"}, "not 'heads'"),
        ({"beta": 0.0}, "beta must be above 0"),
        ({"betas": (1.0, -1.0)}, "beta must be above 0"),
        ({"folds": 1}, "folds must be 2"),
        ({"laplacian": math.nan}, "laplacian: expected a finite number"),
        ({"tolerance": 0.0}, "tolerance must be"),
    ],
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        fitted(**settings)
    with pytest.raises(UsageError, match="no similar words"):
        fitted(similarity=made_similarity(SIMILAR))
