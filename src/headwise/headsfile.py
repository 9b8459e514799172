"""What model folders of parsers of heads have in common: settings, and rows of their cards."""

from collections.abc import Mapping
from typing import Any, TypeVar

from headwise.errors import Place
from headwise.headsparser import HeadsParser
from headwise.settings import from_mapping, to_mapping
from headwise.storage.modelcard import Row
from headwise.storage.modelfile import ModelFile

P = TypeVar("P", bound=HeadsParser)


def settings_of(kind: str, parser: HeadsParser, about: dict[str, Any] | None) -> dict[str, Any]:
    """What every such model says of a parser, which must have learnt something."""
    parser.search()
    return {
        "kind": kind,
        "learning": to_mapping(parser),
        "report": parser.report_,
        "about": about or {},
    }


def parser_by(cls: type[P], model: ModelFile, place: Place) -> P:
    """A parser by the settings of a model; what it has learnt is yet to be read."""
    parser = from_mapping(cls, model.settings["learning"], place)
    parser.report_ = dict(model.settings["report"])
    return parser


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
