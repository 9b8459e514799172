"""The share of the simpler model."""

import numpy as np
import pytest

from headwise.review.opinions import Opinion, background_share


def opinion(chance: float, background: float) -> Opinion:
    return Opinion(0, 1, "upos", "X", chance, background, "Y", 0.5, 0.1)


def likelihood(opinions: list[Opinion], share: float) -> float:
    return sum(np.log((1 - share) * one.chance + share * one.background) for one in opinions)


def test_the_share_makes_the_values_likeliest():
    rng = np.random.default_rng(0)
    chances = rng.random(200) * (rng.random(200) > 0.1)  # a tenth of them was left out
    opinions = [opinion(chance, 0.05) for chance in chances]
    best = max(np.linspace(0.001, 0.999, 999), key=lambda share: likelihood(opinions, share))
    assert background_share(opinions) == pytest.approx(best, abs=2e-3)


def test_where_nothing_is_left_out_there_is_no_share():
    assert background_share([opinion(0.9, 0.1)] * 50) == pytest.approx(0.0, abs=1e-6)
    assert background_share([]) == 0.0
    assert background_share([opinion(0.0, 0.0)]) == 0.1
