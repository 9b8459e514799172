"""The settings of a parser, out of a file and the options of `headwise train`."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.cli.boosting import BOOSTING, chosen_boosting_settings
from headwise.cli.chosen import settings_after, settings_before
from headwise.cli.lexical import LEXICAL, chosen_lexical_settings
from headwise.cli.linkmargin import LINK_MARGIN, chosen_link_settings
from headwise.errors import UsageError

if TYPE_CHECKING:
    from headwise.learners.settings import TrainingSettings
    from headwise.training.trainkinds import AnySettings

GROUPS = {
    "pruner": {"share": "share", "heads": "most"},
    "words": {
        "lowercase": "lowercase",
        "numbers": "numbers",
        "backoff": "backoff",
        "prefix": "length",
    },
    "tables": {
        "wide": "wide",
        "narrow": "narrow",
        "filters": "filters",
        "part_lines": "parts",
        "label_weights": "labels",
    },
}
"""Groups of settings: the options of the call that are in them, and what they are called there.

Every other option that has the name of a setting is that setting.
"""

OWN_OPTIONS = {
    LEXICAL: ("variant",),
    LINK_MARGIN: ("betas", "laplacian"),
    BOOSTING: ("rounds", "update", "keep", "prior", "dynamic"),
}
"""Options that are of one learner only."""

OWN_SETTINGS: dict[str, "Callable[[Path | None, Mapping[str, Any]], AnySettings]"] = {
    LEXICAL: chosen_lexical_settings,
    LINK_MARGIN: chosen_link_settings,
    BOOSTING: chosen_boosting_settings,
}
"""Learners whose parsers have settings of their own, and how these are chosen."""


def chosen_settings(config: Path | None, options: Mapping[str, Any]) -> "AnySettings":
    """The settings of the learner that was chosen, out of a file and the options of the call."""
    from headwise.settings import read_key

    if options["order"] is not None and options["parts"] is not None:
        raise UsageError("--order and --parts say the same thing: give one of them")
    learner = options["learner"] or (read_key(config, "learner") if config else None)
    for name, names in OWN_OPTIONS.items():
        given = [one for one in names if options[one] is not None]
        if given and learner != name:
            raise UsageError(f"--{given[0]} is of another learner: --learner {name}")
    values = values_of(options)
    if isinstance(learner, str) and learner in OWN_SETTINGS:
        own = {name: options[name] for name in OWN_OPTIONS[learner]}
        return OWN_SETTINGS[learner](config, values | own)
    settings = usual_settings(config, values)
    refuse_options_of_others(settings, values)
    return settings


def values_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are settings of most learners, in the groups that settings have."""
    from headwise.learners.settings import TrainingSettings

    names = [one.name for one in fields(TrainingSettings) if one.name in options]
    grouped = {
        group: {name: options[option] for option, name in own.items()}
        for group, own in GROUPS.items()
    }
    parts = {"parts": split_at_commas(options["parts"])}
    return {name: options[name] for name in names} | grouped | parts


def refuse_options_of_others(settings: "TrainingSettings", values: Mapping[str, Any]) -> None:
    """Raise if an option was given in the call that the learner does not look at."""
    from headwise.learners.settings import OF_LEARNERS

    for name, learners in OF_LEARNERS.items():
        if values[name] is not None and settings.learner not in learners:
            others = " or ".join(learners)
            raise UsageError(f"{settings.learner} has no --{name}, which is of --learner {others}")
    if values["part_features"] is not None and not settings.is_higher:
        raise UsageError("--part-features are of higher orders: choose --order 2, 3 or 4")


def usual_settings(config: Path | None, values: dict[str, Any]) -> "TrainingSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.learners.settings import TrainingSettings

    mapping = settings_before(TrainingSettings, config)
    for name, value in values.items():
        if isinstance(value, dict):
            given = {key: one for key, one in value.items() if one is not None}
            mapping[name] = {**mapping[name], **given}
        elif value is not None:
            mapping[name] = value
    try:
        return settings_after(TrainingSettings, mapping)
    except UsageError as error:
        raise UsageError(with_all_learners(str(error))) from error


def with_all_learners(message: str) -> str:
    """A message that lists learners, with those that have settings of their own."""
    others = f"; there are {', '.join(OWN_SETTINGS)} too"
    return message + others if message.startswith("learner: ") else message


def split_at_commas(names: str | None) -> list[str] | None:
    """Names with commas between them, and perhaps blanks."""
    return None if names is None else [name.strip() for name in names.split(",")]
