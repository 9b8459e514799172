"""Settings that have no meaning are refused, from files and from Python alike."""

import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.learners.settings import TrainingSettings
from headwise.learners.table import (
    LEARNERS,
    learner_class,
    names_of_settings,
)
from headwise.scoring.linear.tables import TableSizes
from headwise.scoring.linear.words import WordRules

CHOICES = (
    "order", "tags", "decoder", "crossing", "loss", "labels", "targets", "averaging", "bits",
    "kept_epoch", "features_of",
)  # fmt: skip


def test_the_defaults_have_meaning():
    TrainingSettings().check()


@pytest.mark.parametrize("name", CHOICES)
def test_what_is_chosen_by_name_is_checked(name):
    with pytest.raises(UsageError, match=f"^{name}: expected one of .*, not 'nothing'"):
        TrainingSettings(**{name: "nothing"}).check()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", 0),
        ("k", 0),
        ("seed", -1),
        ("members", 0),
        ("longest", 0),
        ("c", 0.0),
        ("rate", 0.0),
        ("decay", -1.0),
        ("beta", 0.0),
        ("lam", -1.0),
        ("alpha", -1.0),
        ("bits", 4),
    ],
)
def test_numbers_are_checked(name, value):
    owners = [one for one in LEARNERS if name in names_of_settings(learner_class(one))]
    for learner in owners or ["mira"]:
        with pytest.raises(UsageError, match=f"^{name}"):
            TrainingSettings(**{name: value}, learner=learner).check()


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


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("epochs", 2.5, "epochs: expected an integer, not 2.5 (a number)"),
        ("seed", None, "seed: expected an integer, not None (nothing)"),
        ("k", 5.0, "k: expected an integer, not 5.0 (a number)"),
        ("rate", float("inf"), "rate: expected a finite number, not inf"),
        ("augmented", "no", "augmented: expected true or false, not 'no' (a string)"),
        ("parts", "arc", "parts: expected a list, not 'arc' (a string)"),
        ("words", {"length": 3}, "words: expected a WordRules, not {'length': 3} (a table)"),
        (
            "words",
            WordRules(length=2.5),
            "words.length: expected an integer, not 2.5 (a number)",
        ),
        ("epochs", np.float64(2.5), "epochs: expected an integer, not 2.5 (a number)"),
    ],
)
def test_types_are_checked(name, value, message):
    with pytest.raises(UsageError) as error:
        TrainingSettings(**{name: value}).check()
    assert str(error.value) == message


def test_numbers_of_numpy_are_numbers():
    words = WordRules(length=np.int32(3))
    given = TrainingSettings(epochs=np.int64(3), k=np.int16(2), c=2, order=np.int8(2), words=words)
    given.check()
    assert [type(x) for x in (given.epochs, given.k, given.c, given.order, words.length)] == [
        int, int, float, int, int,
    ]  # fmt: skip
    assert (given.epochs, given.k, given.c, given.order) == (3, 2, 2.0, 2)
    assert given.words is words
