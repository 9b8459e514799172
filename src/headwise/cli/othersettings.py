"""Settings of parsers that are not trained like most, from a file and a call."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from headwise.errors import FormatError, UsageError

T = TypeVar("T")


def chosen_other_settings(
    cls: type[T],
    kind: str,
    options: Sequence[str],
    config: Path | None,
    values: Mapping[str, Any],
    also: str = "",
) -> T:
    """The settings of a file, or the defaults, under those that were given in the call.

    options: what such a parser can be told in a call; `also` is what else it can be told there.
    """
    from headwise.settings import from_mapping, read_settings, to_mapping

    mapping = to_mapping(read_settings(config, cls) if config else cls())
    for name, value in flat(values).items():
        if name in options:
            mapping[name] = value
        elif name != "learner":
            known = ", ".join(options).replace("_", " ")
            raise UsageError(
                f"a {kind} parser has no {name.replace('_', ' ')}: it can be told "
                f"{known}{also}, and more by --config"
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
