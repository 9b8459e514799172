"""What model folders of parsers of heads have in common: settings, and rows of their cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headwise.parsers.unlabelled import UnlabelledParser
from headwise.storage.modelcard import Row
from headwise.storage.settings import to_mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUnlabelled:
    """What every such model says of a parser, besides how it was trained (`learning`)."""

    kind: str
    single_root: bool
    report: dict[str, Any]
    about: dict[str, Any]


def settings_of(parser: UnlabelledParser, about: dict[str, Any] | None) -> dict[str, Any]:
    """What every such model says of a parser, which must be fitted."""
    parser.search()
    return {
        "kind": parser.kind,
        "learning": to_mapping(parser),
        "report": parser.report_,
        "about": about or {},
    }


def rows_of_treebank(report: Mapping[str, Any]) -> list[Row]:
    """What a card says of the sentences that were learnt from."""
    return [
        ("sentences learnt from", f"{report['sentences']:,} ({report['words']:,} words)"),
        ("sentences left out", report["left_out"]),
    ]


def rows_of_dev(report: Mapping[str, Any]) -> list[Row]:
    """What a card says of development data, if there were any."""
    named = (("dev_uas", "UAS on dev"), ("dev_undirected", "undirected, the same way"))
    return [(text, f"{report[name]:.2f}") for name, text in named if name in report]
