"""The length of weights, some of which are kept twice."""

import numpy as np
import pytest

from headwise.learners.arcmargin import ArcMargin
from headwise.learners.convex import Convex, squared_length
from headwise.learners.mira import Mira
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.scoring.linear.templates import FeatureSet

SIZES = TableSizes(wide=4, narrow=4, filters=4)


def tables(plain_twice: bool) -> WeightTables:
    shapes = WeightTables.shapes(SIZES, with_parts=False)
    weights = np.random.default_rng(0).normal(size=shapes[0]).astype(np.float32)
    lines = weights[: SIZES.narrow_start].reshape(-1, 16)
    if plain_twice:
        lines[:, 1] = lines[:, 0]
    return WeightTables(SIZES, weights, np.zeros(shapes[1], np.uint8))


def length(rows: list[str], found: WeightTables) -> float:
    return squared_length(ArcScorer(FeatureSet.parse(rows), found), found)


def test_a_weight_counts_once():
    found = tables(plain_twice=False)
    expected = float((found.weights.astype(np.float64) ** 2).sum())
    assert length(["distance h.tag m.tag"], found) == pytest.approx(expected)


def test_a_weight_of_a_plain_template_that_is_kept_twice_counts_once():
    found = tables(plain_twice=True)
    squares = found.weights.astype(np.float64) ** 2
    twice = squares[: SIZES.narrow_start].reshape(-1, 16)[:, 1].sum()
    assert length(["plain h.tag m.tag"], found) == pytest.approx(squares.sum() - twice)


def test_convex_learners_are_told_from_others():
    assert isinstance(ArcMargin(), Convex)
    assert not isinstance(Mira(), Convex)
