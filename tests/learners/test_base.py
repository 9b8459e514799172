"""What every learner has, whether it says so or not."""

from dataclasses import dataclass

import numpy as np
import pytest
from examples import example_of, random_weights, some_data

from headwise.learners.base import Learner
from headwise.learners.table import LEARNERS, learner_class


@dataclass
class Plain(Learner):
    """Learns nothing.

    step: how far it would go.
    """

    step: float = 0.5


def test_a_learner_says_its_name_and_settings():
    assert Plain(step=2.0).described() == {"name": "Plain", "step": 2.0}


def test_a_learner_without_memory_starts_as_itself_and_restores_nothing():
    learner = Plain()
    assert learner.start(None, None) is learner
    assert learner.state() == {}
    assert learner.variables(None) == 0
    assert learner.solution(None, None, None) is None
    assert learner.tree_loss() == "heads"
    assert learner.joint() is None
    assert not learner.needs_several_trees


def test_what_a_learner_lacks_is_said_with_its_name():
    with pytest.raises(NotImplementedError, match="Plain has no method learn"):
        Plain().learn(None, None)
    with pytest.raises(NotImplementedError, match="Plain learns from trees only"):
        Plain().learn_unlabelled(None, None, 0, None)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_of_the_table_is_one(name):
    learner = learner_class(name)()
    assert isinstance(learner, Learner)
    learner.check()


@pytest.mark.parametrize("loss", ["heads", "complete"])
def test_what_a_tree_costs(loss):
    data = some_data(3, loss=loss)
    example = example_of(data, 1, random_weights(1))
    wrong = example.gold.copy()
    assert example.cost(wrong) == 0.0
    words = [m for m in range(1, len(wrong)) if wrong[m] != 0][:2]
    wrong[words] = 0
    assert example.cost(wrong) == (2.0 if loss == "heads" else 1.0)


def test_a_tree_differs_from_itself_in_nothing():
    example = example_of(some_data(3), 0, random_weights(2))
    other = np.array([-1, *[0] * (len(example.gold) - 1)])
    rows = example.differences(np.stack([example.gold, other]))
    assert rows.start[1] == 0
    assert rows.start[2] > 0
