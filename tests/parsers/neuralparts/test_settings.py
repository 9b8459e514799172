import pytest

from headwise.errors import HeadwiseError
from headwise.parsers.neuralparts.settings import NeuralPartsSettings
from headwise.search.parts import Part


def test_an_order_or_a_list_says_which_parts_are_scored():
    assert Part.GRAND_SIBLING in NeuralPartsSettings().scored_parts
    assert set(NeuralPartsSettings(order=2).scored_parts) == {Part.ARC, Part.SIBLING, Part.STOP}
    chosen = NeuralPartsSettings(parts=("grandchild",))
    assert set(chosen.scored_parts) == {Part.ARC, Part.GRANDCHILD}
    chosen.check()


@pytest.mark.parametrize(
    "wrong",
    [
        {"order": 1},
        {"parts": ("arc",)},
        {"parts": ("uncle",)},
        {"own_tags": 1.5},
        {"factor": 0.0},
        {"folds": 1},
        {"folds": -2},
        {"c": 0.0},
        {"share": 1.0},
        {"max_heads": 0},
        {"size": 60},
        {"epochs": 0},
    ],
)
def test_settings_without_meaning_are_refused(wrong):
    with pytest.raises(HeadwiseError):
        NeuralPartsSettings(**wrong).check()


def test_the_common_training_loop_gets_them():
    own = NeuralPartsSettings(order=2, c=0.5, epochs=7, seed=3, size=9)
    training = own.training(projective=False, single_root=True)
    assert training.scored_parts == own.scored_parts
    assert (training.c, training.epochs, training.seed, training.tables.parts) == (0.5, 7, 3, 9)
    assert (training.decoder, training.single_root) == ("non-projective", True)
