"""What `headwise train --learner lexical` chooses and says."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.errors import FormatError, UsageError

if TYPE_CHECKING:
    from headwise.lexical.settings import LexicalSettings

LEXICAL = "lexical"
OPTIONS = ("variant", "tags", "single_root", "longest")
"""Options of training that a lexical parser has too; the rest of its settings are in --config."""


def chosen_lexical_settings(config: Path | None, values: Mapping[str, Any]) -> "LexicalSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.lexical.settings import LexicalSettings
    from headwise.settings import from_mapping, read_settings, to_mapping

    base = read_settings(config, LexicalSettings) if config else LexicalSettings()
    mapping = to_mapping(base)
    for name, value in flat(values).items():
        if name in mapping and name in (*OPTIONS, "lowercase"):
            mapping[name] = value
        elif name != "learner":
            raise UsageError(
                f"a lexical parser has no {name.replace('_', ' ')}: it can be told "
                f"{', '.join(OPTIONS).replace('_', ' ')}, lowercase and similarity, and more by "
                "--config"
            )
    try:
        return from_mapping(LexicalSettings, mapping)
    except FormatError as error:  # the file was good: it is the call
        raise UsageError(str(error)) from error


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, those of groups too."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        inner = value if isinstance(value, Mapping) else {name: value}
        found |= {key: one for key, one in inner.items() if one is not None}
    return found


def lexical_summary(report: Mapping[str, Any]) -> str:
    """What came out, in a line."""
    parts = [
        f"{report['vocabulary']:,} words, {report['contexts']:,} contexts of links, "
        f"{report['links']:,} with a link"
    ]
    if "covered_tokens" in report:
        parts.append(f"similar words for {100 * report['covered_tokens']:.1f} % of tokens")
    if "dev_uas" in report:
        parts.append(f"dev UAS {report['dev_uas']:.2f}, undirected {report['dev_undirected']:.2f}")
    return ", ".join(parts)
