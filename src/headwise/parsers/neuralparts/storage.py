"""Parts on top of a neural parser as a model: what is stored, what is checked, and its card."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import NOWHERE
from headwise.parsers.graph.storage import read_part_templates, read_reduction
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.parser import UNITS, NeuralPartsParser
from headwise.parsers.stored import (
    CalibratedStored,
    card_with_curves,
    pruner_text,
    row_of_temperatures,
    rows_of_treebank,
)
from headwise.scoring.linear.higher import smallest_factorisation
from headwise.scoring.linear.precomputedarcs import NO_FEATURES, PrecomputedArcsSpec
from headwise.scoring.linear.tables import WeightTables
from headwise.search.parts import Part
from headwise.storage.arraychecks import check_array
from headwise.storage.modelcard import Row
from headwise.storage.modelfile import ModelFile
from headwise.storage.settings import to_mapping
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_factor

NAME = "neural parser with parts"

BASE = "base/"
"""What names of the network's arrays start with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(CalibratedStored):
    """What a model says of parts on top of a network, besides arrays."""

    training: NeuralPartsParser
    part_templates: tuple[str, ...]
    tag_reduction: tuple[str, ...]
    base: dict[str, Any]
    factor: float

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


def to_model(parser: NeuralPartsParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of a trained parser."""
    base = parser.base_.to_model()
    assert parser.feature_spec_.parts is not None
    settings = {
        "training": to_mapping(parser),
        "part_templates": [str(template) for template in parser.feature_spec_.parts.templates],
        "tag_reduction": parser.reduction_.rows(),
        "base": base.settings,
        "factor": parser.feature_spec_.factor,
    }
    arrays = {f"{BASE}{name}": array for name, array in base.arrays.items()}
    return settings, arrays | pack_sparse("weights", parser.tables_.weights)


def of_model(settings: Stored, model: ModelFile) -> NeuralPartsParser:
    """The parser of checked settings, whose arrays are yet to be checked."""
    parser = settings.training
    base = model.part(BASE, NeuralParser.kind, settings.base)
    parser.base_ = NeuralParser.storage().of_model(base, NOWHERE)
    parser.feature_spec_ = settings.feature_spec(parser.base_)
    parser.reduction_ = read_reduction(settings.tag_reduction)
    parser.tables_ = read_weights(model, parser)
    return parser


def read_weights(model: ModelFile, parser: NeuralPartsParser) -> WeightTables:
    """The weights of parts, checked; what they are looked up for is decided by pruning alone."""
    sizes = parser.sizes
    shape, _ = WeightTables.shapes(sizes, with_parts=True)
    weights = unpack_sparse("weights", model.arrays, shape)
    check_array("weights", weights, np.int8, shape)
    return replace(WeightTables.empty(sizes), weights=weights, scale=UNITS)


def card(parser: NeuralPartsParser, settings: Mapping[str, Any]) -> str:
    """The card of a parser, in Markdown."""
    report, sizes = settings["report"], parser.base_.sizes
    parts = ", ".join(parser.parts) or f"those of order {parser.order}"
    network = f"BiLSTM of {sizes.layers} × {sizes.units} units, biaffine"
    folds = f"{parser.folds} networks that had not seen the sentence"
    rows: list[Row] = [
        *settings["about"].items(),
        ("scorer", f"neural ({network}), and parts over the arcs that it keeps"),
        ("parts", parts),
        (
            "learner of parts",
            f"mira, C = {parser.c:g}, on scores of "
            + (folds if parser.folds else "the network itself"),
        ),
        ("factor of the network's scores", report["factor"]),
        ("weights of parts that are not 0", f"{report['weights']:,}, 8 bits each"),
        *rows_of_treebank(report),
        ("epochs", f"{parser.epochs}, the weights are from epoch {report['epoch']}"),
        ("seed", parser.seed),
        row_of_temperatures(settings),
        ("what its network keeps", pruner_text(report["pruner"])),
    ]
    for name, title in (("dev_uas", "UAS"), ("dev_las", "LAS with subtypes")):
        if name in report:
            alone = report[f"network_{name}"]
            text = f"{report[name]:.2f} (the network alone {alone:.2f})"
            rows.append((f"{title} on dev, all tokens, own tags", text))
    does = "It finds tags, heads and relations."
    title = "A neural dependency parser with higher-order parts"
    return card_with_curves(title, rows, does, report)
