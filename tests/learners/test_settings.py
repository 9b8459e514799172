"""Settings that have no meaning are refused, from files and from Python alike."""

import pytest

from headwise.errors import UsageError
from headwise.learners.settings import CHOICES, TrainingSettings
from headwise.scoring.linear.tables import TableSizes


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


@pytest.mark.parametrize(
    "settings",
    [
        {"tables": TableSizes(wide=24), "bits": 32},
        {"tables": TableSizes(wide=24, narrow=27, parts=26), "order": 2},
        {"tables": TableSizes(labels=27, wide=24), "bits": 16},
    ],
)
def test_tables_that_no_model_could_hold_are_refused_before_training(settings):
    with pytest.raises(UsageError, match="tables: they take .* bytes, and a model may take"):
        TrainingSettings(**settings).check()


def test_tables_of_many_words_have_room():
    TrainingSettings(tables=TableSizes(wide=24, narrow=24, parts=25), order=4).check()
    TrainingSettings(order=3, bits=32).check()
