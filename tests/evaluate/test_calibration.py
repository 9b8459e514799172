"""Reliability curves and the expected calibration error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import UsageError
from headwise.evaluate.calibration import calibration


def test_a_curve_by_hand():
    found = calibration([0.95, 0.95, 1.0, 0.15, 0.0], [True, False, True, False, False])
    assert [one.count for one in found.curve] == [1, 1, 3]
    assert found.curve[2].probability == pytest.approx(2.9 / 3)
    assert found.curve[2].right == pytest.approx(2 / 3)
    assert found.error == pytest.approx((0.0 + 0.15 + 0.9) / 5)
    assert found.to_json()["curve"][0] == [1, 0.0, 0.0]


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=50), st.integers(1, 20))
def test_bins_hold_all_answers(answers, bins):
    chances, right = [p for p, _ in answers], [r for _, r in answers]
    found = calibration(chances, right, bins)
    assert sum(one.count for one in found.curve) == len(answers)
    assert 0 <= found.error <= 1
    if answers:
        assert found.error >= abs(np.mean(chances) - np.mean(right)) - 1e-9


def test_honest_probabilities_have_little_error():
    rng = np.random.default_rng(0)
    chances = rng.random(20_000)
    assert calibration(chances, rng.random(20_000) < chances).error < 0.02
    assert calibration(chances**0.3, rng.random(20_000) < chances).error > 0.2


@pytest.mark.parametrize(
    ("chances", "right", "bins"), [([0.5], [], 10), ([1.5], [True], 10), ([0.5], [True], 0)]
)
def test_what_is_refused(chances, right, bins):
    with pytest.raises(UsageError):
        calibration(chances, right, bins)
