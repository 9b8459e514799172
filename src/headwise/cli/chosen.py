"""Settings of parsers that have their own, out of the options of `headwise train`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from headwise.errors import FormatError, UsageError

T = TypeVar("T")


def chosen_of(
    cls: type[T],
    what: str,
    options: Sequence[str],
    config: Path | None,
    values: Mapping[str, Any],
    also: str = " and similarity",
) -> T:
    """The settings of a file, or the defaults, under those that were given in the call.

    `options` are what such a parser (`what`, in messages) can be told in the call; `also` names
    what else can be.
    """
    from headwise.settings import from_mapping, read_settings, to_mapping

    base = read_settings(config, cls, besides=["learner"]) if config else cls()
    mapping = to_mapping(base)
    for name, value in flat(values).items():
        if name in options:
            mapping[name] = value
        elif name != "learner":
            raise UsageError(
                f"{what} has no {name.replace('_', ' ')}: it can be told "
                f"{', '.join(options).replace('_', ' ')}{also}, and more by --config"
            )
    try:
        return from_mapping(cls, mapping)
    except FormatError as error:  # the file was good: it is the call
        raise UsageError(str(error)) from error


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, those of groups too."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        inner = value if isinstance(value, Mapping) else {name: value}
        found |= {key: one for key, one in inner.items() if one is not None}
    return found
