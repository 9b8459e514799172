"""Settings in the `config.json` of models: the one way in which every kind of model reads them.

A kind of model declares its settings as a dataclass; `stored_settings` returns an instance, or an
error that names the key. Settings that are missing, unknown, of the wrong type, infinite or
absurdly large are thus rejected before use.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from headwise.errors import FormatError, ModelError, SourceLocation, UsageError
from headwise.storage.settings import from_mapping

T = TypeVar("T")

SMALLEST_FACTOR, LARGEST_FACTOR = 1e-30, 1e6
"""Scores times such factors stay finite, even in 32 bits at the lowest temperature."""

LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE = 1e-3, 1e3
"""Training fits temperatures between 1/400 and 400 (`search.treesearch`)."""

_NOT_IN_A_COLUMN = re.compile("[\t\n\r\ud800-\udfff]")
"""Characters that a CoNLL-U column cannot contain; pipeline stages write their texts unchecked."""


def stored_settings(
    cls: type[T], settings: Mapping[str, Any], what: str, location: SourceLocation | None = None
) -> T:
    """The settings of a model; `what` names it in messages."""
    try:
        return from_mapping(cls, settings)
    except FormatError as error:
        raise ModelError(f"the settings of this {what} are damaged: {error}", location) from error


def check_factor(name: str, value: float) -> None:
    """Raise unless scores can be multiplied by a number."""
    _check_range(name, value, SMALLEST_FACTOR, LARGEST_FACTOR)


def check_temperature(name: str, value: float) -> None:
    """Raise unless a number is valid as a temperature."""
    _check_range(name, value, LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE)


def _check_range(name: str, value: float, minimum: float, maximum: float) -> None:
    if not minimum <= value <= maximum:
        raise UsageError(f"{name} must be from {minimum:g} to {maximum:g}, not {value:g}")


def check_texts(name: str, texts: Iterable[str], *, may_be_empty: bool = False) -> None:
    """Raise unless texts can be written into a CoNLL-U column, or a part of one."""
    for text in texts:
        if _NOT_IN_A_COLUMN.search(text) or not (text or may_be_empty):
            raise UsageError(f"{name}: {text!r:.40} cannot be written into a CoNLL-U column")
