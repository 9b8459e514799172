"""What `headwise train --learner link-margin` chooses and says."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.cli.chosen import chosen_of
from headwise.cli.headsreport import coverage_parts, dev_parts
from headwise.cli.options import numbers_in, split_at_commas

if TYPE_CHECKING:
    from headwise.parsers.linkmargin.settings import LinkMarginSettings

LINK_MARGIN = "link-margin"
OPTIONS = (
    "loss", "features", "beta", "betas", "laplacian", "epochs", "seed", "single_root", "longest",
    "lowercase",
)  # fmt: skip
"""Options of training that a parser of links has too; the rest of its settings are in --config."""


def chosen_link_settings(config: Path | None, given: Mapping[str, Any]) -> "LinkMarginSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.parsers.linkmargin.settings import LinkMarginSettings

    own = dict(given)
    if "features" in own:
        own["features"] = split_at_commas(own["features"])
    if "betas" in own:
        own["betas"] = numbers_in(own["betas"], "--betas")
    return chosen_of(LinkMarginSettings, "a parser of links", OPTIONS, config, own)


def link_summary(report: Mapping[str, Any]) -> str:
    """What came out, in a line."""
    last = report["history"][-1]
    solved = (
        f"epoch {last['epoch']}, beta {report['beta']:g}, gap {last['gap']:.2%}, "
        f"{report['pairs']:,} pairs of words, {report['margins']:,} margins"
    )
    return ", ".join([solved, *coverage_parts(report), *dev_parts(report)])
