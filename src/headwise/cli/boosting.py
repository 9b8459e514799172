"""What `headwise train --learner boosting` chooses and says."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.cli.chosen import chosen_of
from headwise.cli.headsreport import dev_parts

if TYPE_CHECKING:
    from headwise.parsers.boosting.settings import BoostingSettings

BOOSTING = "boosting"
OPTIONS = (
    "rounds", "update", "keep", "prior", "dynamic", "tags", "single_root", "longest", "lowercase",
)  # fmt: skip
"""Options of training that a boosted parser has; the rest of its settings are in --config."""


def chosen_boosting_settings(config: Path | None, given: Mapping[str, Any]) -> "BoostingSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.parsers.boosting.settings import BoostingSettings

    return chosen_of(BoostingSettings, "a boosted parser", OPTIONS, config, given, also="")


def boosting_summary(report: Mapping[str, Any]) -> str:
    """What came out, in a line."""
    rounds = f"round {report['round']} of {report['rounds']}"
    size = (
        f"{report['pairs']:,} pairs of words of {report['tag_pairs']:,} pairs of tags, "
        f"{report['features']:,} features, {report['weights']:,} weights"
    )
    return ", ".join([rounds, *dev_parts(report), size])
