"""Parts of the training summary that all unlabelled parsers share."""

from collections.abc import Mapping
from typing import Any


def coverage_parts(report: Mapping[str, Any]) -> list[str]:
    """The share of tokens with similar words, if these are used."""
    if "covered_tokens" not in report:
        return []
    return [f"similar words for {100 * report['covered_tokens']:.1f} % of tokens"]


def dev_parts(report: Mapping[str, Any]) -> list[str]:
    """The scores on development data, if there is any."""
    if "dev_uas" not in report:
        return []
    return [f"dev UAS {report['dev_uas']:.2f}, undirected {report['dev_undirected']:.2f}"]
