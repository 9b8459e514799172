"""Learners by name, and their settings."""

from typing import get_type_hints

import pytest

from headwise.errors import UsageError
from headwise.learners.mira import Mira
from headwise.learners.settings import TrainingSettings
from headwise.learners.table import (
    LEARNERS,
    OWN_NAMES,
    LearnerSettings,
    learner_class,
    names_of_settings,
)


@pytest.mark.parametrize("learner", LEARNERS)
def test_settings_of_learners_have_flat_names(learner):
    """The flat names are those of the learners, with the same types, and no others."""
    flat, own = get_type_hints(LearnerSettings), get_type_hints(learner_class(learner))
    for name in names_of_settings(learner_class(learner)):
        assert flat[name] == own[name] | None
    owned = {name for one in LEARNERS for name in names_of_settings(learner_class(one))}
    assert owned == OWN_NAMES


def test_a_setting_of_another_learner_is_refused_with_the_name_of_its_own():
    with pytest.raises(UsageError, match="^perceptron has no augmented, which is of learner mira$"):
        TrainingSettings(learner="perceptron", augmented=True).check()
    with pytest.raises(UsageError, match="^mira has no rate, .* log-linear$"):
        TrainingSettings(rate=0.5).check()
    with pytest.raises(UsageError, match="^there is no learner 'guess'; there are mira, "):
        TrainingSettings(learner="guess").check()


def test_a_learner_may_be_an_object_with_its_settings():
    given = TrainingSettings(learner=Mira(k=3))
    given.check()
    assert given.chosen_learner().k == 3
    assert given.complete()["learner"] == {
        "name": "Mira", "k": 3, "loss": "heads", "augmented": True, "c": 1.0,
    }  # fmt: skip
    with pytest.raises(UsageError, match="^k: the learner is given with its settings"):
        TrainingSettings(learner=Mira(), k=3).check()
    with pytest.raises(UsageError, match="^learner.k: expected an integer, not 2.5"):
        TrainingSettings(learner=Mira(k=2.5)).check()
    with pytest.raises(UsageError, match="^k must be 1 or more"):
        TrainingSettings(learner=Mira(k=0)).check()
