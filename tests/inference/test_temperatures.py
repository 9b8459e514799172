"""Temperatures: checked, stored, and read from models of before."""

import numpy as np
import pytest

from headwise.errors import ModelError
from headwise.inference.temperatures import (
    ModelTemperatures,
    Temperatures,
    reported,
    tempered,
    with_temperatures,
)
from headwise.storage.settings import to_mapping
from headwise.storage.storedsettings import stored_settings

FITTED = Temperatures(heads=2.0, relations=0.5, tags=1.5, trees=1.0)


def test_there_and_back():
    assert stored_settings(Temperatures, to_mapping(FITTED), "parser") == FITTED


@pytest.mark.parametrize("name", ["heads", "relations", "tags", "trees"])
@pytest.mark.parametrize("value", [0.0, -1.0, 1e-30, 1e9, float("inf"), "1", None, True, [1.0]])
def test_what_is_no_temperature_is_refused(name, value):
    with pytest.raises(ModelError, match=name):
        stored_settings(Temperatures, {**to_mapping(FITTED), name: value}, "parser")


def test_models_of_before_have_trees_at_the_temperature_of_heads():
    former = {"temperature": 2.0, "label_temperature": 0.5, "scale": 1.0}
    found = with_temperatures(former)
    assert found["scale"] == 1.0
    assert set(found) == {"scale", "temperatures"}
    read = stored_settings(Temperatures, found["temperatures"], "parser")
    assert read == Temperatures(heads=2.0, relations=0.5, trees=2.0)


def test_models_of_before_have_other_temperatures_from_their_base():
    base = {"temperature": 3.0, "label_temperature": 0.5, "tag_temperature": 1.5}
    found = with_temperatures({"temperature": 2.0, "base": base}, base)
    read = stored_settings(Temperatures, found["temperatures"], "parser")
    assert read == Temperatures(heads=2.0, relations=0.5, tags=1.5, trees=2.0)


def test_models_of_today_are_as_they_are():
    settings = {"temperatures": to_mapping(FITTED), "temperature": 1.0}  # which is then unknown
    assert with_temperatures(settings) == settings
    assert with_temperatures({"scale": 1.0}) == {"scale": 1.0}


@pytest.mark.parametrize("base", [None, 3, {}, {"temperatures": 7}, {"temperatures": {"x": 1}}])
def test_odd_bases_are_left_to_the_checks(base):
    assert "temperatures" in with_temperatures({"temperature": 2.0}, base)


def test_distributions_at_a_temperature():
    scores = np.random.default_rng(1).normal(size=(4, 6))

    def softmax(temperature):
        shares = np.exp(scores / temperature)
        return shares / shares.sum(axis=1, keepdims=True)

    for temperature in (0.3, 1.0, 4.0):
        assert tempered(softmax(1.0), temperature) == pytest.approx(softmax(temperature))
    assert tempered(np.array([[1.0, 0.0]]), 2.0) == pytest.approx(np.array([[1.0, 0.0]]))


RISING = ((0.2, 0.1), (0.6, 0.7), (0.9, 0.8))


def test_probabilities_are_reported_by_their_curve():
    chances = np.linspace(0.0, 1.0, 101)
    found = reported(chances, RISING)
    assert (np.diff(found) > 0).all()
    assert ((found > 0) & (found < 1)).all()
    for chance, right in RISING:
        assert reported(np.array([chance]), RISING) == pytest.approx([right])
    odds = 0.99 / 0.01 * (0.8 / 0.2) / (0.9 / 0.1)
    assert reported(np.array([0.99]), RISING) == pytest.approx([odds / (1 + odds)])
    assert reported(chances, ()) is chances


@pytest.mark.parametrize(
    "curve",
    [[[0.5, 0.0]], [[1.0, 0.5]], [[0.6, 0.5], [0.5, 0.6]], [[0.5, 0.6], [0.6, 0.5]], [[0.5]],
     [[0.5, float("nan")]], [["0.5", 0.5]], 3, [[0.5, 0.5, 0.5]], [[-0.5, 0.5]],
     [[0.001 * n, 0.001 * n] for n in range(1, 200)]],
)  # fmt: skip
def test_what_is_no_curve_is_refused(curve):
    with pytest.raises(ModelError, match="head_curve"):
        stored_settings(Temperatures, {"head_curve": curve}, "parser")


def test_curves_and_temperatures_of_given_tags_there_and_back():
    given = Temperatures(trees=3.0, tree_curve=RISING)
    found = ModelTemperatures(heads=2.0, head_curve=RISING, given_tags=given)
    assert stored_settings(ModelTemperatures, to_mapping(found), "parser") == found
    with pytest.raises(ModelError, match="heads"):
        stored_settings(ModelTemperatures, {"given_tags": {"heads": 0.0}}, "parser")
    with pytest.raises(ModelError, match="given_tags"):
        stored_settings(ModelTemperatures, {"given_tags": {"given_tags": None}}, "parser")
