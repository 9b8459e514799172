"""Parts on top of a neural parser as a model: what is stored, what is checked, and its card."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headwise.errors import SourceLocation
from headwise.inference.temperatures import ModelTemperatures, with_temperatures
from headwise.parsers.graph.card import calibration_lines, pruner_text, temperatures_text
from headwise.parsers.graph.storage import read_part_templates, read_reduction
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.parser import UNITS, NeuralPartsParser
from headwise.scoring.linear.higher import smallest_factorisation
from headwise.scoring.linear.precomputedarcs import NO_FEATURES, PrecomputedArcsSpec
from headwise.scoring.linear.tables import WeightTables
from headwise.search.parts import Part
from headwise.storage.arraychecks import check_array
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, reporting_damage
from headwise.storage.settings import to_mapping
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_factor, stored_settings

BASE = "base/"
"""What names of the network's arrays start with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredParts:
    """What a model says of parts on top of a network, besides arrays."""

    kind: str
    training: NeuralPartsParser
    part_templates: tuple[str, ...]
    tag_reduction: tuple[str, ...]
    base: dict[str, Any]
    factor: float
    temperatures: ModelTemperatures
    report: dict[str, Any]
    about: dict[str, Any]

    def check(self) -> None:
        check_factor("factor", self.factor)
        read_part_templates(self.part_templates)
        read_reduction(self.tag_reduction)

    def feature_spec(self, base: NeuralParser) -> PrecomputedArcsSpec:
        """Which parts are scored."""
        parts = read_part_templates(self.part_templates)
        scored = (Part.ARC, *(template.part for template in parts.templates))
        return PrecomputedArcsSpec(
            arcs=NO_FEATURES,
            parts=parts,
            factorisation=smallest_factorisation(scored),
            crossing=not base.projective_,
            factor=self.factor,
            whole=True,
        )


def to_model(parser: NeuralPartsParser, about: dict[str, Any] | None = None) -> ModelFile:
    """A trained parser as a model."""
    parser.search()
    base = parser.base_.to_model()
    assert parser.feature_spec_.parts is not None
    settings = {
        "kind": parser.kind,
        "training": to_mapping(parser),
        "part_templates": [str(template) for template in parser.feature_spec_.parts.templates],
        "tag_reduction": parser.reduction_.rows(),
        "base": base.settings,
        "factor": parser.feature_spec_.factor,
        "temperatures": to_mapping(parser.temperatures_),
        "report": parser.report_,
        "about": about or {},
    }
    arrays = {f"{BASE}{name}": array for name, array in base.arrays.items()}
    arrays |= pack_sparse("weights", parser.tables_.weights)
    return ModelFile(parser.kind, settings, arrays, card(settings))


def of_model(model: ModelFile, location: SourceLocation) -> NeuralPartsParser:
    """The parser that a model is; `location` is for messages."""
    with reporting_damage("neural parser with parts", location):
        settings = with_temperatures(model.settings, model.settings.get("base"))
        stored = stored_settings(StoredParts, settings, "neural parser with parts")
        parser = stored.training
        own = {
            name.removeprefix(BASE): array
            for name, array in model.arrays.items()
            if name.startswith(BASE)
        }
        kind = NeuralParser.kind
        base = NeuralParser.storage().of_model(ModelFile(kind, stored.base, own, ""), location)
        parser.base_ = base
        parser.feature_spec_, parser.reduction_ = (
            stored.feature_spec(base),
            read_reduction(stored.tag_reduction),
        )
        parser.tables_ = read_weights(model, parser)
        parser.temperatures_, parser.report_ = stored.temperatures, stored.report
    return parser


def read_weights(model: ModelFile, parser: NeuralPartsParser) -> WeightTables:
    """The weights of parts, checked; what they are looked up for is decided by pruning alone."""
    sizes = parser.sizes
    shape, _ = WeightTables.shapes(sizes, with_parts=True)
    weights = unpack_sparse("weights", model.arrays, shape)
    check_array("weights", weights, np.int8, shape)
    return replace(WeightTables.empty(sizes), weights=weights, scale=UNITS)


def card(settings: Mapping[str, Any]) -> str:
    """The card of a parser, in Markdown."""
    report, training, base = settings["report"], settings["training"], settings["base"]
    sizes = base["training"]["sizes"]
    parts = ", ".join(training["parts"]) or f"those of order {training['order']}"
    network = f"BiLSTM of {sizes['layers']} × {sizes['units']} units, biaffine"
    folds = f"{training['folds']} networks that had not seen the sentence"
    rows: list[Row] = [
        *settings["about"].items(),
        ("scorer", f"neural ({network}), and parts over the arcs that it keeps"),
        ("parts", parts),
        (
            "learner of parts",
            f"mira, C = {training['c']:g}, on scores of "
            + (folds if training["folds"] else "the network itself"),
        ),
        ("factor of the network's scores", report["factor"]),
        ("weights of parts that are not 0", f"{report['weights']:,}, 8 bits each"),
        ("sentences learnt from", f"{report['sentences']:,} ({report['words']:,} words)"),
        ("sentences left out", report["left_out"]),
        ("epochs", f"{training['epochs']}, the weights are from epoch {report['epoch']}"),
        ("seed", training["seed"]),
        ("temperature of probabilities", temperatures_text(settings["temperatures"])),
        ("what its network keeps", pruner_text(report["pruner"])),
    ]
    for name, title in (("dev_uas", "UAS"), ("dev_las", "LAS with subtypes")):
        if name in report:
            alone = report[f"network_{name}"]
            text = f"{report[name]:.2f} (the network alone {alone:.2f})"
            rows.append((f"{title} on dev, all tokens, own tags", text))
    curves = "\n".join(calibration_lines(report))
    does = "It finds tags, heads and relations."
    title = "A neural dependency parser with higher-order parts"
    return card_of(title, rows, does) + (curves + "\n" if curves else "")
