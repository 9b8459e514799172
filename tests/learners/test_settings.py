"""Settings that have no meaning are refused, from files and from Python alike."""

import pytest

from headwise.errors import UsageError
from headwise.learners.settings import CHOICES, TrainingSettings


def test_the_defaults_have_meaning():
    TrainingSettings().check()


@pytest.mark.parametrize("name", CHOICES)
def test_what_is_chosen_by_name_is_checked(name):
    with pytest.raises(UsageError, match=f"{name}: 'nothing' is none of"):
        TrainingSettings(**{name: "nothing"}).check()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", 0),
        ("k", 0),
        ("seed", -1),
        ("members", 0),
        ("longest", 0),
        ("most", 0.0),
        ("rate", float("nan")),
        ("decay", -1.0),
        ("bits", 4),
    ],
)
def test_numbers_are_checked(name, value):
    with pytest.raises(UsageError, match=name):
        TrainingSettings(**{name: value}).check()
