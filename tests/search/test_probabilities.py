import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import NOWHERE, FormatError, UsageError
from headwise.search.probabilities import (
    LARGEST_SCORE,
    candidate_probabilities,
    check_score,
    tune_scale,
)

SCORES = st.lists(st.floats(-1000, 1000), min_size=1, max_size=20)


@given(SCORES, st.floats(0, 10), st.floats(-1e4, 1e4))
def test_probabilities_are_normalised_and_no_constant_matters(scores, scale, constant):
    found = candidate_probabilities(scores, scale)
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()
    shifted = candidate_probabilities(np.array(scores) + constant, scale)
    assert shifted == pytest.approx(found, abs=1e-6)


def test_scale():
    assert candidate_probabilities([1.0, 2.0], 0.0).tolist() == [0.5, 0.5]
    ratio = candidate_probabilities([1.0, 2.0], 3.0)
    assert ratio[1] / ratio[0] == pytest.approx(np.exp(3.0))


@pytest.mark.parametrize("scores", [[], [np.nan], [-np.inf, 0.0], [[1.0]]])
def test_bad_scores(scores):
    with pytest.raises(UsageError):
        candidate_probabilities(scores)
    with pytest.raises(UsageError):
        candidate_probabilities([0.0], -1.0)


def test_accepted_scores_have_finite_differences_at_any_scale():
    for scale in (0.0, 1e3):
        found = candidate_probabilities([LARGEST_SCORE, -LARGEST_SCORE], scale)
        assert found.sum() == pytest.approx(1.0)
    check_score(-LARGEST_SCORE, NOWHERE)
    for score in (np.nan, np.inf, -np.inf, 1e308, -1e13):
        with pytest.raises(FormatError, match="the score is"):
            check_score(score, NOWHERE)


def test_the_scale_is_tuned():
    found = tune_scale(lambda scale: -((scale - 1.5) ** 2), [0.5, 1.0, 2.0])
    assert found.scale == 1.0  # of equals the smallest
    assert found.gain == -0.25
    with pytest.raises(UsageError):
        tune_scale(lambda scale: scale, [])
