"""Settings of models: THE way in which every kind of model reads what its `config.json` says.

A kind of model describes its settings as a dataclass; `stored_settings` gives an instance of it, or
an error that names the key. So a setting that is missing, unknown, of another type, infinite or
larger than any machine could mean is refused before anyone works with it.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from headwise.errors import FormatError, ModelError, SourceLocation, UsageError
from headwise.storage.settings import from_mapping

T = TypeVar("T")

SMALLEST_FACTOR, LARGEST_FACTOR = 1e-30, 1e30
"""Scores times or over such numbers stay finite, even in 32 bits."""


def stored_settings(
    cls: type[T], settings: Mapping[str, Any], what: str, place: SourceLocation | None = None
) -> T:
    """The settings of a model; `what` is what they belong to, for messages."""
    try:
        return from_mapping(cls, settings)
    except FormatError as error:
        raise ModelError(f"the settings of this {what} are damaged: {error}", place) from error


def check_factor(name: str, value: float) -> None:
    """Raise unless scores can be multiplied with a number, and divided by it."""
    if not SMALLEST_FACTOR <= value <= LARGEST_FACTOR:
        raise UsageError(
            f"{name} must be from {SMALLEST_FACTOR:g} to {LARGEST_FACTOR:g}, not {value:g}"
        )
