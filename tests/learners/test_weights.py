"""The lazy average against the mean of all weights; their length, though some are kept twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.errors import UsageError
from headwise.kernels.arcs.entries import MIRRORED
from headwise.learners.weights import LearnedWeights, squared_length
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.scoring.linear.templates import FeatureSet

SIZES = TableSizes(wide=4, narrow=4, filters=4)

steps = st.lists(
    st.lists(st.tuples(st.integers(0, 100), st.booleans(), st.integers(-3, 3)), max_size=4),
    min_size=1,
    max_size=12,
)


@settings(max_examples=30)
@given(steps, st.booleans())
def test_the_average_is_the_mean_of_the_weights_after_every_step(changes, late):
    weights = LearnedWeights.empty(SIZES, late=late)
    after = []
    for step in changes:
        for place, mirrored, value in step:
            at = np.int64(place) | (MIRRORED if mirrored else np.int64(0))
            weights.add(np.array([at]), np.array([float(value)]))
        weights.end_step()
        after.append(weights.tables.weights.copy())
    counts = np.arange(1, len(after) + 1) ** (2 if late else 0)
    mean = np.average(after, axis=0, weights=counts)
    np.testing.assert_allclose(weights.averaged().weights, mean, atol=1e-5)


def test_before_the_first_step_the_average_is_zero():
    assert not LearnedWeights.empty(SIZES).averaged().weights.any()


def test_an_average_has_filters_of_its_own():
    weights = LearnedWeights.empty(SIZES)
    average = weights.averaged()
    weights.tables.filters[:] = 1
    assert not average.filters.any()


@pytest.mark.parametrize(
    ("slots", "values"),
    [
        ([2**40], [1.0]),  # beyond the table, where a kernel would write
        ([-5], [1.0]),
        ([1, 2, 3], [1.0]),
        ([1.5], [1.0]),
        ([1], [float("nan")]),
        ([1], [1e300]),
    ],
)
def test_a_step_that_would_spoil_the_table_is_refused(slots, values):
    weights = LearnedWeights.empty(SIZES)
    with pytest.raises(UsageError):
        weights.add(np.array(slots), np.array(values))
    assert not weights.tables.weights.any()


def test_a_step_may_be_empty_or_come_as_lists():
    weights = LearnedWeights.empty(SIZES)
    weights.add(np.empty(0, np.int64), np.empty(0))
    weights.add([1, 2], [0.5, 1.0])
    assert weights.tables.weights[1:3].tolist() == [0.5, 1.0]


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


@pytest.mark.parametrize(("steps", "value"), [(2**62, 1.0), (3, float("nan")), (3, 1e31)])
def test_an_average_that_scores_cannot_hold_is_refused(steps, value):
    """As of a checkpoint that someone has altered: search over NaN finds no heads."""
    weights = LearnedWeights.empty(SIZES, late=True)
    weights.tables.weights[5], weights.steps = value, steps
    weights.add(np.array([5]), np.array([1.0]))
    with pytest.raises(UsageError, match="is NaN or beyond"):
        weights.averaged()
