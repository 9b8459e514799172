import pytest

from headwise.errors import UsageError
from headwise.learners.neural.settings import (
    MAX_ARC_DIMENSIONS,
    MAX_UNITS,
    DropoutRates,
    NetworkSizes,
    NeuralSettings,
)
from headwise.scoring.neural.layers import LEVELS, MAX_INPUTS
from headwise.scoring.neural.network import EXACT


def test_small_treebanks_are_seen_more_often_in_smaller_batches():
    settings = NeuralSettings()
    assert settings.epochs_for(204_000) == 60
    assert settings.epochs_for(5_000) == 120
    assert 60 < settings.epochs_for(100_000) < 120
    assert settings.batch_for(204_000) == 2500
    assert settings.batch_for(5_000) == 500
    assert NeuralSettings(epochs=3, batch_words=700).epochs_for(10**9) == 3
    assert NeuralSettings(epochs=3, batch_words=700).batch_for(10**9) == 700


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (NeuralSettings(epochs=0), "epochs must be 1 or more"),
        (NeuralSettings(learning_rate=0.0), "learning_rate must be above 0"),
        (NeuralSettings(averaging=1.0), "averaging must be below 1"),
        (NeuralSettings(neighbours=-1.0), "neighbours must"),
        (NeuralSettings(loss="square"), "loss"),
        (NeuralSettings(sizes=NetworkSizes(units=0)), "units must be 1 or more"),
        (NeuralSettings(sizes=NetworkSizes(units=600)), "units must be 512 or less"),
        (NeuralSettings(sizes=NetworkSizes(arcs=300)), "arcs must be 256 or less"),
        (NeuralSettings(dropout=DropoutRates(layers=1.0)), "layers must be below 1"),
        (NeuralSettings(dropout=DropoutRates(tags=1.5)), "tags must be 1 or less"),
        (NeuralSettings(epochs=2.5), "epochs: expected"),
    ],
)
def test_settings_that_mean_nothing(settings, message):
    with pytest.raises(UsageError, match=message):
        settings.check()


def test_sums_of_whole_numbers_stay_exact_at_the_bounds():
    assert EXACT * LEVELS * MAX_ARC_DIMENSIONS < 1 << 24
    assert LEVELS * LEVELS * max(MAX_INPUTS, 2 * MAX_UNITS) < 1 << 24


def test_all_tags_may_be_hidden():
    NeuralSettings(dropout=DropoutRates(tags=1.0)).check()
