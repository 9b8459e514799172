"""What `headwise train --learner lexical` chooses and says."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.cli.chosen import chosen_of
from headwise.cli.headsreport import coverage_parts, dev_parts

if TYPE_CHECKING:
    from headwise.parsers.lexical.settings import LexicalSettings

LEXICAL = "lexical"
OPTIONS = ("variant", "tags", "single_root", "longest", "lowercase")
"""Options of training that a lexical parser has too; the rest of its settings are in --config."""


def chosen_lexical_settings(config: Path | None, given: Mapping[str, Any]) -> "LexicalSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.parsers.lexical.settings import LexicalSettings

    return chosen_of(LexicalSettings, "a lexical parser", OPTIONS, config, given)


def lexical_summary(report: Mapping[str, Any]) -> str:
    """What came out, in a line."""
    counts = (
        f"{report['vocabulary']:,} words, {report['contexts']:,} contexts of links, "
        f"{report['links']:,} with a link"
    )
    return ", ".join([counts, *coverage_parts(report), *dev_parts(report)])
