"""Settings of models are read in one way, which names what is wrong."""

from dataclasses import dataclass
from typing import Any

import pytest

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.storage.storedsettings import (
    check_factor,
    check_temperature,
    check_texts,
    stored_settings,
)


@dataclass(frozen=True)
class Stored:
    names: tuple[str, ...]
    scale: float
    report: dict[str, Any]

    def check(self) -> None:
        check_factor("scale", self.scale)


GOOD = {"names": ["a"], "scale": 2, "report": {"any": [None, {"thing": 1}]}}


def test_settings_come_as_they_are_described():
    found = stored_settings(Stored, GOOD, "model")
    assert found == Stored(("a",), 2.0, GOOD["report"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": "a"}, "names: expected a list"),
        ({"names": [["a"]]}, "names.0: expected a string"),
        ({"scale": "2"}, "scale: expected a number"),
        ({"scale": True}, "scale: expected a number"),
        ({"scale": 1e-320}, "scale must be from 1e-30 to 1e[+]06"),
        ({"scale": -1.0}, "scale must be from"),
        ({"scale": 2**63}, "scale: expected a number below 2⁶³"),
        ({"scale": float("inf")}, "scale: expected a finite number, not inf"),
        ({"report": []}, "report: expected a table"),
        ({"more": 1}, "more: unknown key"),
    ],
)
def test_anything_else_is_refused(change, message):
    with pytest.raises(ModelError, match=f"m: the settings of this model are damaged: .*{message}"):
        stored_settings(Stored, {**GOOD, **change}, "model", SourceLocation("m"))


def test_missing_settings_are_named():
    with pytest.raises(ModelError, match="'scale' is missing"):
        stored_settings(Stored, {"names": [], "report": {}}, "model")


@pytest.mark.parametrize("value", [0.0, -1.0, 1e-31, 1e7, float("nan"), float("inf")])
def test_factors_keep_scores_finite(value):
    with pytest.raises(UsageError, match="scale must be from"):
        check_factor("scale", value)


@pytest.mark.parametrize("value", [0.0, -1.0, 1e-4, 1e4, float("nan")])
def test_temperatures_are_such_as_training_fits(value):
    with pytest.raises(UsageError, match="temperature must be from 0.001 to 1000"):
        check_temperature("temperature", value)


@pytest.mark.parametrize("text", ["a\tb", "a\n", "\r", "\ud800", ""])
def test_texts_fit_a_column(text):
    check_texts("tags", ["NOUN", "with a space", "_", "\u2028"])
    with pytest.raises(UsageError, match="tags: .* cannot be written into a CoNLL-U column"):
        check_texts("tags", ["NOUN", text])


def test_parts_of_texts_may_be_empty():
    check_texts("rules", ["", "s"], may_be_empty=True)
    with pytest.raises(UsageError):
        check_texts("rules", ["", "\n"], may_be_empty=True)
