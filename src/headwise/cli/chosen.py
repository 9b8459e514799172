"""Settings of parsers, out of a file and the options of `headwise train`."""

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
    given: Mapping[str, Any],
    also: str = " and --similarity",
) -> T:
    """The settings of a file, or the defaults, under those that were given in the call.

    `options` are what such a parser (`what`, in messages) can be told in the call; `also` names
    what else can be.
    """
    mapping = settings_before(cls, config, besides=["learner"])
    for name, value in given.items():
        if name in options:
            mapping[name] = value
        elif name != "learner":
            raise UsageError(
                f"{what} has no {spelt(name)}: it can be told {', '.join(map(spelt, options))}"
                f"{also}, and more by --config"
            )
    return settings_after(cls, mapping)


def settings_before(
    cls: type[T], config: Path | None, besides: Sequence[str] = ()
) -> dict[str, Any]:
    """The settings of a file, or the defaults, as options of the call may change them."""
    from headwise.storage.settings import read_settings, to_mapping

    return to_mapping(read_settings(config, cls, besides=besides) if config else cls())


def settings_after(cls: type[T], mapping: Mapping[str, Any]) -> T:
    """The settings under the options of the call; what is wrong with them is the call's."""
    from headwise.storage.settings import from_mapping

    try:
        return from_mapping(cls, mapping)
    except FormatError as error:
        raise UsageError(str(error)) from error


def spelt(name: str) -> str:
    """How an option is written in a call."""
    return "--lambda" if name == "lam" else f"--{name.replace('_', '-')}"
