"""Parsers as models: what all kinds have in common.

The rest of a kind is in the module `storage` of its folder:

    NAME        what its models are called in messages
    Stored      a dataclass: what a model says of a parser, besides its arrays
    to_model    those settings that only this kind has, and the arrays
    of_model    a parser from checked settings, and a model whose arrays are yet to be checked
    card        the card, given the parser and all settings
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headwise.errors import SourceLocation
from headwise.inference.temperatures import ModelTemperatures, with_temperatures
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, reporting_damage
from headwise.storage.settings import from_mapping, to_mapping
from headwise.storage.storedsettings import stored_settings

if TYPE_CHECKING:
    from headwise.parsers.base import Parser

ABOUT_DATA = (
    "On every second sentence of development data, those that the temperatures and the curves of "
    "reported probabilities were not fitted to."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredParser:
    """What every model says of its parser.

    about: what it was made of (the treebank …), for its card.
    """

    kind: str
    report: dict[str, Any]
    about: dict[str, Any]

    @classmethod
    def upgraded(cls, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings of a model of an earlier version, in the form of today."""
        return with_temperatures(settings, settings.get("base"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedStored(StoredParser):
    """What models say of parsers with temperatures, too."""

    temperatures: ModelTemperatures


class Storage:
    """How parsers of a kind become models, and come back."""

    def __init__(self, kind: str) -> None:
        from headwise.parsers.registry import DEFAULT, PARSERS

        folder = PARSERS[kind].partition(".")[0]
        self.kind, self.says_kind = kind, kind != DEFAULT
        self.own: Any = import_module(f"headwise.parsers.{folder}.storage")

    def to_model(self, parser: "Parser", about: dict[str, Any] | None = None) -> ModelFile:
        """A trained parser as a model."""
        parser.search()  # it must have learnt something
        settings, arrays = self.own.to_model(parser)
        settings |= {"report": parser.report_, "about": about or {}}
        if self.says_kind:
            settings["kind"] = self.kind
        if issubclass(self.own.Stored, CalibratedStored):
            settings["temperatures"] = to_mapping(parser.temperatures_)  # type: ignore[attr-defined]
        return ModelFile(self.kind, settings, arrays, self.own.card(parser, settings))

    def of_model(self, model: ModelFile, location: SourceLocation) -> Any:
        """The parser that a model is; `location` is for messages."""
        with reporting_damage(self.own.NAME, location):
            settings = self.own.Stored.upgraded(model.settings)
            stored = stored_settings(self.own.Stored, settings, self.own.NAME)
            parser = self.own.of_model(stored, model)
        parser.report_ = stored.report
        if isinstance(stored, CalibratedStored):
            parser.temperatures_ = stored.temperatures
        return parser


def rows_of_treebank(report: Mapping[str, Any]) -> list[Row]:
    """What a card says of the sentences that were learnt from."""
    return [
        ("sentences learnt from", f"{report['sentences']:,} ({report['words']:,} words)"),
        ("sentences left out", report["left_out"]),
    ]


def row_of_temperatures(settings: Mapping[str, Any]) -> Row:
    """What scores are divided by before they are made probabilities."""
    own = from_mapping(ModelTemperatures, settings["temperatures"])
    text = f"{own}" if own.given_tags is None else f"{own}; under given tags {own.given_tags}"
    return "temperature of probabilities", text


def pruner_text(kept: Mapping[str, float]) -> str:
    """How much a pruner keeps, and how good trees over that could be."""
    return f"{kept['heads_a_word']:.1f} heads a word, oracle UAS {kept['oracle_uas']:.2f}"


def card_with_curves(title: str, rows: list[Row], does: str, report: Mapping[str, Any]) -> str:
    """A card that ends with the reliability curves, a table for each kind of answer."""
    lines = curves_of(report.get("calibration", {}))
    if lines:
        lines = ["", "## How far its probabilities can be trusted", "", ABOUT_DATA, *lines]
    given = curves_of(report.get("calibration_given_tags", {}))
    lines += ["", "### Under given tags", *given] if given else []
    return card_of(title, rows, does) + "".join(f"{line}\n" for line in lines)


def curves_of(found: Mapping[str, Any]) -> list[str]:
    """The reliability curves of one condition."""
    titles = {
        "heads": "heads",
        "labels": "relations of words with the right head",
        "tags": "tags (UPOS)",
        "trees": "whole trees (heads)",
    }
    lines: list[str] = []
    for kind, title in titles.items():
        if kind in found:
            error = 100 * found[kind]["error"]
            lines += ["", f"Reliability of {title}; expected calibration error {error:.2f} %:", ""]
            lines += ["| answers | probability | right |", "|--:|--:|--:|"]
            lines += [
                f"| {count:,} | {100 * likely:.1f} % | {100 * right:.1f} % |"
                for count, likely, right in found[kind]["curve"]
            ]
    return lines
