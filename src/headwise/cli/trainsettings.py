"""The settings of a parser, out of a file and the options of `headwise train`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.cli.boosting import BOOSTING, chosen_boosting_settings
from headwise.cli.chosen import settings_after, settings_before, spelt
from headwise.cli.lexical import LEXICAL, chosen_lexical_settings
from headwise.cli.linkmargin import LINK_MARGIN, chosen_link_settings
from headwise.cli.options import split_at_commas
from headwise.cli.output import complain
from headwise.errors import UsageError

if TYPE_CHECKING:
    from headwise.learners.settings import TrainingSettings
    from headwise.pipeline.training.trainkinds import AnySettings

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

HIGHER = (
    lambda settings: settings.is_higher,
    "is of higher orders: choose --order 2, 3 or 4",
)
COUNTS_IF: "dict[str, tuple[Callable[[TrainingSettings], bool], str]]" = {
    "part_features": HIGHER,
    "share": HIGHER,
    "heads": HIGHER,
    "part_lines": HIGHER,
    "crossing": (
        lambda settings: settings.decoder == "projective",
        "is of projective search: the other finds crossing arcs",
    ),
    "plausible": (
        lambda settings: not settings.needs_all_arcs,
        "is not of this learner, whose objective is of all arcs",
    ),
    "label_weights": (
        lambda settings: settings.labels != "none",
        "needs relations to learn, and --labels is none",
    ),
    "prefix": (
        lambda settings: settings.words.backoff == "prefix",
        "needs --backoff prefix",
    ),
}
"""Options that count only under some settings, and what is said where they do not."""

IN_PARALLEL = ("bayes-point", BOOSTING)
"""Learners that do several things at a time: what comes out is the same with any `--jobs`."""

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
    from headwise.learners.settings import TrainingSettings
    from headwise.storage.settings import read_key

    if options["order"] is not None and options["parts"] is not None:
        raise UsageError("--order and --parts say the same thing: give one of them")
    learner = options["learner"] or (read_key(config, "learner") if config else None)
    for name, names in OWN_OPTIONS.items():
        given = [one for one in names if options[one] is not None]
        if given and learner != name:
            raise UsageError(f"{spelt(given[0])} is of another learner: --learner {name}")
    if options["jobs"] > 1 and learner not in IN_PARALLEL:
        others = " and ".join(IN_PARALLEL)
        complain(f"--jobs: only {others} do several things at a time", kind="note")
    usual = [one.name for one in fields(TrainingSettings)]
    usual += [name for own in GROUPS.values() for name in own]
    given_usual = {name: options[name] for name in usual if options.get(name) is not None}
    if isinstance(learner, str) and learner in OWN_SETTINGS:
        own = {name: options[name] for name in OWN_OPTIONS[learner]}
        given_own = {name: value for name, value in own.items() if value is not None}
        return OWN_SETTINGS[learner](config, given_usual | given_own)
    settings = usual_settings(config, given_usual)
    refuse_options_of_others(settings, given_usual)
    return settings


def refuse_options_of_others(settings: "TrainingSettings", given: Iterable[str]) -> None:
    """Raise if an option was given in the call that nobody would look at."""
    from headwise.learners.settings import OF_LEARNERS

    for name in given:
        learners = OF_LEARNERS.get(name, (settings.learner,))
        if settings.learner not in learners:
            others = " or ".join(learners)
            raise UsageError(
                f"{settings.learner} has no {spelt(name)}, which is of --learner {others}"
            )
        if name in COUNTS_IF:
            counts, otherwise = COUNTS_IF[name]
            if not counts(settings):
                raise UsageError(f"{spelt(name)} {otherwise}")


def usual_settings(config: Path | None, given: Mapping[str, Any]) -> "TrainingSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.learners.settings import TrainingSettings

    mapping, left = settings_before(TrainingSettings, config), dict(given)
    for group, names in GROUPS.items():
        own = {name: left.pop(option) for option, name in names.items() if option in left}
        mapping[group] = {**mapping[group], **own}
    if "parts" in left:
        left["parts"] = split_at_commas(left["parts"])
    mapping |= left
    try:
        return settings_after(TrainingSettings, mapping)
    except UsageError as error:
        raise UsageError(with_all_learners(str(error))) from error


def with_all_learners(message: str) -> str:
    """A message that lists learners, with those that have settings of their own."""
    others = f"; there are {', '.join(OWN_SETTINGS)} too"
    return message + others if message.startswith("learner: ") else message
