"""What is said of any parser of heads when it is trained."""

from collections.abc import Mapping
from typing import Any


def coverage_parts(report: Mapping[str, Any]) -> list[str]:
    """How far similar words cover the treebank, if there are any."""
    if "covered_tokens" not in report:
        return []
    return [f"similar words for {100 * report['covered_tokens']:.1f} % of tokens"]


def dev_parts(report: Mapping[str, Any]) -> list[str]:
    """How good it is on development data, if there are any."""
    if "dev_uas" not in report:
        return []
    return [f"dev UAS {report['dev_uas']:.2f}, undirected {report['dev_undirected']:.2f}"]
